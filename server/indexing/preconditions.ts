import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { Pool } from '../deps.ts'
import { dayUsage } from '../sql/usage/embedding-usage.ts'
import type { BackOff } from './back-off.ts'

const OTHER_MODEL_RECHECK_MS = 5_000
const DISK_RECHECK_MS = 5_000
const ALLOWANCE_RECHECK_MS = 60_000

export interface PreconditionsDeps {
  sql: Pool
  dailyAllowance?: number | undefined
  hasFreeSpace?: (() => Promise<boolean>) | undefined
}

/** What must hold before a worker claims; what does not makes it back off. */
export class Preconditions {
  readonly #deps: PreconditionsDeps
  readonly #backOff: BackOff

  constructor(deps: PreconditionsDeps, backOff: BackOff) {
    this.#deps = deps
    this.#backOff = backOff
  }

  /** Looks before a claim: not at a full disk, nor while a day's allowance that was spent is not there again. */
  async areMet(): Promise<boolean> {
    const { sql, dailyAllowance, hasFreeSpace } = this.#deps
    if (hasFreeSpace && !(await hasFreeSpace())) {
      this.#backOff.wait('disk_full', 'the disk is full: nothing is indexed until there is room', DISK_RECHECK_MS)
      return false
    }
    if (dailyAllowance === undefined || this.#backOff.waiting?.reason !== 'daily_allowance') return true
    if ((await dayUsage(sql)).texts < dailyAllowance) return true
    await this.allowanceSpent()
    return false
  }

  /** Waits for the renewal, and looks each minute as well, since texts may be given back. */
  async allowanceSpent(): Promise<void> {
    const { secondsToRenewal } = await dayUsage(this.#deps.sql)
    const renewal = secondsToRenewal * 1000 + 1000 + Math.random() * 4000
    const message = 'the daily allowance of embedded texts is spent; it renews at 00:00 UTC'
    this.#backOff.wait('daily_allowance', message, Math.min(renewal, ALLOWANCE_RECHECK_MS))
  }

  otherModel(): void {
    this.#backOff.wait('other_model', 'another embedding model is the active one now', OTHER_MODEL_RECHECK_MS)
  }

  /** A claim or what followed it threw. */
  failed(error: unknown): void {
    if (isDatabaseUnavailable(error)) {
      this.#backOff.delay('database_unavailable', 'the database does not answer', 0, error)
    } else this.#backOff.delay('internal', 'an unexpected error, see the log', 0, error)
  }
}
