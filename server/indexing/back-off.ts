import type { WaitReason } from '../../src/contract/health.ts'
import { isDatabaseUnavailable, isDiskFull } from '../db/unavailable.ts'
import type { Log, Pool } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { dayUsage } from '../sql/usage/embedding-usage.ts'

/** Transient failures, with the longest delay before the next attempt. */
const MAX_DELAY_MS = { embedding_unavailable: 30_000, database_unavailable: 2_000, internal: 30_000 }

const FIRST_DELAY_MS = 500
const MAX_ASKED_DELAY_MS = 3_600_000
/** A failure counts as long after this many delays in a row. */
const DELAYS_UNTIL_LONG = 3
const NUDGED_DELAY_MS = 1_000
/** A provider that limits its requests may have room for a search's few words and for nothing more. */
const PROVEN_DELAY_MS = 60_000
const OTHER_MODEL_RECHECK_MS = 5_000
const DISK_RECHECK_MS = 5_000
const ALLOWANCE_RECHECK_MS = 60_000

export interface BackOffDeps {
  sql: Pool
  log: Log
  dailyAllowance?: number | undefined
  hasFreeSpace?: (() => Promise<boolean>) | undefined
}

export interface Waiting {
  reason: WaitReason
  message: string
  since: Date
  until: Date
}

/** Why and until when this process claims nothing: a failure, or a precondition that does not hold. */
export class BackOff {
  readonly #deps: BackOffDeps
  #waiting: (Waiting & { began: number; ends: number; asked: boolean }) | undefined
  #inARow = 0

  constructor(deps: BackOffDeps) {
    this.#deps = deps
  }

  /** Milliseconds until the next attempt; 0 without a delay, or when it is over but the attempt has not succeeded yet. */
  get remaining(): number {
    return Math.max(0, (this.#waiting?.ends ?? 0) - performance.now())
  }

  /** Remains set after the delay, until something proves that its reason is gone. */
  get waiting(): Waiting | undefined {
    if (!this.#waiting) return undefined
    const { reason, message, since, until } = this.#waiting
    return { reason, message, since, until }
  }

  /** Whether callers should give up waiting. */
  get isLong(): boolean {
    if (!this.#waiting) return false
    return !(this.#waiting.reason in MAX_DELAY_MS) || this.#inARow >= DELAYS_UNTIL_LONG
  }

  /** Backs off exponentially, or for as long as the other side asked. */
  delay(reason: keyof typeof MAX_DELAY_MS, message: string, askedSeconds = 0, cause?: unknown): void {
    const doubled = Math.min(MAX_DELAY_MS[reason], FIRST_DELAY_MS * 2 ** this.#inARow) * (0.75 + Math.random() / 2)
    const asked = Math.min(MAX_ASKED_DELAY_MS, askedSeconds * 1000)
    this.#inARow++
    this.#wait(reason, message, Math.max(asked, doubled), { cause, asked: asked > 0 })
  }

  #wait(reason: WaitReason, message: string, ms: number, { cause = undefined as unknown, asked = false } = {}): void {
    const before = this.#waiting
    if (before?.reason !== reason) {
      const error = cause === undefined ? {} : { error: describeError(cause) }
      this.#deps.log.warn({ reason, ...error }, `the pipeline waits: ${message}`)
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

  /** Checks the preconditions of a claim: free disk space, and a daily allowance that is not spent. */
  async mayClaim(): Promise<boolean> {
    const { sql, dailyAllowance, hasFreeSpace } = this.#deps
    if (hasFreeSpace && !(await hasFreeSpace())) {
      this.#diskFull()
      return false
    }
    if (dailyAllowance === undefined || this.#waiting?.reason !== 'daily_allowance') return true
    if ((await dayUsage(sql)).texts < dailyAllowance) return true
    await this.allowanceSpent()
    return false
  }

  /** Waits for the renewal, but checks every minute, since texts may be refunded. */
  async allowanceSpent(): Promise<void> {
    const { secondsToRenewal } = await dayUsage(this.#deps.sql)
    const renewal = secondsToRenewal * 1000 + 1000 + Math.random() * 4000
    const message = 'the daily allowance of embedded texts is spent; it renews at 00:00 UTC'
    this.#wait('daily_allowance', message, Math.min(renewal, ALLOWANCE_RECHECK_MS))
  }

  #diskFull(from: { cause?: unknown } = {}): void {
    this.#wait('disk_full', 'the disk is full: nothing is indexed until there is room', DISK_RECHECK_MS, from)
  }

  otherModel(): void {
    this.#wait('other_model', 'another embedding model is the active one now', OTHER_MODEL_RECHECK_MS)
  }

  /** Handles an error of a claim or of its batch. */
  failed(error: unknown): void {
    if (isDiskFull(error)) this.#diskFull({ cause: error })
    else if (isDatabaseUnavailable(error)) this.delay('database_unavailable', 'the database does not answer', 0, error)
    else this.delay('internal', 'an unexpected error, see the log', 0, error)
  }

  /** New work is a reason to try an unavailable provider sooner, unless it said when to come back. */
  nudge(): void {
    const waiting = this.#waiting
    if (waiting?.reason !== 'embedding_unavailable' || waiting.asked) return
    waiting.ends = Math.min(waiting.ends, waiting.began + NUDGED_DELAY_MS)
  }

  /**
   * The provider embeds for searches: a reason to try it once a minute, even if it said to come back later.
   * @returns whether that is sooner
   */
  providerAnswers(): boolean {
    const waiting = this.#waiting
    const ends = (waiting?.began ?? 0) + PROVEN_DELAY_MS
    if (waiting?.reason !== 'embedding_unavailable' || waiting.ends <= ends) return false
    waiting.until = new Date(waiting.until.getTime() - (waiting.ends - ends))
    waiting.ends = ends
    return true
  }

  reset(): void {
    if (this.#waiting) this.#deps.log.info({ reason: this.#waiting.reason }, 'the pipeline works again')
    this.#waiting = undefined
    this.#inARow = 0
  }
}
