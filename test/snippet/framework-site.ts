/** Sites of frameworks that are too large to be development dependencies (Next.js 340 MB, Astro 160 MB). */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { execa } from 'execa'
import { freePort } from '../free-port.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Kept between runs, and outside of node_modules, where Next.js takes every file for a finished package. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pullquote-frameworks')
const RECIPES = join(ROOT, 'templates', 'snippet')

/** Where a framework is installed, by exact versions. In CI it is installed when it is missing; elsewhere that is asked for. */
export function frameworkFolder(name: string, packages: string[]): { folder: string; missing?: string } {
  const folder = join(CACHE, [name, ...packages].join('-').replace(/[^\w.-]/g, '_'))
  const isThere = existsSync(join(folder, 'node_modules', name, 'package.json'))
  if (isThere || process.env.CI || process.env.PULLQUOTE_TEST_FRAMEWORKS) return { folder }
  return {
    folder,
    missing: `${name} is not installed: set PULLQUOTE_TEST_FRAMEWORKS=1, which installs it into ${folder}`,
  }
}

/**
 * Waits until no other run of the tests works in the folder, which they share.
 *
 * @returns gives it back
 */
export async function claimFolder(folder: string): Promise<() => void> {
  mkdirSync(dirname(folder), { recursive: true })
  const claim = `${folder}.claim`
  while (!isClaimed(claim)) await pause(1_000)
  return () => rmSync(claim, { force: true })
}

function isClaimed(claim: string): boolean {
  try {
    writeFileSync(claim, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    // Of a run that was killed.
    if (!isRunning(Number(readFileSync(claim, { encoding: 'utf8', flag: 'a+' })))) rmSync(claim, { force: true })
    return false
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

export async function installFramework(folder: string, name: string, packages: string[]): Promise<void> {
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await execa('npm', ['install', '--no-audit', '--no-fund', '--no-save', ...packages], {
    cwd: folder,
    timeout: 300_000,
  })
}

/** Removes a site and what was built of it, but for what Next.js keeps of its own modules: to build them takes 8 s of processor. */
export function removeSite(folder: string): void {
  const next = join(folder, '.next')
  const built = existsSync(next) ? readdirSync(next).filter((name) => name !== 'cache') : []
  for (const name of ['app', 'src', 'dist', '.astro', ...built.map((name) => join('.next', name))])
    rmSync(join(folder, name), { recursive: true, force: true })
}

/** Writes the files that a recipe names, each in the code block that follows its name, with the texts replaced. */
export function writeRecipe(folder: string, recipe: string, replaced: [string, string][]): void {
  removeSite(folder)
  let text = readFileSync(join(RECIPES, recipe), 'utf8')
  for (const [from, to] of replaced) text = text.replaceAll(from, to)
  const files = [...text.matchAll(/^`((?:app|src)\/[^`]+)`:\n\n```\w+\n(.*?)^```$/gms)]
  if (files.length < 2) throw new Error(`${recipe} names no files`)
  for (const [, path = '', content = ''] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

export interface Site {
  origin: string
  stop(): Promise<void>
}

/** Runs a framework's server until it answers at `path`. */
export async function serveSite(folder: string, args: (port: string) => string[], path: string): Promise<Site> {
  const port = String(await freePort())
  const env = {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    ASTRO_TELEMETRY_DISABLED: '1',
    NODE_ENV: undefined,
    CI: '1',
  }
  const child: ChildProcess = spawn(process.execPath, args(port), {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      said += chunk
    })
  const origin = `http://127.0.0.1:${port}`
  const stop = async () => {
    if (child.exitCode !== null || child.pid === undefined) return
    const ended = once(child, 'exit')
    // With the processes that it started.
    process.kill(-child.pid, 'SIGKILL')
    await ended
  }
  const until = Date.now() + 180_000
  while (!(await answers(origin + path))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop()
      throw new Error(`the site does not answer:\n${said}`)
    }
    await pause(250)
  }
  return { origin, stop }
}

function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(60_000) }).then(
    (response) => response.ok,
    () => false,
  )
}
