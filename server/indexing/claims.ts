import { randomUUID } from 'node:crypto'
import { projectsByServer } from '../db/cluster.ts'
import { onAllServers, onServer, onServerOf } from '../db/cluster-watch.ts'
import { unlessServerLost } from '../db/unavailable.ts'
import type { Log, Pool } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import { activeModelId } from '../sql/installation/installation.ts'
import { type Claim, claimReviews } from '../sql/queue/claim.ts'
import { dueProjects, rescheduleFutureJobs } from '../sql/queue/due.ts'
import type { ClaimKey } from '../sql/queue/job.ts'
import { endLeases, releaseReviews } from '../sql/queue/lease.ts'
import { queueLeftBehind } from '../sql/queue/left-behind.ts'
import { DueProjectFinder } from './due-project-finder.ts'
import { ProjectRotation } from './project-rotation.ts'

/**
 * Interval of the checks for a database clock that was set back, and for reviews that a server with another model left
 * behind.
 */
const LOOK_MS = 60_000
/** The longest lease of any server. */
const LONGEST_LEASE_SECONDS = 60

/** What was claimed; without a key when no project has anything due. */
export type ProjectClaim = Claim & { key?: ClaimKey }

/** Claims reviews from the queue, each claim from a single project. */
export class Claims {
  readonly #deps: { sql: Pool; log: Log; modelId: number; leaseSeconds: number }
  readonly #finder: DueProjectFinder
  readonly #due: ProjectRotation
  /** Claims that could not be released while the database was unavailable; if they expired, that would look like a crash. */
  readonly #unreleased = new Map<string, ClaimKey>()
  #clockLookedAt = Number.NEGATIVE_INFINITY
  #lookedBehindAt = Number.NEGATIVE_INFINITY

  constructor(deps: { sql: Pool; log: Log; modelId: number; leaseSeconds: number }) {
    this.#deps = deps
    const { sql } = deps
    const source = {
      all: () => onAllServers(sql, () => dueProjects(sql)),
      servers: () => projectsByServer(sql),
      one: (server: number, ids: string[]) => onServer(sql, server, () => dueProjects(sql, ids)),
    }
    this.#finder = new DueProjectFinder(source, deps.log)
    this.#due = new ProjectRotation(this.#finder)
  }

  /** For a database that no other process uses: the holders of earlier leases are gone. */
  async releaseLastRun(): Promise<void> {
    const { sql, log } = this.#deps
    try {
      const freed = await endLeases(sql)
      if (freed > 0) log.info({ reviews: freed }, 'taking up what the last run left unfinished')
    } catch (error) {
      // They expire by themselves, only later.
      log.warn({ error: describeError(error) }, 'could not free the leases of the last run')
    }
  }

  /**
   * Claims from the project whose turn it is. An empty claim means that no project had a due job to give after this call
   * began.
   */
  async take(options: { limit: number; newestFirst: boolean }): Promise<ProjectClaim> {
    const { sql, log, modelId, leaseSeconds } = this.#deps
    for (const [token, claim] of this.#unreleased) {
      const release = () => releaseReviews(sql, claim).then(() => true)
      const released = await unlessServerLost(onServerOf(sql, claim.projectId, release))
      if (released) this.#unreleased.delete(token)
    }
    if (performance.now() - this.#clockLookedAt > LOOK_MS) {
      this.#clockLookedAt = performance.now()
      // If a server of a cluster is lost, the next check catches up.
      const reviews =
        (await unlessServerLost(rescheduleFutureJobs(sql, Math.max(leaseSeconds, LONGEST_LEASE_SECONDS)))) ?? 0
      if (reviews > 0)
        log.warn({ reviews }, "the database's clock was set back: reviews that would wait for it are due")
    }
    const turns = this.#due.turns()
    for (let projectId = await turns.next(); projectId !== undefined; projectId = await turns.next()) {
      const key = { token: randomUUID(), projectId }
      const claiming = () => claimReviews(sql, { ...options, ...key, leaseSeconds, modelId })
      const claim = await unlessServerLost(onServerOf(sql, projectId, claiming))
      if (claim === undefined) {
        this.#finder.serverLost()
        this.#due.exhausted(projectId)
        continue
      }
      if (claim.setAside.length > 0) {
        const fields = { reviews: claim.setAside.slice(0, 10), count: claim.setAside.length }
        log.warn(fields, 'set reviews aside: each time one was indexed alone, its server died or was blocked')
      }
      if (claim.reviews.length > 0 || claim.setAside.length > 0 || !claim.modelActive) return { ...claim, key }
      this.#due.exhausted(projectId)
    }
    await this.#lookBehind()
    return { modelActive: (await activeModelId(sql)) === modelId, reviews: [], setAside: [] }
  }

  async #lookBehind(): Promise<void> {
    if (performance.now() - this.#lookedBehindAt <= LOOK_MS) return
    this.#lookedBehindAt = performance.now()
    const { sql, log, modelId } = this.#deps
    const reviews = (await unlessServerLost(queueLeftBehind(sql, modelId))) ?? 0
    if (reviews > 0)
      log.warn({ reviews }, 'a server with another embedding model had indexed reviews: they are indexed again')
  }

  /** The database was unavailable when the rest of a claim should have been released; retried before the next claim. */
  couldNotRelease(claim: ClaimKey): void {
    this.#unreleased.set(claim.token, claim)
  }
}
