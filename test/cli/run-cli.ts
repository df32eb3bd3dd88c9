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

/** Runs the command line from its source in a process of its own, without a terminal. */
export function runCli(home: string, args: string[], options: CliOptions = {}): Promise<CliResult> {
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
    NODE_NO_WARNINGS: '1',
    ...options.env,
  }
  const child = spawn(process.execPath, [join(root, 'bin', 'dev.js'), ...args], { cwd: root, env })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin.end(options.stdin ?? '')
  options.onStart?.(child)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
