import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../../src/contract/code-of.ts'
import { copyTemplateInto } from '../database.ts'
import { type Canned, type Seen, startFakeServer } from './fake-server.ts'
import { canRunHere, runHere } from './in-process.ts'

const root = join(import.meta.dirname, '..', '..')

export interface CliResult {
  code: number | null
  stdout: string
  stderr: string
}

export interface CliOptions {
  env?: Record<string, string>
  stdin?: string
  /** Called with the process once it runs, to send it a signal for instance. */
  onStart?: (child: ChildProcessWithoutNullStreams) => void
}

/** What a command reads of its environment while it runs; all else decides how its process begins. */
const READ_BY_COMMANDS = /^(?:PULLQUOTE_|XDG_|HOME$|DATABASE_URL$)/
/** Of the form that commands take; no server knows it. */
export const SECRET_KEY = `svc_sk_live_${'0'.repeat(32)}`
/** The first words of commands that had a process of their own, when this one runs alone. */
const tried = new Set<string>()

/** A folder for the command's configuration and data, so that no profile or server of this machine is found. */
export function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'pullquote-cli-'))
}

/** One in which a command finds a database: to make one takes 8 s of processor, to copy it a moment. */
export async function newHomeWithDatabase(): Promise<string> {
  const home = newHome()
  await copyTemplateInto(dataFolderOf(home))
  return home
}

/** The default of PULLQUOTE_HOME in `home`. */
export function dataFolderOf(home: string): string {
  return join(home, 'data', 'pullquote')
}

/** The environment of a command: nothing of this shell but the path and where temporary files go. */
export function environmentOf(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    NODE_NO_WARNINGS: '1',
  }
}

/** As test/run.ts installed it; from its source when a test file is run by itself. */
export const CLI = process.env.PULLQUOTE_TEST_CLI ?? join(root, 'bin', 'dev.js')

/**
 * Runs the command line without a terminal: in this process where nothing speaks against it, otherwise, and for the first
 * command of each topic, in a process of its own.
 */
export function runCli(home: string, args: string[], options: CliOptions = {}): Promise<CliResult> {
  const env = { ...environmentOf(home), ...options.env }
  const installed = process.env.PULLQUOTE_TEST_CLI
  const mayRunHere =
    !isFirst(args[0] ?? '') &&
    !options.onStart &&
    Object.keys(options.env ?? {}).every((name) => READ_BY_COMMANDS.test(name))
  if (installed && mayRunHere && canRunHere()) return runHere(installed, args, env, options.stdin ?? '')
  return spawnCli(args, env, options)
}

interface AgainstOptions {
  answer?: (request: Seen) => Canned | Promise<Canned>
  home?: string
  env?: Record<string, string>
  stdin?: string
}

/** Runs a command against a server that answers as told. @returns also what that server was asked */
export async function runAgainst(args: string[], options: AgainstOptions = {}): Promise<CliResult & { seen: Seen[] }> {
  const {
    answer = () => ({ status: 500 }),
    home = newHome(),
    env = { PULLQUOTE_KEY: SECRET_KEY },
    stdin = '',
  } = options
  const server = await startFakeServer(answer)
  try {
    return { ...(await runCli(home, [...args, '--url', server.url], { env, stdin })), seen: server.seen }
  } finally {
    await server.close()
  }
}

/** Whether no process of this run of tests has asked for the topic before. */
function isFirst(topic: string): boolean {
  const folder = process.env.PULLQUOTE_TEST_TMP
  if (folder === undefined) return tried.size < tried.add(topic).size
  try {
    mkdirSync(join(folder, `tried-${encodeURIComponent(topic)}`))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function spawnCli(args: string[], env: NodeJS.ProcessEnv, { stdin = '', onStart }: CliOptions): Promise<CliResult> {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: root, env })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  // A command that refuses what comes does not read it to its end.
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  onStart?.(child)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
