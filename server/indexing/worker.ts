import { setTimeout as delay } from 'node:timers/promises'
import { onServerOf } from '../db/cluster-watch.ts'
import { inBackground } from '../db/turns.ts'
import type { ClaimedReview } from '../sql/queue/claim.ts'
import type { ClaimKey } from '../sql/queue/job.ts'
import { BackOff, type Waiting } from './back-off.ts'
import { BatchSize } from './batch-size.ts'
import { Claims } from './claims.ts'
import { IdleWaiters } from './idle-waiters.ts'
import { type BatchResult, IndexBatch, type IndexingDeps } from './index-batch.ts'
import { ProgressLog } from './progress-log.ts'
import { WakeableSleep } from './wakeable-sleep.ts'

export interface WorkerDeps extends IndexingDeps {
  /** Whether there is disk space for what indexing writes; default yes. */
  hasFreeSpace?: (() => Promise<boolean>) | undefined
  leaseSeconds?: number | undefined
  pollMilliseconds?: number | undefined
}

/** The state of a worker, for health checks. */
export interface WorkerState {
  status: 'idle' | 'indexing' | 'waiting' | 'stopped'
  /** Why nothing is claimed now, and when that is checked again. */
  waiting?: Waiting | undefined
  /** Reviews since this process started. */
  indexed: number
  /** Failed attempts since this process started. */
  failed: number
  lastIndexedAt?: Date | undefined
}

/** One embeds while the other saves. */
const CONCURRENCY = 2
const LEASE_SECONDS = 30
const POLL_MS = 1_000
const STOP_GRACE_SECONDS = 10
/** How long releasing the claims may take after that. */
const GIVE_BACK_MS = 2_000

/** The indexing pipeline of this process. Any number of processes may run one on the same database. */
export class Worker {
  readonly #deps: WorkerDeps
  readonly #leaseSeconds: number
  readonly #backOff: BackOff
  readonly #abort = new AbortController()
  readonly #sleeper = new WakeableSleep()
  readonly #size = new BatchSize()
  readonly #claimer: Claims
  readonly #progressLog: ProgressLog
  readonly #idleWaiters = new IdleWaiters()
  readonly #done: Promise<unknown>
  #stopping = false
  #stopped: Promise<void> | undefined
  #nudged = false
  #backlog = false
  #active = 0
  #batches = 0
  #claims = 0
  #indexed = 0
  #failed = 0
  #lastIndexedAt: Date | undefined

  constructor(given: WorkerDeps) {
    const deps = { ...given, sql: inBackground(given.sql) }
    this.#deps = deps
    this.#leaseSeconds = deps.leaseSeconds ?? LEASE_SECONDS
    this.#backOff = new BackOff(deps)
    this.#claimer = new Claims({ ...deps, leaseSeconds: this.#leaseSeconds })
    this.#progressLog = new ProgressLog(deps, BatchSize.most)
    // For the embedded database, releases the leases of the last run first.
    const ready = deps.exclusive ? this.#claimer.releaseLastRun() : Promise.resolve()
    this.#done = ready.then(() => Promise.all(Array.from({ length: CONCURRENCY }, (_, i) => this.#run(i === 0))))
  }

  /** Something was queued: look now instead of at the next poll. */
  nudge(): void {
    this.#nudged = true
    this.#backOff.nudge()
    this.#sleeper.wakeAll()
  }

