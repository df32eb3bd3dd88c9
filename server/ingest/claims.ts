import { randomUUID } from 'node:crypto'
import type { Log, Pool } from '../deps.ts'
import { type Claim, claimReviews, freeLeases, releaseClaim } from '../store/index-jobs.ts'

/** Takes reviews from the queue, one claim after another. */
export class Claims {
  readonly #deps: { sql: Pool; log: Log; modelId: number; leaseSeconds: number }
  /** Claims that could not be given back when the database was away: to let them run out would look like a crash. */
  readonly #unreleased = new Set<string>()

  constructor(deps: { sql: Pool; log: Log; modelId: number; leaseSeconds: number }) {
    this.#deps = deps
  }

  /** For a database that nobody else uses: whoever held a lease is dead. */
  async takeUpLastRun(): Promise<void> {
    const { sql, log } = this.#deps
    try {
      const freed = await freeLeases(sql)
      if (freed > 0) log.info({ reviews: freed }, 'taking up what the last run left unfinished')
    } catch (err) {
      // They end by themselves, only later.
      log.warn({ err }, 'could not free the leases of the last run')
    }
  }

  async take(options: { limit: number; newestFirst: boolean }): Promise<Claim & { token: string }> {
    const { sql, log, modelId, leaseSeconds } = this.#deps
    for (const token of this.#unreleased) {
      await releaseClaim(sql, token)
      this.#unreleased.delete(token)
    }
    const token = randomUUID()
    const claim = await claimReviews(sql, { ...options, token, leaseSeconds, modelId })
    if (claim.setAside.length > 0) {
      const fields = { reviews: claim.setAside.slice(0, 10), count: claim.setAside.length }
      log.warn(fields, 'set reviews aside: each time one was indexed alone, its server died or was blocked')
    }
    return { ...claim, token }
  }

  /** The database was away when what a claim still held should have been given back: it is done before the next claim. */
  couldNotRelease(token: string): void {
    this.#unreleased.add(token)
  }
}
