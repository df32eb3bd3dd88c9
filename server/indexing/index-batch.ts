import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../src/contract/code-of.ts'
import { isDatabaseUnavailable, isServerOfClusterLost } from '../db/unavailable.ts'
import type { Log, Pool } from '../deps.ts'
import { type Embedder, EmbeddingRefused, EmbeddingUnavailable } from '../embed/embedder.ts'
import { yieldToEventLoop } from '../event-loop.ts'
import type { SentimentClassifier } from '../sentiment/sentiment.ts'
import { type SerializedReview, saveExcerpts, serializeRows } from '../sql/excerpts/save-excerpts.ts'
import type { ClaimedReview } from '../sql/queue/claim.ts'
import { failReviews } from '../sql/queue/fail.ts'
import type { ClaimKey, JobKey } from '../sql/queue/job.ts'
import { extendLease, heldReviews, releaseReviews } from '../sql/queue/lease.ts'
import { refundTexts } from '../sql/usage/embedding-usage.ts'
import { reserveAllowance } from './allowance.ts'
import { runYielding } from './chunking/interruptible.ts'
import { isDataRefused, isFaultOfReview } from './failure-cause.ts'
import {
  groupForSaving,
  type PreparedReview,
  packReviews,
  prepareReview,
  textsOf,
  withVectors,
} from './prepare-review.ts'

export interface IndexingDeps {
  sql: Pool
  embedder: Embedder
  classify: SentimentClassifier
  log: Log
  /** The vector space of `embedder`; nothing is claimed while the installation uses another. */
  modelId: number
  /** No other process uses this database, which is the embedded one. */
  exclusive?: boolean | undefined
  /** Texts embedded per UTC day, by all servers together; unlimited unless set. */
  dailyAllowance?: number | undefined
}

interface BatchDeps extends IndexingDeps {
  leaseSeconds: number
  /** Aborted when the process stops waiting for the provider. */
  signal: AbortSignal
  /** Called when the database was unavailable as the rest of a claim should have been released. */
  couldNotRelease(claim: ClaimKey): void
  /** True once no further pack may start. */
  stopping(): boolean
}

/** The outcome of a batch. Reviews in neither count were released or changed meanwhile. */
export interface BatchResult {
  saved: number
  failed: number
  /** Why the rest of the batch was not tried. */
  halted?: { reason: 'daily_allowance' } | { reason: 'embedding_unavailable'; error: EmbeddingUnavailable }
}

/** After this many consecutive failed calls with one review each, the provider is to blame and not the reviews. */
const FAILURES_THAT_HALT = { unavailable: 2, unexpected: 5 }
const TRIES_PAST_A_LOCK = 6
/** A cluster server that is away for longer must not hold up projects on the others. */
const SERVER_OF_CLUSTER_MS = 2_000

/**
 * Takes a claim from texts to saved excerpts, pack by pack. Whatever happens, every job of the claim is saved, failed (and
 * retried later) or released; after a crash or a lost database, jobs are due again when the lease expires.
 *
 * `run` throws the database's error when it stays unavailable.
 */
export class IndexBatch {
  readonly #deps: BatchDeps
  readonly #claim: ClaimKey
  readonly #claimed: readonly ClaimedReview[]
  /** Claimed, and neither saved nor failed yet. */
  readonly #open: Map<string, JobKey>
  readonly #result: BatchResult = { saved: 0, failed: 0 }
  #failuresInARow = 0

  constructor(deps: BatchDeps, claim: ClaimKey, claimed: readonly ClaimedReview[]) {
    this.#deps = deps
    this.#claim = claim
    this.#claimed = claimed
    this.#open = new Map(claimed.map(({ projectId, reviewId }) => [reviewId, { projectId, reviewId }]))
  }

