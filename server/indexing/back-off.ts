import type { WaitReason } from '../../src/contract/health.ts'
import type { Log } from '../deps.ts'
import { describeError } from '../describe-error.ts'

/** Failures that go away by themselves, and the longest pause between two looks whether they have. */
const MAX_DELAY_MS = { embedding_unavailable: 30_000, database_unavailable: 2_000, internal: 30_000 }
export type TransientFailure = keyof typeof MAX_DELAY_MS

const FIRST_DELAY_MS = 500
const MAX_ASKED_DELAY_MS = 3_600_000
/** After so many pauses in a row it is no hiccup. */
const DELAYS_UNTIL_LONG = 3
const NUDGED_DELAY_MS = 1_000

export interface Waiting {
  reason: WaitReason
  message: string
  since: Date
  until: Date
}

/** Why and until when the pipeline of this process claims nothing. */
export class BackOff {
  readonly #log: Log
  #waiting: (Waiting & { began: number; ends: number; asked: boolean }) | undefined
  #inARow = 0

  constructor(log: Log) {
    this.#log = log
  }

  /** Milliseconds until the next look; 0 when there is no pause or it is over and unproven. */
  get remaining(): number {
    return Math.max(0, (this.#waiting?.ends ?? 0) - performance.now())
  }

  /** Stays after the pause has run out, until something proves that its reason is gone. */
  get waiting(): Waiting | undefined {
    if (!this.#waiting) return undefined
    const { reason, message, since, until } = this.#waiting
    return { reason, message, since, until }
  }

  /** Whether nobody should stand by for its end. */
  get isLong(): boolean {
    const reason = this.#waiting?.reason
    if (reason === undefined) return false
    return (
      reason === 'daily_allowance' ||
      reason === 'other_model' ||
      reason === 'disk_full' ||
      this.#inARow >= DELAYS_UNTIL_LONG
    )
  }

  /** Waits a while, longer each time in a row, or as long as the other side asked for. */
  delay(reason: TransientFailure, message: string, askedSeconds = 0, cause?: unknown): void {
    const doubled = Math.min(MAX_DELAY_MS[reason], FIRST_DELAY_MS * 2 ** this.#inARow) * (0.75 + Math.random() / 2)
    const asked = Math.min(MAX_ASKED_DELAY_MS, askedSeconds * 1000)
    this.#inARow++
    this.wait(reason, message, Math.max(asked, doubled), { cause, asked: asked > 0 })
  }

  wait(reason: WaitReason, message: string, ms: number, { cause = undefined as unknown, asked = false } = {}): void {
    const before = this.#waiting
    if (before?.reason !== reason) {
      const error = cause === undefined ? {} : { error: describeError(cause) }
      this.#log.warn({ reason, ...error }, `the pipeline waits: ${message}`)
    }
    const began = performance.now()
    this.#waiting = {
      reason,
      message,
      since: before?.reason === reason ? before.since : new Date(),
      until: new Date(Date.now() + ms),
      began,
      ends: began + ms,
      asked,
    }
  }

  /** New work is a reason to look at a silent provider sooner, though not at one that named a time. */
  nudge(): void {
    const waiting = this.#waiting
    if (waiting?.reason !== 'embedding_unavailable' || waiting.asked) return
    waiting.ends = Math.min(waiting.ends, waiting.began + NUDGED_DELAY_MS)
  }

  over(): void {
    if (this.#waiting) this.#log.info({ reason: this.#waiting.reason }, 'the pipeline works again')
    this.#waiting = undefined
    this.#inARow = 0
  }
}
