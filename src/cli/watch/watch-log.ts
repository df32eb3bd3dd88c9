import { toCliError } from '../errors/cli-error.ts'
import type { ImportReport } from '../import/upload.ts'
import { oneLine } from '../output/text.ts'
import { isAllSkipped, type WatchOutcome } from './done-folders.ts'
import { reasonToWait } from './not-ready.ts'

/** `left`: neither imported nor moved; `later`: failed for a reason other than the file, and will be retried. */
export type WatchEvent = { file: string } & (
  | { outcome: 'imported'; report: ImportReport }
  // With the report when all rows of the file were skipped.
  | { outcome: 'failed' | 'left' | 'later'; message: string; report?: ImportReport }
)

export interface WatchLogDeps {
  log(line: string): void
  /** Receives the outcome of each file, for programs. */
  onEvent?(event: WatchEvent): void
}

/** Tells what happens to each file, once for as long as it stays the same: lines for people, events for programs. */
export class WatchLog {
  readonly #deps: WatchLogDeps
  readonly #logged = new Set<string>()

  constructor(deps: WatchLogDeps) {
    this.#deps = deps
  }

  line(line: string): void {
    // File names are untrusted.
    this.#deps.log(oneLine(line))
  }

  once(line: string): void {
    if (this.#logged.has(line)) return
    this.#logged.add(line)
    this.line(line)
  }

  /** What is waited for in case it is still being copied. */
  cut(file: string, seconds: number): void {
    this.once(
      `${file} ends without a line break, as copies under way do: it is imported when it has not changed for ${seconds} s.`,
    )
  }

  /** What could not be looked at or queued. */
  error(file: string, error: unknown): void {
    this.once(`${file}: ${toCliError(error).message}.`)
  }

  failed(file: string, error: unknown): void {
    this.error(file, error)
    this.#deps.onEvent?.({ file, outcome: 'failed', message: toCliError(error).message })
  }

  left(file: string, why: string): void {
    if (this.#logged.has(why)) return
    this.once(why)
    this.#deps.onEvent?.({ file, outcome: 'left', message: why })
  }

  later(file: string, error: unknown): void {
    const message = reasonToWait(error)
    this.once(`${file} is tried again later: ${message}.`)
    this.#deps.onEvent?.({ file, outcome: 'later', message })
  }

  /** The event of a file that was imported or finally rejected. @param message what its line said */
  done(file: string, message: string, outcome: WatchOutcome): void {
    if (!outcome.ok) {
      this.#deps.onEvent?.({ file, outcome: 'failed', message: toCliError(outcome.error).message })
    } else if (isAllSkipped(outcome.report)) {
      this.#deps.onEvent?.({ file, outcome: 'failed', message, report: outcome.report })
    } else this.#deps.onEvent?.({ file, outcome: 'imported', report: outcome.report })
  }

  /** A later file of the same name may need the same messages again. */
  forget(file: string): void {
    for (const line of this.#logged) if (line.startsWith(`${file} `)) this.#logged.delete(line)
  }
}
