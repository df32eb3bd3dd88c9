import type { QueryResponse, QueryResult } from '../../src/contract/query.ts'

let serial = 0

/** One row of an answer; `excerpt` must be a part of `text`, and is the whole of it unless given. */
export function result(fields: Partial<QueryResult['review']> & { text: string; excerpt?: string }): QueryResult {
  const { excerpt = fields.text, ...review } = fields
  const start = fields.text.indexOf(excerpt)
  const id = `00000000-0000-4000-8000-${String(++serial).padStart(12, '0')}`
  return {
    score: 0.8,
    matched: true,
    excerpt,
    excerpt_id: id,
    highlight: excerpt === fields.text ? null : { start, end: start + excerpt.length },
    review: {
      id,
      rating: 5,
      author_name: 'Marta Lindqvist',
      author_avatar_url: null,
      source: 'google',
      occurred_at: '2026-05-12T00:00:00.000Z',
      url: 'https://reviews.example/1',
      metadata: {},
      ...review,
    },
  }
}

export function answer(results: QueryResult[], fields: Partial<QueryResponse> = {}): QueryResponse {
  const match = results.length > 0 ? 'query' : 'none'
  return { results, match, took_ms: 3, cached: false, badge: false, ...fields }
}

/** A hotel's reviews as a page would show them. */
export const HOTEL = [
  result({
    text: 'We came in late after a long drive. Breakfast was a highlight: warm rolls, three kinds of honey from the village and eggs just as we asked for them. The terrace looks over the whole lake.',
    excerpt:
      'Breakfast was a highlight: warm rolls, three kinds of honey from the village and eggs just as we asked for them.',
  }),
  result({
    text: 'Good coffee, generous buffet and nobody rushed us at half past ten.',
    rating: 4,
    author_name: 'Jonas',
    source: 'custom',
    occurred_at: '2025-11-03T17:20:00.000Z',
  }),
  result({
    text: 'My daughter cannot eat gluten, and the kitchen baked a small loaf for her every single morning without being asked twice. That says it all about this house. We shall be back next summer, for sure.',
    excerpt: 'the kitchen baked a small loaf for her every single morning',
    author_name: 'Ana Sofía Peralta de la Vega',
    source: 'trustpilot',
    url: null,
    occurred_at: '2026-01-28T08:00:00.000Z',
  }),
]
