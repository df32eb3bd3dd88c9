/** What a search finds that looks for nothing. */
import type { SearchAnswer } from '../../../server/search/search.ts'

export const result = {
  score: 0.8,
  matched: true,
  excerpt: 'Quiet rooms.',
  excerpt_id: '0b6e6f0e-5d0c-4c77-9a0c-0f3a6f2f2c11',
  highlight: { start: 0, end: 12 },
  review: {
    id: '5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10',
    rating: 5,
    author_name: null,
    author_avatar_url: null,
    source: 'google' as const,
    occurred_at: null,
    url: null,
    metadata: {},
  },
}
export const found = (cache: 'HIT' | 'MISS' | 'BYPASS') => async (): Promise<SearchAnswer> => ({
  ok: true,
  results: [result],
  match: 'query',
  cache,
})
