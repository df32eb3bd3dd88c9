import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

/** A folder for the command's configuration and data, so that no profile or server of this machine is found. */
export function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'pullquote-cli-'))
}

/** The environment of a command: nothing of this shell but the path. */
export function environmentOf(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    NODE_NO_WARNINGS: '1',
  }
}

/** As test/run.ts installed it; from its source when a test file is run by itself. */
export const CLI = process.env.PULLQUOTE_TEST_CLI ?? join(root, 'bin', 'dev.js')

/** Runs the command line in a process of its own, without a terminal. */
export function runCli(home: string, args: string[], options: CliOptions = {}): Promise<CliResult> {
  const env = { ...environmentOf(home), ...options.env }
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
  child.stdin.end(options.stdin ?? '')
  options.onStart?.(child)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
