import { unlessServerLost } from '../db/unavailable.ts'
import type { Log, Pool } from '../deps.ts'
import { queueCounts } from '../sql/queue/counts.ts'

const EVERY_MS = 5_000

/** Logs the progress of indexing now and then while many reviews wait, and when it is done. */
export class ProgressLog {
  readonly #deps: { sql: Pool; log: Log }
  readonly #worthMentioning: number
  #loggedAt = 0
  #announced = false

  constructor(deps: { sql: Pool; log: Log }, worthMentioning: number) {
    this.#deps = deps
    this.#worthMentioning = worthMentioning
  }

  async progress(indexed: number): Promise<void> {
    const now = performance.now()
    if (now - this.#loggedAt < EVERY_MS) return
    this.#loggedAt = now
    // The queue of a lost cluster server is unknown; the others' reviews are indexed all the same.
    const { queued } = (await unlessServerLost(queueCounts(this.#deps.sql))) ?? { queued: 0 }
    if (queued < this.#worthMentioning) return
    this.#announced = true
    this.#deps.log.info({ indexed, queued }, 'indexing reviews')
  }

  done(indexed: number): void {
    if (this.#announced) this.#deps.log.info({ indexed }, 'every due review is indexed')
    this.#announced = false
  }
}
