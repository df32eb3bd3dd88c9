import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import type { Log, Pool } from '../deps.ts'
import type { Embedder } from '../embed/embedder.ts'
import { dayUsage } from '../store/embedding-usage.ts'
import { type ClaimedReview, claimReviews, freeLeases, queueCounts, releaseClaim } from '../store/index-jobs.ts'
import { BatchSize } from './batch-size.ts'
import { type BatchResult, indexBatch } from './index-batch.ts'
import { Pause, type Waiting } from './pause.ts'
import type { SentimentClassifier } from './sentiment.ts'
import { Sleepers } from './sleepers.ts'

export interface WorkerDeps {
  sql: Pool
  embedder: Embedder
  classify: SentimentClassifier
  log: Log
  /** The vector space of `embedder`; nothing is claimed while the installation uses another. */
  modelId: number
  /** Texts embedded in a UTC day, by all servers together; absent means without limit. */
  dailyAllowance?: number | undefined
  /** No other process uses this database (the embedded one): leases of the last run are freed at the start. */
  exclusive?: boolean | undefined
  /** Whether there is room for what indexing writes; absent: there always is. */
  hasRoom?: (() => Promise<boolean>) | undefined
  leaseSeconds?: number | undefined
  pollMilliseconds?: number | undefined
}

export interface WorkerState {
  status: 'idle' | 'indexing' | 'waiting' | 'stopped'
  /** Why nothing is claimed now, and when that is looked at again. */
  waiting?: Waiting
  /** Reviews since the start of this process. */
  indexed: number
  /** Tries that failed, since the start of this process. */
  failed: number
  lastIndexedAt?: Date
}

export interface Worker {
  /** Something was queued: look now rather than at the next poll. */
  nudge(): void
  /** Resolves when no review is due any more, or when the worker waits for something that may take long. */
  idle(): Promise<void>
  /** Finishes what is claimed and ends; after `graceSeconds` the rest is given back. */
  stop(graceSeconds?: number): Promise<void>
  state(): WorkerState
}

/** Starts the pipeline of this process. Any number of processes may run one on the same database. */
export function startWorker(deps: WorkerDeps): Worker {
  const worker = new Pipeline(deps)
  worker.start()
  return worker
}

/** While one saves, the other embeds. */
const LANES = 2
const LEASE_SECONDS = 30
const POLL_MS = 1_000
const STOP_GRACE_SECONDS = 10
/** For handing back what was claimed. */
const GIVE_BACK_MS = 2_000
const ALLOWANCE_RECHECK_MS = 60_000
const OTHER_MODEL_RECHECK_MS = 5_000
const DISK_RECHECK_MS = 5_000
const PROGRESS_LOG_MS = 5_000

class Pipeline implements Worker {
  readonly #deps: WorkerDeps
  readonly #leaseSeconds: number
  readonly #pause: Pause
  readonly #abort = new AbortController()
  readonly #sleepers = new Sleepers()
  readonly #size = new BatchSize()
  /** Claims that could not be given back when the database was away: to let them run out would look like a crash. */
  readonly #unreleased = new Set<string>()
  #idleWaiters: { from: number; resolve(): void }[] = []
  #done: Promise<unknown> = Promise.resolve()
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
  #progressLoggedAt = 0
  #announcedBacklog = false

  constructor(deps: WorkerDeps) {
    this.#deps = deps
    this.#leaseSeconds = deps.leaseSeconds ?? LEASE_SECONDS
    this.#pause = new Pause(deps.log)
  }

  start(): void {
    const ready = this.#deps.exclusive ? this.#takeUpLastRun() : Promise.resolve()
    this.#done = ready.then(() => Promise.all(Array.from({ length: LANES }, (_, lane) => this.#run(lane === 0))))
  }

  nudge(): void {
    this.#nudged = true
    this.#pause.nudge()
    this.#sleepers.wakeAll()
  }

