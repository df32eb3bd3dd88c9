/** What a fake server answers to a query: one review, and the excerpt of it. */

export const text = 'We came late. The candles made it romantic.\u001b[31m The bill was fair.'
export const excerpt = 'The candles made it romantic.'
export const start = text.indexOf(excerpt)
export const answer = {
  results: [
    {
      score: 0.8123,
      matched: true,
      excerpt,
      excerpt_id: 'e-1',
      highlight: { start, end: start + excerpt.length },
      review: {
        id: 'id-1',
        rating: 4,
        author_name: 'Marta\u0007 K.',
        author_avatar_url: null,
        source: 'google',
        occurred_at: '2026-01-05T10:00:00.000Z',
        url: 'https://google.example/1',
        metadata: {},
        text,
      },
    },
  ],
  match: 'query',
  took_ms: 12,
  cached: false,
  badge: true,
}
