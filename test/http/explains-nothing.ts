import type { Explain } from '../../server/search/explain.ts'

/** For tests of routes that explain no query. */
export const explainsNothing: Explain = async () => ({
  words: [],
  off_domain: [],
  floor: 0.66,
  word_tier: 0.53,
  min_rating: 4,
  limit: 5,
  results: [],
})
