import type { Progress } from './progress.ts'

/** What code below the commands may say to people, on stderr; every command is one. */
export interface Reporter {
  /** A line, wrapped; nothing with `--json`. */
  info(line: string): void
  /** A line as it is, also with `--json`. */
  writeStderr(line: string): void
  /** A spinner on a terminal; whoever starts it stops it. */
  progress(text: string): Progress
}
