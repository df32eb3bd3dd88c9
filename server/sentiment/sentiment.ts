import type { Sentiment } from '../../src/contract/review.ts'

/**
 * Classifies the text of an unrated review, or of an excerpt: that is negative only when it is so more likely than not, since
 * a project that shows no complaints would lose what merely tells something, or when it announces a complaint.
 */
export type SentimentClassifier = (text: string, of?: 'excerpt') => Sentiment

/** Tells in which tone something is said, from -1 for a complaint to 1 for praise. */
export interface ToneReader {
  of(excerpt: string): number
  /** The tone of what a query wishes to read: 1 for "quiet room", -1 for "rude staff", around 0 for "parking". */
  wishedBy(query: string): number
}

/** Sentiment that stars express: 5–4 positive, 3 neutral, 2–1 negative (contract, "Stored review"). */
export function sentimentOfRating(rating: number): Sentiment {
  if (rating >= 4) return 'positive'
  return rating === 3 ? 'neutral' : 'negative'
}
