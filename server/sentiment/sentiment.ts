import type { Sentiment } from '../../src/contract/review.ts'

/**
 * Classifies the text of an unrated review, or of an excerpt: an excerpt is negative only if that is more likely than not,
 * since a project that shows no complaints would otherwise lose neutral statements, or if it announces a complaint.
 */
export type SentimentClassifier = (text: string, of?: 'excerpt') => Sentiment

/** Determines the tone of a text, from -1 for a complaint to 1 for praise. */
export interface ToneReader {
  of(excerpt: string): number
  /** The tone that a query asks for: 1 for "quiet room", -1 for "rude staff", around 0 for "parking". */
  wishedBy(query: string): number
}

/** The sentiment of a rating: 5–4 positive, 3 neutral, 2–1 negative (contract, "Stored review"). */
export function sentimentOfRating(rating: number): Sentiment {
  if (rating >= 4) return 'positive'
  return rating === 3 ? 'neutral' : 'negative'
}
