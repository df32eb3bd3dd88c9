/**
 * How long `pullquote --help`, and a query against a server on this machine, take beside `node -e 0` and a command line of
 * one empty command on the same oclif: `npm run bench:start-up`. All run from built JavaScript with a manifest, as
 * installed, in turns.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

const root = join(import.meta.dirname, '..')
const ROUNDS = 21
const folder = mkdtempSync(join(tmpdir(), 'pullquote-start-up-'))
const oclif = join(createRequire(import.meta.url).resolve('oclif/package.json'), '..', 'bin', 'run.js')
// No profile, no server and no database of this machine.
const env = {
  PATH: process.env.PATH,
  PULLQUOTE_HOME: join(folder, 'home'),
  XDG_CONFIG_HOME: folder,
  XDG_CACHE_HOME: folder,
  PULLQUOTE_LOG_LEVEL: 'error',
}
const modules = join(root, 'node_modules')

/** The package as it is installed: built, with its manifest. */
function installed(): string {
  const home = join(folder, 'pullquote')
  mkdirSync(join(home, 'bin'), { recursive: true })
  cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true })
  for (const name of ['package.json', join('bin', 'run.js')]) cpSync(join(root, name), join(home, name))
  symlinkSync(modules, join(home, 'node_modules'), 'junction')
  execFileSync(process.execPath, [oclif, 'manifest'], { cwd: home, stdio: 'ignore' })
  return join(home, 'bin', 'run.js')
}

/** One command that does nothing. */
function empty(): string {
  const home = join(folder, 'empty')
  mkdirSync(join(home, 'bin'), { recursive: true })
  mkdirSync(join(home, 'commands'))
  const pjson = {
    name: 'empty',
    version: '0.0.0',
    type: 'module',
    files: ['commands'],
    oclif: { bin: 'empty', commands: './commands' },
  }
  writeFileSync(join(home, 'package.json'), JSON.stringify(pjson))
  writeFileSync(
    join(home, 'commands', 'nothing.js'),
    `import { Command } from '@oclif/core'\nexport default class Nothing extends Command { async run() { await this.parse(Nothing) } }\n`,
  )
  cpSync(join(root, 'bin', 'run.js'), join(home, 'bin', 'run.js'))
  symlinkSync(modules, join(home, 'node_modules'), 'junction')
  execFileSync(process.execPath, [oclif, 'manifest'], { cwd: home, stdio: 'ignore' })
  return join(home, 'bin', 'run.js')
}

function milliseconds(bin: string, ...args: string[]): number {
  const started = performance.now()
  execFileSync(process.execPath, [bin, ...args], { stdio: 'ignore', env })
  return performance.now() - started
}

/** A server of its own on a free port, which commands find by its home. */
function serving(bin: string): Promise<ReturnType<typeof spawn>> {
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve(child))
    child.once('exit', () => reject(new Error('the server ended')))
  })
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

let server: ReturnType<typeof spawn> | undefined
try {
  const subjects: { name: string; run: () => number; times: number[] }[] = []
  const nothing = empty()
  const pullquote = installed()
  const node = () => {
    const started = performance.now()
    execFileSync(process.execPath, ['-e', '0'], { stdio: 'ignore' })
    return performance.now() - started
  }
  subjects.push({ name: 'node -e 0', run: node, times: [] })
  subjects.push({ name: 'an empty oclif command', run: () => milliseconds(nothing, 'nothing'), times: [] })
  subjects.push({ name: 'pullquote --help', run: () => milliseconds(pullquote, '--help'), times: [] })
  subjects.push({ name: 'pullquote query --help', run: () => milliseconds(pullquote, 'query', '--help'), times: [] })
  execFileSync(process.execPath, [pullquote, 'projects', 'create', 'bench'], { stdio: 'ignore', env })
  const sample = join(root, 'templates', 'demo', 'reviews.json')
  execFileSync(process.execPath, [pullquote, 'reviews', 'push', sample, '--wait'], { stdio: 'ignore', env })
  server = await serving(pullquote)
  subjects.push({ name: 'pullquote query sauna', run: () => milliseconds(pullquote, 'query', 'sauna'), times: [] })
  for (let round = 0; round < ROUNDS; round++) for (const subject of subjects) subject.times.push(subject.run())
  const [baseline] = subjects
  const { version } = JSON.parse(readFileSync(join(modules, '@oclif', 'core', 'package.json'), 'utf8'))
  console.log(`@oclif/core ${version}, Node ${process.versions.node}, medians of ${ROUNDS}`)
  for (const { name, times } of subjects) {
    const ratio = median(times) / median(baseline?.times ?? [])
    console.log(`${name.padEnd(24)} ${median(times).toFixed(0).padStart(5)} ms  ${ratio.toFixed(2)} x`)
  }
} finally {
  if (server) {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}
