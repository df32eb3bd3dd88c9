import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { CLI, environmentOf } from './run-cli.ts'

/** Input to type once the output since the previous step matches `seen`. */
export interface Step {
  seen: RegExp
  type: string
}

export const KEYS = { enter: '\r', ctrlC: '\u0003', ctrlD: '\u0004' } as const

/** Why commands cannot be run in a terminal here; undefined if they can. */
export const noTerminal = hasScript() || process.env.CI ? undefined : 'needs the script command of util-linux'

function hasScript(): boolean {
  const { stdout } = spawnSync('script', ['--version'], { encoding: 'utf8' })
  return stdout?.includes('util-linux') === true
}

/**
 * Runs a command in a terminal (default: 100 columns) and types the steps' input.
 *
 * @returns all output, without escape sequences
 * @throws when a step's text has not appeared within `limitMs`, with the output so far
 */
export async function runInTerminal(
  home: string,
  args: string[],
  steps: readonly Step[],
  {
    env = {},
    limitMs = 60_000,
    columns = 100,
  }: { env?: Record<string, string>; limitMs?: number; columns?: number } = {},
): Promise<{ code: number | null; shown: string }> {
  const quoted = [process.execPath, CLI, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; exec ${quoted}`, '/dev/null'], {
    env: { ...environmentOf(home), TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
  })
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve))
  let shown = ''
  let from = 0
  let next = 0
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error(`step ${next + 1} of ${steps.length} was not reached; shown: ${plain(shown)}`))
    timer = setTimeout(fail, limitMs)
    child.stdout.on('data', (chunk) => {
      shown += chunk
      const step = steps[next]
      if (!step?.seen.test(plain(shown.slice(from)))) return
      next++
      from = shown.length
      timer?.refresh()
      child.stdin.write(step.type)
    })
  })
  try {
    const code = await Promise.race([closed, late])
    if (next < steps.length) throw new Error(`ended before step ${next + 1}; shown: ${plain(shown)}`)
    return { code, shown: plain(shown) }
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

function plain(text: string): string {
  return stripVTControlCharacters(text).replace(/\r\n/g, '\n')
}
