import type { Sentiment } from '../../src/contract/review.ts'

/**
 * Classifies the text of an unrated review, or of an excerpt. An excerpt is negative only when that is more likely than
 * not, or when it announces a complaint: otherwise a project that shows no complaints would lose merely factual ones.
 */
export type SentimentClassifier = (text: string, of?: 'excerpt') => Sentiment

/** Measures tone, from -1 for a complaint to 1 for praise. */
export interface ToneReader {
  of(excerpt: string): number
  /** The tone that a query wishes for: 1 for "quiet room", -1 for "rude staff", around 0 for "parking". */
  wishedBy(query: string): number
}

/** Sentiment by stars: 5–4 positive, 3 neutral, 2–1 negative (contract, "Stored review"). */
export function sentimentOfRating(rating: number): Sentiment {
  if (rating >= 4) return 'positive'
  return rating === 3 ? 'neutral' : 'negative'
}
