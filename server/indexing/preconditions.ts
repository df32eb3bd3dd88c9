import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { Pool } from '../deps.ts'
import { isAllowanceLeft, renewalWait } from './allowance-renewal.ts'
import type { Pause } from './back-off.ts'

const OTHER_MODEL_RECHECK_MS = 5_000
const DISK_RECHECK_MS = 5_000

export interface ObstaclesDeps {
  sql: Pool
  dailyAllowance?: number | undefined
  hasRoom?: (() => Promise<boolean>) | undefined
}

/** What keeps a worker from claiming: each is looked for, and makes its pause. */
export class Obstacles {
  readonly #deps: ObstaclesDeps
  readonly #pause: Pause

  constructor(deps: ObstaclesDeps, pause: Pause) {
    this.#deps = deps
    this.#pause = pause
  }

  /** Looks before a claim: a full disk, or a day's allowance that was spent and is not there again. */
  async any(): Promise<boolean> {
    const { sql, dailyAllowance, hasRoom } = this.#deps
    if (hasRoom && !(await hasRoom())) {
      this.#pause.wait('disk_full', 'the disk is full: nothing is indexed until there is room', DISK_RECHECK_MS)
      return true
    }
    if (dailyAllowance === undefined || this.#pause.waiting?.reason !== 'daily_allowance') return false
    if (await isAllowanceLeft(sql, dailyAllowance)) return false
    await this.allowanceSpent()
    return true
  }

  async allowanceSpent(): Promise<void> {
    const { message, milliseconds } = await renewalWait(this.#deps.sql)
    this.#pause.wait('daily_allowance', message, milliseconds)
  }

  otherModel(): void {
    this.#pause.wait('other_model', 'another embedding model is the active one now', OTHER_MODEL_RECHECK_MS)
  }

  /** A claim or what followed it threw. */
  failed(error: unknown): void {
    if (isDatabaseUnavailable(error)) {
      this.#pause.backOff('database_unavailable', 'the database does not answer', 0, error)
    } else this.#pause.backOff('internal', 'an unexpected error, see the log', 0, error)
  }
}
