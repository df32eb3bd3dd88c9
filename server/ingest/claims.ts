import { randomUUID } from 'node:crypto'
import type { Log, Pool } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { bringForward, type Claim, claimReviews, freeLeases, releaseClaim } from '../store/index-jobs.ts'

/** How often it is looked whether the database's clock was set back. */
const CLOCK_LOOK_MS = 60_000
/** No server's leases are longer. */
const LONGEST_LEASE_SECONDS = 60

/** Takes reviews from the queue, one claim after another. */
export class Claims {
  readonly #deps: { sql: Pool; log: Log; modelId: number; leaseSeconds: number }
  /** Claims that could not be given back when the database was away: to let them run out would look like a crash. */
  readonly #unreleased = new Set<string>()
  #clockLookedAt = Number.NEGATIVE_INFINITY

  constructor(deps: { sql: Pool; log: Log; modelId: number; leaseSeconds: number }) {
    this.#deps = deps
  }

  /** For a database that nobody else uses: whoever held a lease is dead. */
  async takeUpLastRun(): Promise<void> {
    const { sql, log } = this.#deps
    try {
      const freed = await freeLeases(sql)
      if (freed > 0) log.info({ reviews: freed }, 'taking up what the last run left unfinished')
    } catch (error) {
      // They end by themselves, only later.
      log.warn({ error: describeError(error) }, 'could not free the leases of the last run')
    }
  }

  async take(options: { limit: number; newestFirst: boolean }): Promise<Claim & { token: string }> {
    const { sql, log, modelId, leaseSeconds } = this.#deps
    for (const token of this.#unreleased) {
      await releaseClaim(sql, token)
      this.#unreleased.delete(token)
    }
    if (performance.now() - this.#clockLookedAt > CLOCK_LOOK_MS) {
      const reviews = await bringForward(sql, Math.max(leaseSeconds, LONGEST_LEASE_SECONDS))
      this.#clockLookedAt = performance.now()
      if (reviews > 0)
        log.warn({ reviews }, "the database's clock was set back: reviews that would wait for it are due")
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
