import { METADATA } from '../../../src/contract/limits.ts'

/** Parts of the API description of `/v1/query` that no schema contains. */

/** Headers of its responses, besides those of every route with a key. */
export const headers = {
  'x-cache': { $ref: '#/components/headers/Cache' },
  Vary: { schema: { type: 'string', enum: ['Origin', 'Origin, Accept-Encoding'] } },
  'Content-Encoding': { schema: { type: 'string', enum: ['br', 'gzip'] } },
  'Access-Control-Allow-Origin': { schema: { type: 'string' } },
}

/** Headers of the response to a preflight. */
export const preflightDescription = {
  Vary: { schema: { type: 'string', enum: ['Origin'] } },
  'Access-Control-Allow-Origin': { schema: { type: 'string' } },
  'Access-Control-Allow-Methods': { schema: { type: 'string' } },
  'Access-Control-Allow-Headers': { schema: { type: 'string' } },
  'Access-Control-Max-Age': { schema: { type: 'integer' } },
}

/** Filters by metadata, whose names the caller chooses. */
export const metadataParameters = {
  name: 'metadata',
  in: 'query',
  required: false,
  description:
    'One parameter `metadata.<key>=<value>` for each key that must have this value. If a client cannot write it like this, use the POST form.',
  style: 'form',
  explode: true,
  schema: {
    type: 'object',
    maxProperties: METADATA.entries,
    propertyNames: { pattern: `^metadata\\.[^\\x00]{1,${METADATA.keyLength}}$` },
    additionalProperties: { type: 'string', maxLength: METADATA.valueLength, pattern: '^[^\\x00]*$' },
  },
  example: { 'metadata.page': 'terrace' },
}

const requestHeader = (name: string, description: string, schema: object = {}, example?: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
  example,
})

/**
 * Optional request headers. Only `Origin` has an example: tools fill in what has one, and then each query they send would be
 * computed anew, or fail its preflight.
 */
export const requestHeaders = {
  origin: requestHeader(
    'Origin',
    'Required with a publishable key: one of the allowed origins of the project.',
    {},
    'https://www.example.com',
  ),
  cacheControl: requestHeader(
    'Cache-Control',
    '`no-cache` has the answer computed again, which counts against the monthly quota. Browsers and Node.js send it with `fetch(…, { cache: "no-store" })`.',
  ),
  ifNoneMatch: requestHeader(
    'If-None-Match',
    'The `ETag` of an earlier answer: 304 if the results are still the same.',
  ),
  insights: requestHeader(
    'X-Pullquote-Insights',
    "`off`: not a visitor's search, so this server's insights do not count it.",
    { enum: ['off'] },
  ),
}

export const exampleResponse = {
  results: [
    {
      score: 0.81,
      matched: true,
      excerpt: 'The terrace at breakfast was worth the trip alone.',
      excerpt_id: '0b6e6f0e-5d0c-5c77-9a0c-0f3a6f2f2c11',
      highlight: { start: 0, end: 50 },
      review: {
        id: '5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10',
        rating: 5,
        author_name: 'Mara Lindqvist',
        author_avatar_url: null,
        source: 'google',
        occurred_at: '2026-01-05T10:00:00.000Z',
        url: null,
        metadata: { page: 'terrace' },
      },
    },
  ],
  match: 'query',
  took_ms: 12,
  cached: false,
  badge: true,
}
