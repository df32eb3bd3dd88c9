import { METADATA } from '../../../src/contract/limits.ts'

/** What the API description says of `/v1/query` that no schema does. */

/** Headers of its answers, besides those of every route with a key. */
export const headers = {
  'x-cache': { $ref: '#/components/headers/Cache' },
  Vary: { schema: { type: 'string', enum: ['Origin', 'Origin, Accept-Encoding'] } },
  'Content-Encoding': { schema: { type: 'string', enum: ['br', 'gzip'] } },
  'Access-Control-Allow-Origin': { schema: { type: 'string' } },
}

/** Filters by metadata, whose names are the caller's own. */
export const metadataParameters = {
  name: 'metadata',
  in: 'query',
  required: false,
  description: 'One parameter `metadata.<key>=<value>` for each key that must have this value.',
  style: 'form',
  explode: true,
  schema: {
    type: 'object',
    maxProperties: METADATA.entries,
    propertyNames: { pattern: `^metadata\\.[^\\u0000]{1,${METADATA.keyLength}}$` },
    additionalProperties: { type: 'string', maxLength: METADATA.valueLength, pattern: '^[^\\u0000]*$' },
  },
  example: { 'metadata.page': 'terrace' },
}

/** Headers that its requests may have. */
export const requestHeaders = {
  origin: {
    name: 'Origin',
    in: 'header',
    required: false,
    description: 'Required with a publishable key: one of the allowed origins of the project.',
    schema: { type: 'string' },
    example: 'https://www.example.com',
  },
  cacheControl: {
    name: 'Cache-Control',
    in: 'header',
    required: false,
    description: '`no-cache` computes the answer anew.',
    schema: { type: 'string' },
    example: 'no-cache',
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of an answer that the client has: 304 when it would get the same results.',
    schema: { type: 'string' },
  },
  insights: {
    name: 'X-Pullquote-Insights',
    in: 'header',
    required: false,
    description: "`off`: no visitor's search; this server's insights leave it out.",
    schema: { type: 'string', enum: ['off'] },
    example: 'off',
  },
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
