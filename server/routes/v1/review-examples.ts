import type * as v from 'valibot'
import type { ListResponse, pushResponse, reviewInput, StoredReview } from '../../../src/contract/review.ts'

/** Examples of the API description for `/v1/reviews`: one review from its push to its change. */

export const pushedExample = {
  external_id: 'g-10482',
  source: 'google',
  rating: 5,
  text: 'The terrace at breakfast was worth the trip alone, and the staff remembered our names.',
  author_name: 'Mara Lindqvist',
  occurred_at: '2026-01-05T10:00:00Z',
  language: 'en',
  metadata: { page: 'terrace' },
} satisfies v.InferInput<typeof reviewInput>

const { external_id, source } = pushedExample
const id = '5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10'

export const pushResponseExample: v.InferOutput<typeof pushResponse> = {
  reviews: [{ id, external_id, source, status: 'indexing' }],
}

export const storedExample: StoredReview = {
  id,
  ...pushedExample,
  author_avatar_url: null,
  occurred_at: '2026-01-05T10:00:00.000Z',
  url: null,
  sentiment: 'positive',
  sentiment_source: 'rating',
  hidden: false,
  status: 'indexed',
  created_at: '2026-01-06T08:30:12.400Z',
  updated_at: '2026-01-06T08:30:12.400Z',
}

export const listExample: ListResponse = { reviews: [storedExample], next_cursor: null }

export const hiddenExample: StoredReview = { ...storedExample, hidden: true, updated_at: '2026-01-07T09:15:00.250Z' }