  idle(): Promise<void> {
    if (this.#stopping || this.#pause.isLong) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idleWaiters.push({ from: this.#claims, resolve })
      this.nudge()
    })
  }

  stop(graceSeconds = STOP_GRACE_SECONDS): Promise<void> {
    this.#stopped ??= this.#stop(graceSeconds)
    return this.#stopped
  }

  async #stop(graceSeconds: number): Promise<void> {
    this.#stopping = true
    this.#sleepers.wakeAll()
    const timer = setTimeout(() => this.#abort.abort(), graceSeconds * 1000)
    // A database that says nothing must not keep the process: the leases run out by themselves.
    await Promise.race([this.#done, pause(graceSeconds * 1000 + GIVE_BACK_MS, undefined, { ref: false })])
    clearTimeout(timer)
    this.#resolveIdle()
  }

  state(): WorkerState {
    const { waiting } = this.#pause
    return {
      status: this.#stopping ? 'stopped' : waiting ? 'waiting' : this.#batches > 0 ? 'indexing' : 'idle',
      ...(waiting ? { waiting } : {}),
      indexed: this.#indexed,
      failed: this.#failed,
      ...(this.#lastIndexedAt ? { lastIndexedAt: this.#lastIndexedAt } : {}),
    }
  }

  async #takeUpLastRun(): Promise<void> {
    try {
      const freed = await freeLeases(this.#deps.sql)
      if (freed > 0) this.#deps.log.info({ reviews: freed }, 'taking up what the last run left unfinished')
    } catch (err) {
      // They end by themselves, only later.
      this.#deps.log.warn({ err }, 'could not free the leases of the last run')
    }
  }

  /** One lane: claim, index, repeat. The first polls; the others work only while there is more than one claim to do. */
  async #run(first: boolean): Promise<void> {
    while (!this.#stopping) {
      const rest = this.#pause.remaining
      if (rest > 0) {
        await this.#sleepers.sleep(rest)
        continue
      }
      if (!first && !this.#backlog) {
        await this.#sleepers.sleep(POLL_MS * 60)
        continue
      }
      this.#nudged = false
      let claimed = 0
      try {
        claimed = await this.#turn()
      } catch (error) {
        this.#troubled(error)
        continue
      }
      if (claimed > 0 || this.#nudged || this.#stopping || this.#pause.remaining > 0) continue
      // Spread, so that several servers do not all look at the same moment.
      await this.#sleepers.sleep((this.#deps.pollMilliseconds ?? POLL_MS) * (0.9 + Math.random() / 5))
    }
  }

  /** Claims a batch and indexes it. @returns how many reviews were claimed */
  async #turn(): Promise<number> {
    const number = ++this.#claims
    let claimed = 0
    this.#active++
    try {
      if (!(await this.#mayClaim())) return 0
      claimed = await this.#claimAndIndex(number)
    } finally {
      this.#active--
    }
    if (claimed === 0 && this.#active === 0 && !this.#pause.isLong) {
      if (this.#announcedBacklog) this.#deps.log.info({ indexed: this.#indexed }, 'every due review is indexed')
      this.#announcedBacklog = false
      this.#resolveIdle(number)
    } else if (this.#idleWaiters.length > 0) this.nudge()
    return claimed
  }

  async #claimAndIndex(number: number): Promise<number> {
    const { sql, modelId } = this.#deps
    for (const claim of this.#unreleased) {
      await releaseClaim(sql, claim)
      this.#unreleased.delete(claim)
    }
    const limit = this.#size.current
    const token = randomUUID()
    const { modelActive, reviews } = await claimReviews(sql, {
      token,
      limit,
      leaseSeconds: this.#leaseSeconds,
      modelId,
      // Every other claim takes what came last, so that a push does not wait behind an import or a change of model.
      newestFirst: number % 2 === 0,
    })
    if (!modelActive) {
      this.#wait('other_model', 'another embedding model is the active one now', OTHER_MODEL_RECHECK_MS)
      return 0
    }
    const full = reviews.length === limit
    this.#backlog = full
    if (reviews.length === 0) {
      // The database answers and nothing is due; of a provider that failed it says nothing.
      if (this.#pause.waiting && this.#pause.waiting.reason !== 'embedding_unavailable') this.#pause.over()
      return 0
    }
    if (full) this.#sleepers.wakeAll()
    const started = performance.now()
    const result = await this.#index(token, reviews)
    await this.#finished(result, full, performance.now() - started)
    return reviews.length
  }

  async #index(token: string, reviews: ClaimedReview[]): Promise<BatchResult> {
    const deps = {
      ...this.#deps,
      leaseSeconds: this.#leaseSeconds,
      signal: this.#abort.signal,
      stopping: () => this.#stopping,
      couldNotRelease: (claim: string) => void this.#unreleased.add(claim),
    }
    this.#batches++
    try {
      return await indexBatch(deps, token, reviews)
    } finally {
      this.#batches--
    }
  }

  async #finished({ saved, failed, halted }: BatchResult, full: boolean, milliseconds: number): Promise<void> {
    this.#indexed += saved
    this.#failed += failed
    if (saved > 0) this.#lastIndexedAt = new Date()
    if (halted?.reason === 'daily_allowance') await this.#waitForAllowance()
    else if (halted) {
      this.#size.failed()
      this.#pause.backOff('embedding_unavailable', halted.error.message, halted.error.retryAfterSeconds)
      if (this.#pause.isLong) this.#resolveIdle()
    } else {
      if (saved > 0 && this.#pause.waiting) {
        this.#pause.over()
        this.#sleepers.wakeAll()
      }
      this.#size.finished({ saved, full, milliseconds })
    }
    if (full) await this.#logProgress()
  }

  async #logProgress(): Promise<void> {
    const now = performance.now()
    if (now - this.#progressLoggedAt < PROGRESS_LOG_MS) return
    this.#progressLoggedAt = now
    const { queued } = await queueCounts(this.#deps.sql)
    if (queued < BatchSize.most) return
    this.#announcedBacklog = true
    this.#deps.log.info({ indexed: this.#indexed, queued }, 'indexing reviews')
  }

  async #mayClaim(): Promise<boolean> {
    const { sql, dailyAllowance, hasRoom } = this.#deps
    if (hasRoom && !(await hasRoom())) {
      this.#wait('disk_full', 'the disk is full: nothing is indexed until there is room', DISK_RECHECK_MS)
      return false
    }
    if (dailyAllowance === undefined || this.#pause.waiting?.reason !== 'daily_allowance') return true
    const { texts } = await dayUsage(sql)
    if (texts < dailyAllowance) return true
    await this.#waitForAllowance()
    return false
  }

  async #waitForAllowance(): Promise<void> {
    const { secondsToRenewal } = await dayUsage(this.#deps.sql)
    const renewal = secondsToRenewal * 1000 + 1000 + Math.random() * 4000
    const message = 'the daily allowance of embedded texts is spent; it renews at 00:00 UTC'
    // Looked at each minute as well, since texts may be given back.
    this.#wait('daily_allowance', message, Math.min(renewal, ALLOWANCE_RECHECK_MS))
  }

  #troubled(error: unknown): void {
    if (isDatabaseUnavailable(error)) {
      this.#pause.backOff('database_unavailable', 'the database does not answer', 0, error)
    } else this.#pause.backOff('internal', 'an unexpected error, see the log', 0, error)
    if (this.#pause.isLong) this.#resolveIdle()
  }

  #wait(reason: 'daily_allowance' | 'other_model' | 'disk_full', message: string, ms: number): void {
    this.#pause.wait(reason, message, ms)
    this.#resolveIdle()
  }

  /** Resolves who asked before the claim of this number. */
  #resolveIdle(claim = Number.POSITIVE_INFINITY): void {
    const waiters = this.#idleWaiters
    this.#idleWaiters = waiters.filter(({ from }) => from >= claim)
    for (const { from, resolve } of waiters) if (from < claim) resolve()
  }
}
