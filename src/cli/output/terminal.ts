import type { Ora } from 'ora'
import pc from 'picocolors'
import { oneLine, truncate } from './text.ts'

/** What a stream can display. Passed as an argument, so that tests can choose it. */
export interface Terminal {
  interactive: boolean
  /** Columns for wrapped text; a pipe has no edge. */
  columns: number
  style: Style
}

type Style = ReturnType<typeof pc.createColors>

/** `NO_COLOR` (any value) and a dumb terminal turn colour off, `FORCE_COLOR` on; otherwise it is on for terminals only. */
export function terminalOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Terminal {
  const interactive = stream.isTTY === true
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0'
  const colour = !env.NO_COLOR && env.TERM !== 'dumb' && ((interactive && !isDumb(env)) || forced)
  const columns = interactive ? Math.max(40, stream.columns || 80) : Number.POSITIVE_INFINITY
  return { interactive, columns, style: pc.createColors(colour) }
}

/** Whether a terminal knows no escape sequences, by terminfo's rules; Windows sets no TERM. */
function isDumb({ TERM = '' }: NodeJS.ProcessEnv): boolean {
  return TERM === 'dumb' || (TERM === '' && process.platform !== 'win32')
}

/** Shows the progress of a long job. */
export interface Progress {
  update(text: string): void
  /** Removes the spinner; the next output starts on a clean line. */
  stop(): void
}

/** The spinner, a space after it, and one free column. */
const SPINNER_COLUMNS = 3

type Screen = NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>

/** Starts a spinner with a line of text on a terminal; does nothing elsewhere or unless `wanted`. */
export function startProgress(options: { wanted: boolean; stream: Screen; style: Style; text: string }): Progress {
  const { stream, style } = options
  // A terminal without a size, as from `docker exec -t`, has 0 columns: for the spinner any text would wrap endlessly.
  if (!options.wanted || !stream.isTTY || !stream.columns) return { update() {}, stop() {} }
  // The terminal is not put into raw mode, so that Ctrl-C reaches the command. A line as wide as the window would wrap.
  const line = (text: string) => truncate(oneLine(text), Math.max(20, (stream.columns || 80) - SPINNER_COLUMNS))
  let text = line(options.text)
  let spinner: Ora | undefined
  let stopped = false
  // Loaded lazily: most commands finish before it would be shown.
  void import('ora').then(({ default: ora }) => {
    if (stopped) return
    const color = style.isColorSupported ? 'cyan' : false
    // Disabled, it writes its text as a line. By itself it takes a terminal without TERM for any other.
    const dumb = isDumb(process.env) ? { isEnabled: false } : {}
    spinner = ora({ text, stream, discardStdin: false, color, ...dumb }).start()
  })
  return {
    update(now) {
      text = line(now)
      if (spinner) spinner.text = text
    },
    stop() {
      stopped = true
      spinner?.stop()
    },
  }
}

/** Shows progress while `work` runs. */
export async function withProgress<T>(
  reporter: Pick<Reporter, 'progress'>,
  text: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = reporter.progress(text)
  try {
    return await work(progress)
  } finally {
    progress.stop()
  }
}

/** How code below the commands reports to the user on stderr; every command implements it. */
export interface Reporter {
  /** A line, wrapped; nothing with `--json`. */
  info(line: string): void
  /** An unwrapped line, with `--json` too. */
  writeStderr(line: string): void
  /** A spinner on a terminal; the caller stops it. */
  progress(text: string): Progress
}
