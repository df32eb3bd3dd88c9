import type { Ora } from 'ora'
import pc from 'picocolors'
import { truncate } from './text.ts'

/** What a stream can show. Commands get it as an argument, so that tests choose it. */
export interface Terminal {
  interactive: boolean
  /** Columns for wrapped text; a pipe has no edge. */
  columns: number
  style: Style
}

type Style = ReturnType<typeof pc.createColors>

/** `NO_COLOR` (any value) and `TERM=dumb` switch colour off, `FORCE_COLOR` on; else a terminal has it and a pipe not. */
export function terminalOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Terminal {
  const interactive = stream.isTTY === true
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0'
  const colour = !env.NO_COLOR && env.TERM !== 'dumb' && (interactive || forced)
  const columns = interactive ? Math.max(40, stream.columns || 80) : Number.POSITIVE_INFINITY
  return { interactive, columns, style: pc.createColors(colour) }
}

/** Says how far a long job is: a spinner on a terminal, nothing elsewhere or when unwanted. */
export interface Progress {
  update(text: string): void
  /** Takes the spinner away; what is printed next stands on a clean line. */
  stop(): void
}

/** The spinner's sign, the space after it, and one that stays free. */
const SPINNER_COLUMNS = 3

type Screen = NodeJS.WritableStream & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>>

/** A spinner with a line of text, where somebody can see it; elsewhere nothing. */
export function startProgress(options: { wanted: boolean; stream: Screen; style: Style; text: string }): Progress {
  const { stream, style } = options
  // A terminal without a size, as `docker exec -t` may give, has no columns: to a spinner each text would fill endless lines.
  if (!options.wanted || !stream.isTTY || !stream.columns) return { update() {}, stop() {} }
  // The terminal stays as it is (no raw mode), so that Ctrl-C reaches the command. A line that fills the window would break.
  const line = (text: string) => truncate(text, Math.max(20, (stream.columns || 80) - SPINNER_COLUMNS))
  let text = line(options.text)
  let spinner: Ora | undefined
  let stopped = false
  // Loaded when there is something to show: most commands are done before.
  void import('ora').then(({ default: ora }) => {
    if (!stopped)
      spinner = ora({ text, stream, discardStdin: false, color: style.isColorSupported ? 'cyan' : false }).start()
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

/** Shows a line of progress while work is under way. */
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

/** How code below the commands reports to people, on stderr; every command implements it. */
export interface Reporter {
  /** A line, wrapped; nothing with `--json`. */
  info(line: string): void
  /** A line as it is, also with `--json`. */
  writeStderr(line: string): void
  /** A spinner on a terminal; whoever starts it stops it. */
  progress(text: string): Progress
}
