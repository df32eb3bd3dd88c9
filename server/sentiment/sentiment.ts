import type { Sentiment } from '../../src/contract/review.ts'

/** Classifies the text of an unrated review. */
export type SentimentClassifier = (text: string) => Sentiment

/** Sentiment that stars express: 5–4 positive, 3 neutral, 2–1 negative (contract, "Stored review"). */
export function sentimentOfRating(rating: number): Sentiment {
  if (rating >= 4) return 'positive'
  return rating === 3 ? 'neutral' : 'negative'
}
