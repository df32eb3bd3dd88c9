import type { ClaimedReview, JobKey } from '../store/index-jobs.ts'
import { chunk, excerptId } from './chunk.ts'
import type { Sentiment, SentimentClassifier } from './sentiment.ts'

/** A claimed review, cut and classified: all that is left is to embed its excerpts. */
export interface PreparedReview extends JobKey {
  attempts: number
  excerpts: { id: string; start: number; end: number; text: string }[]
  /** Null for a rated review: its stars decide. */
  sentiment: Sentiment | null
}

export function prepareReview(review: ClaimedReview, classify: SentimentClassifier): PreparedReview {
  const { projectId, reviewId, text, language, rating, attempts } = review
  const excerpts = chunk(text, language).map(({ start, end }) => {
    const slice = text.slice(start, end)
    return { id: excerptId(reviewId, start, end, slice), start, end, text: slice }
  })
  return { projectId, reviewId, attempts, excerpts, sentiment: rating === null ? classify(text) : null }
}

const EXCERPTS_A_PACK = 256
const SECOND_TRY_REVIEWS = 8

/**
 * Groups reviews that are embedded and saved together. A review that failed before travels with few others, and from
 * its third try on alone, so that one which cannot be embedded holds up nobody else.
 */
export function packs(reviews: readonly PreparedReview[]): PreparedReview[][] {
  const byTry = [1, 2, 3].map((attempt) => reviews.filter((review) => Math.min(review.attempts, 3) === attempt))
  const mostReviews = [Number.POSITIVE_INFINITY, SECOND_TRY_REVIEWS, 1]
  return byTry.flatMap((group, i) => fill(group, mostReviews[i] ?? 1))
}

function fill(reviews: readonly PreparedReview[], mostReviews: number): PreparedReview[][] {
  const filled: PreparedReview[][] = []
  let pack: PreparedReview[] = []
  let excerpts = 0
  for (const review of reviews) {
    if (pack.length > 0 && (pack.length >= mostReviews || excerpts + review.excerpts.length > EXCERPTS_A_PACK)) {
      filled.push(pack)
      pack = []
      excerpts = 0
    }
    pack.push(review)
    excerpts += review.excerpts.length
  }
  if (pack.length > 0) filled.push(pack)
  return filled
}
