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
  /** Called with the process once it runs, for example to send it a signal. */
  onStart?: (child: ChildProcessWithoutNullStreams) => void
}

/** Variables that commands read at run time; any other affects how a process starts. */
const READ_BY_COMMANDS = /^(?:PULLQUOTE_|XDG_|HOME$|DATABASE_URL$)/
/** Well-formed, but known to no server. */
export const SECRET_KEY = `svc_sk_live_${'0'.repeat(32)}`
/** Topics already run in a child process, when this file is run by itself. */
const tried = new Set<string>()

/** Creates a folder for configuration and data, so that commands find no profile or server of this machine. */
export function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'pullquote-cli-'))
}

/** The same with a copied database: creating one takes 8 s of CPU time. */
export async function newHomeWithDatabase(): Promise<string> {
  const home = newHome()
  await copyTemplateInto(dataFolderOf(home))
  return home
}

/** The default of PULLQUOTE_HOME in `home`. */
export function dataFolderOf(home: string): string {
  return join(home, 'data', 'pullquote')
}

/** The environment of a command: only the path and the temporary folder come from this shell. */
export function environmentOf(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    NODE_NO_WARNINGS: '1',
    // No command looks for a server of this machine at the usual port.
    PULLQUOTE_PORT: '0',
  }
}

/** The entry installed by test/run.ts, or the one for the sources when a test file is run by itself. */
export const CLI = process.env.PULLQUOTE_TEST_CLI ?? join(root, 'bin', 'dev.js')

/**
 * Runs a command without a terminal, in this process if possible; the first command of each topic always runs in a child
 * process.
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

/** Runs a command against a server with canned responses. @returns also the requests it received */
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

/** Whether this is the first call for the topic in the whole test run. */
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
  // A command that rejects its input does not read it to the end.
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  onStart?.(child)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