  /** A text of a search was embedded just now. */
  providerAnswers(): void {
    if (this.#backOff.providerAnswers()) this.#sleeper.wakeAll()
  }

  /** Resolves when no review is due, or when the worker waits for something that may take long. */
  idle(): Promise<void> {
    if (this.#stopping || this.#backOff.isLong) return Promise.resolve()
    const idle = this.#idleWaiters.after(this.#claims)
    this.nudge()
    return idle
  }

  /** Finishes what is claimed and stops; releases the rest after `graceSeconds`. */
  stop(graceSeconds = STOP_GRACE_SECONDS): Promise<void> {
    this.#stopped ??= this.#stop(graceSeconds)
    return this.#stopped
  }

  async #stop(graceSeconds: number): Promise<void> {
    this.#stopping = true
    this.#sleeper.wakeAll()
    const timer = setTimeout(() => this.#abort.abort(), graceSeconds * 1000)
    // A database that does not answer must not keep the process alive: leases expire by themselves.
    await Promise.race([this.#done, delay(graceSeconds * 1000 + GIVE_BACK_MS, undefined, { ref: false })])
    clearTimeout(timer)
    this.#idleWaiters.resolve()
  }

  state(): WorkerState {
    const { waiting } = this.#backOff
    return {
      status: this.#stopping ? 'stopped' : waiting ? 'waiting' : this.#batches > 0 ? 'indexing' : 'idle',
      waiting,
      indexed: this.#indexed,
      failed: this.#failed,
      lastIndexedAt: this.#lastIndexedAt,
    }
  }

  /** Claims and indexes in a loop. The first runner polls; the others work only while there is more than one claim to do. */
  async #run(first: boolean): Promise<void> {
    while (!this.#stopping) {
      const remaining = this.#backOff.remaining
      if (remaining > 0) {
        await this.#sleeper.sleep(remaining)
        continue
      }
      if (!first && !this.#backlog) {
        await this.#sleeper.sleep(POLL_MS * 60)
        continue
      }
      this.#nudged = false
      let claimed = 0
      try {
        claimed = await this.#claimOnce()
      } catch (error) {
        this.#backOff.failed(error)
        if (this.#backOff.isLong) this.#idleWaiters.resolve()
        continue
      }
      if (claimed > 0 || this.#nudged || this.#stopping || this.#backOff.remaining > 0) continue
      // Jittered, so that several servers do not all look at the same moment.
      await this.#sleeper.sleep((this.#deps.pollMilliseconds ?? POLL_MS) * (0.9 + Math.random() / 5))
    }
  }

  /** Claims a batch and indexes it. @returns how many reviews were claimed */
  async #claimOnce(): Promise<number> {
    const number = ++this.#claims
    let claimed = 0
    this.#active++
    try {
      if (!(await this.#backOff.mayClaim())) {
        this.#idleWaiters.resolve()
        return 0
      }
      claimed = await this.#claimAndIndex(number)
    } finally {
      this.#active--
    }
    if (claimed === 0 && this.#active === 0 && !this.#backOff.isLong) {
      this.#progressLog.done(this.#indexed)
      this.#idleWaiters.resolve(number)
    } else if (claimed > 0 && this.#idleWaiters.any) this.nudge()
    return claimed
  }

  async #claimAndIndex(number: number): Promise<number> {
    const limit = this.#size.current
    // Every other claim takes the newest first, so that a push does not wait behind an import or a change of model.
    const { key, modelActive, reviews, setAside } = await this.#claimer.take({ limit, newestFirst: number % 2 === 0 })
    this.#failed += setAside.length
    if (!modelActive) {
      this.#backOff.otherModel()
      this.#idleWaiters.resolve()
      return 0
    }
    const full = reviews.length === limit
    this.#backlog = full
    if (key === undefined || reviews.length === 0) {
      // The database answers and nothing is due, which says nothing about a provider that failed.
      if (this.#backOff.waiting && this.#backOff.waiting.reason !== 'embedding_unavailable') this.#backOff.reset()
      // Reviews that were set aside may have been ahead of others, which the next claim takes.
      return setAside.length
    }
    if (full) this.#sleeper.wakeAll()
    const started = performance.now()
    const result = await this.#index(key, reviews)
    await this.#finished(result, full, performance.now() - started)
    return reviews.length
  }

  async #index(claim: ClaimKey, reviews: ClaimedReview[]): Promise<BatchResult> {
    const deps = {
      ...this.#deps,
      leaseSeconds: this.#leaseSeconds,
      signal: this.#abort.signal,
      stopping: () => this.#stopping,
      couldNotRelease: (left: ClaimKey) => this.#claimer.couldNotRelease(left),
    }
    this.#batches++
    try {
      return await onServerOf(deps.sql, claim.projectId, () => new IndexBatch(deps, claim, reviews).run())
    } finally {
      this.#batches--
    }
  }

  async #finished({ saved, failed, halted }: BatchResult, full: boolean, milliseconds: number): Promise<void> {
    this.#indexed += saved
    this.#failed += failed
    if (saved > 0) this.#lastIndexedAt = new Date()
    if (halted?.reason === 'daily_allowance') {
      await this.#backOff.allowanceSpent()
      this.#idleWaiters.resolve()
    } else if (halted) {
      this.#size.failed()
      this.#backOff.delay('embedding_unavailable', halted.error.message, halted.error.retryAfterSeconds)
      if (this.#backOff.isLong) this.#idleWaiters.resolve()
    } else {
      if (saved > 0 && this.#backOff.waiting) {
        this.#backOff.reset()
        this.#sleeper.wakeAll()
      }
      this.#size.finished({ saved, full, milliseconds })
    }
    if (full) await this.#progressLog.progress(this.#indexed)
  }
}