  async run(): Promise<BatchResult> {
    const { sql, leaseSeconds } = this.#deps
    // If an extension fails, the save finds its claim gone.
    const extend = () => extendLease(sql, this.#claim, leaseSeconds).catch(() => {})
    const timer = setInterval(extend, (leaseSeconds * 1000) / 3)
    try {
      for (const pack of packReviews(await this.#prepare())) {
        if (this.#result.halted || this.#deps.stopping()) break
        await this.#index(pack)
      }
      return this.#result
    } finally {
      clearInterval(timer)
      if (this.#open.size > 0) {
        await releaseReviews(sql, this.#claim, [...this.#open.values()]).catch(() =>
          this.#deps.couldNotRelease(this.#claim),
        )
      }
    }
  }

  async #prepare(): Promise<PreparedReview[]> {
    const prepared: PreparedReview[] = []
    for (const review of this.#claimed) {
      try {
        // Yields, because the same thread answers requests.
        prepared.push(await runYielding(prepareReview(review, this.#deps.classify, this.#deps.embedder.languages)))
      } catch (error) {
        await this.#fail([review], error, true)
      }
    }
    return prepared
  }

  async #index(pack: readonly PreparedReview[]): Promise<void> {
    const { sql } = this.#deps
    const reserved = await reserveAllowance(sql, pack, this.#deps.dailyAllowance)
    const spent = () => {
      if (reserved.spent) this.#result.halted ??= { reason: 'daily_allowance' }
    }
    if (reserved.reviews.length === 0) return spent()
    let vectors: readonly (Float32Array | undefined)[]
    let failure: EmbeddingUnavailable | undefined
    const failed = async (error: unknown) => {
      await refundTexts(sql, reserved)
      await this.#embedFailed(reserved.reviews, error)
    }
    try {
      vectors = await this.#embed(reserved.reviews)
    } catch (error) {
      if (!(error instanceof EmbeddingUnavailable) || !error.vectors) return failed(error)
      failure = error
      vectors = error.vectors
    }
    const done: SerializedReview[] = []
    const rest: PreparedReview[] = []
    let at = 0
    for (const review of reserved.reviews) {
      const count = textsOf(review).length
      const indexed = withVectors(review, vectors.slice(at, at + count))
      at += count
      await yieldToEventLoop()
      if (indexed) done.push(serializeRows(indexed))
      else rest.push(review)
    }
    const refused = failure instanceof EmbeddingRefused
    if (failure && !refused && done.length === 0) return failed(failure)
    this.#failuresInARow = 0
    if (failure) {
      await refundTexts(sql, { day: reserved.day, texts: vectors.filter((vector) => vector === undefined).length })
      if (refused) await this.#fail(rest, failure, true)
      // The rest is released, not failed: a service that limits its requests was asked for too much at once.
      else this.#result.halted = { reason: 'embedding_unavailable', error: failure }
    }
    for (const part of groupForSaving(done, this.#deps.exclusive ?? false)) await this.#save(part)
    // Not where the embedding failed, which gave its texts back.
    spent()
  }

  async #embed(reviews: readonly PreparedReview[]): Promise<Float32Array[]> {
    const { embedder, signal } = this.#deps
    const texts = reviews.flatMap(textsOf)
    const vectors = await embedder.embed(texts, 'document', signal)
    if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== embedder.dimensions)) {
      throw new EmbeddingUnavailable('The embedding provider answered with another number or length of vectors')
    }
    return vectors
  }

  async #embedFailed(reviews: readonly PreparedReview[], error: unknown): Promise<void> {
    if (this.#deps.signal.aborted) return
    const unavailable = error instanceof EmbeddingUnavailable
    if (!unavailable && reviews.length > 1) {
      // A fault rather than "come back later": find the review that causes it.
      for (const review of reviews) if (!this.#result.halted) await this.#index([review])
      return
    }
    const [review] = reviews.length === 1 ? reviews : []
    const { embedder, signal } = this.#deps
    const ownFault = review !== undefined && (await isFaultOfReview(error, embedder, signal))
    await this.#fail(reviews, error, ownFault)
    if (ownFault) {
      this.#failuresInARow = 0
      return
    }
    this.#failuresInARow++
    const enough = unavailable ? FAILURES_THAT_HALT.unavailable : FAILURES_THAT_HALT.unexpected
    if (this.#failuresInARow < enough && review && (!unavailable || this.#claimed.length > 1)) return
    this.#result.halted = {
      reason: 'embedding_unavailable',
      error: unavailable ? error : new EmbeddingUnavailable('The embedding provider fails', { cause: error }),
    }
  }

  async #save(reviews: readonly SerializedReview[]): Promise<void> {
    const { sql, modelId, leaseSeconds } = this.#deps
    const claim = { ...this.#claim, modelId }
    let rest = reviews
    let lostSince: number | undefined
    let tries = 0
    while (rest.length > 0) {
      try {
        const saved = await saveExcerpts(sql, claim, rest)
        for (const id of saved) this.#open.delete(id)
        this.#result.saved += saved.size
        lostSince = undefined
        if (saved.size === rest.length) return
        const held = await heldReviews(sql, this.#claim)
        // Changed or deleted meanwhile, so no longer ours. A new job, if any, has the new text.
        for (const { reviewId } of rest) if (!held.has(reviewId)) this.#open.delete(reviewId)
        rest = rest.filter(({ reviewId }) => !saved.has(reviewId) && held.has(reviewId))
        if (++tries === TRIES_PAST_A_LOCK) return
        if (rest.length > 0) await sleep(20 * 2 ** tries)
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          // The vectors are worth waiting for while the lease may still hold.
          lostSince ??= performance.now()
          const patience = isServerOfClusterLost(error) ? SERVER_OF_CLUSTER_MS : leaseSeconds * 1000
          if (this.#deps.signal.aborted || performance.now() - lostSince > patience) throw error
          await sleep(250)
        } else if (rest.length === 1) {
          await this.#fail(rest, error, isDataRefused(error))
          return
        } else {
          for (const review of rest) await this.#save([review])
          return
        }
      }
    }
  }

  async #fail(reviews: readonly JobKey[], error: unknown, ownFault: boolean): Promise<void> {
    const message = error instanceof Error ? error.message : String(error)
    // The message stays out of the log: a provider may quote the text it rejects. It is stored with the job.
    const code = codeOf(error)
    const fields = { reviews: reviews.map((review) => review.reviewId).slice(0, 10), count: reviews.length, code }
    const consequence = ownFault ? 'a second time sets them aside' : 'they will be tried again'
    this.#deps.log.warn(fields, `could not index reviews; ${consequence}`)
    await failReviews(this.#deps.sql, this.#claim, reviews, message.replaceAll('\u0000', ''), ownFault)
    for (const { reviewId } of reviews) this.#open.delete(reviewId)
    this.#result.failed += reviews.length
  }
}
