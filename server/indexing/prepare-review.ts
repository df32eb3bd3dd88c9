import type { Sentiment } from '../../src/contract/review.ts'
import type { EmbeddingLanguages } from '../embed/embedder.ts'
import { intoGroups } from '../into-groups.ts'
import type { SentimentClassifier } from '../sentiment/sentiment.ts'
import type { IndexedReview, NewExcerpt } from '../sql/excerpts/save-excerpts.ts'
import type { ClaimedReview } from '../sql/queue/claim.ts'
import type { JobKey } from '../sql/queue/job.ts'
import { chunk, excerptId } from './chunking/chunk.ts'
import type { Interruptible } from './chunking/interruptible.ts'
import { sentenceStarts, sentencesAt } from './chunking/sentences.ts'

/** A claimed review, chunked and classified, whose excerpts only need embedding. */
export interface PreparedReview extends JobKey {
  attempts: number
  excerpts: PreparedExcerpt[]
  /** Null for a rated review, whose stars decide. */
  sentiment: Sentiment | null
}

interface PreparedExcerpt extends Omit<NewExcerpt, 'vector' | 'sentences'> {
  /** The parts with their own vectors; empty when the excerpt is one sentence. */
  sentences: { start: number; text: string }[]
}

/**
 * Chunks and classifies a review in steps.
 * @param languages those that the model knows, if it does not know all
 * @throws whatever `classify` throws
 */
export function* prepareReview(
  review: ClaimedReview,
  classify: SentimentClassifier,
  languages: EmbeddingLanguages | undefined,
): Interruptible<PreparedReview> {
  const { projectId, reviewId, text, language, rating, attempts } = review
  const words = languages?.knows(text) === false ? 'unknown' : 'known'
  const excerpts: PreparedExcerpt[] = []
  for (const { start, end } of yield* chunk(text, language)) {
    yield
    const slice = text.slice(start, end)
    const starts = yield* sentenceStarts(slice, language, words)
    const texts = sentencesAt(slice, starts)
    const sentences = starts.map((at, i) => ({ start: at, text: texts[i] ?? '' }))
    excerpts.push({
      id: excerptId(reviewId, start, end, slice),
      start,
      end,
      text: slice,
      verdict: classify(slice, 'excerpt'),
      sentences,
    })
  }
  yield
  return { projectId, reviewId, attempts, excerpts, sentiment: rating === null ? classify(text) : null }
}

/** The texts to embed for a review, in the order in which {@link withVectors} expects the vectors. */
export function textsOf({ excerpts }: PreparedReview): string[] {
  return excerpts.flatMap(({ text, sentences }) => [text, ...sentences.map((sentence) => sentence.text)])
}

/** The review with the vectors of its texts; undefined when one of them was refused. */
export function withVectors(
  review: PreparedReview,
  vectors: readonly (Float32Array | undefined)[],
): IndexedReview | undefined {
  let at = 0
  const excerpts: NewExcerpt[] = []
  for (const { sentences, ...excerpt } of review.excerpts) {
    const vector = vectors[at++]
    const own = sentences.flatMap(({ start }) => {
      const one = vectors[at++]
      return one ? [{ start, vector: one }] : []
    })
    if (!vector || own.length < sentences.length) return undefined
    excerpts.push({ ...excerpt, vector, sentences: own })
  }
  return { ...review, excerpts }
}

/** Per call of an embedding service: the more texts, the fewer calls. */
const EXCERPTS_A_PACK = 256
/**
 * Per transaction. The embedded database has one connection, on which every statement of a search waits behind a whole save:
 * with twenty reviews of 20,000 hostile characters on a busy machine, uncached searches waited 90 to 700 ms when 256 excerpts
 * were saved at once, 30 to 250 ms with 64. A PostgreSQL server answers others meanwhile, and larger saves mean fewer
 * statements and commits for it.
 */
const EXCERPTS_A_SAVE = { embedded: 64, server: 128 }
const SECOND_TRY_REVIEWS = 8

/**
 * Groups reviews that are embedded together. One that failed before is grouped with few others, and from its third attempt on
 * goes alone, so that a review which cannot be embedded holds up nobody else.
 */
export function packReviews(reviews: readonly PreparedReview[]): PreparedReview[][] {
  const byTry = [1, 2, 3].map((attempt) => reviews.filter((review) => Math.min(review.attempts, 3) === attempt))
  const mostReviews = [Number.POSITIVE_INFINITY, SECOND_TRY_REVIEWS, 1]
  return byTry.flatMap((group, i) => groupByExcerpts(group, EXCERPTS_A_PACK, mostReviews[i]))
}

/** Groups reviews that are saved together. @param embedded whether the database is the embedded one */
export function groupForSaving<T extends WithExcerpts>(reviews: readonly T[], embedded: boolean): T[][] {
  return groupByExcerpts(reviews, embedded ? EXCERPTS_A_SAVE.embedded : EXCERPTS_A_SAVE.server)
}

type WithExcerpts = { excerpts: readonly unknown[] }

function groupByExcerpts<T extends WithExcerpts>(reviews: readonly T[], size: number, count = Infinity): T[][] {
  return intoGroups(reviews, ({ excerpts }) => excerpts.length, { size, count })
}
