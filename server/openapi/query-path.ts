import { METADATA } from '../../src/contract/limits.ts'
import { queryBody, queryParameters as queryParametersSchema } from '../../src/contract/query.ts'
import { errors, noContent, queryParameters, ref, requestBody, success } from './parts.ts'

const tags = ['Query']

const headers = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
  'x-cache': { $ref: '#/components/headers/Cache' },
  Vary: { schema: { type: 'string', enum: ['Origin', 'Origin, Accept-Encoding'] } },
  'Content-Encoding': { schema: { type: 'string', enum: ['br', 'gzip'] } },
  'Access-Control-Allow-Origin': { schema: { type: 'string' } },
}

const COMMON_ERRORS = [
  'unauthorized',
  'forbidden',
  'unsupported_media_type',
  'validation_failed',
  'rate_limited',
  'query_quota_exceeded',
  'internal',
  'embedding_unavailable',
  'service_unavailable',
] as const

const MEANING = {
  q: 'Search text; without it the newest publishable reviews come.',
  limit: 'Most results.',
  mode: '`reviews` returns whole reviews, one result each.',
  include: '`text` adds the whole review text to each excerpt.',
  fallback: '`recent`: the newest reviews when nothing is relevant, marked `matched: false`.',
  min_rating: "Can only tighten the project's own minimum.",
  source: 'Only these sources.',
  since: 'Only reviews of this instant or later; a bare day means midnight UTC.',
}

const metadataParameters = {
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

const cacheControl = {
  name: 'Cache-Control',
  in: 'header',
  required: false,
  description: '`no-cache` computes the answer anew.',
  schema: { type: 'string' },
  example: 'no-cache',
}

const origin = {
  name: 'Origin',
  in: 'header',
  required: false,
  description: 'Required with a publishable key: one of the allowed origins of the project.',
  schema: { type: 'string' },
  example: 'https://www.example.com',
}

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an answer that the client has: 304 when it would get the same results.',
  schema: { type: 'string' },
}

const ETAG = { schema: { type: 'string' }, description: 'Weak; of everything but `took_ms` and `cached`.' }

const insights = {
  name: 'X-Pullquote-Insights',
  in: 'header',
  required: false,
  description: "`off`: no visitor's search; this server's insights leave it out.",
  schema: { type: 'string', enum: ['off'] },
  example: 'off',
}

const exampleAnswer = {
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

/** `/v1/query`. */
export const queryPath = {
  '/v1/query': {
    get: {
      operationId: 'queryByParameters',
      tags,
      summary: 'Search reviews (the form for web pages)',
      description: 'The same request as the POST form, as query parameters.',
      security: [{ secretKey: [] }, { publishableKey: [] }, { publishableKeyInQuery: [] }],
      parameters: [
        ...queryParameters(queryParametersSchema.entries, MEANING),
        metadataParameters,
        origin,
        cacheControl,
        ifNoneMatch,
        insights,
      ],
      responses: {
        '200': success('Results in rank order.', ref('QueryResponse'), {
          headers: { ...headers, ETag: ETAG },
          example: exampleAnswer,
        }),
        '304': noContent('The client has these results.', { ...headers, ETag: ETAG }),
        ...errors(...COMMON_ERRORS),
      },
    },
    post: {
      operationId: 'query',
      tags,
      summary: 'Search reviews',
      description: 'An empty body equals `{}`. At most 16 KiB. Results are verbatim slices of review texts.',
      security: [{ secretKey: [] }, { publishableKey: [] }],
      parameters: [origin, cacheControl, insights],
      requestBody: requestBody(queryBody, {
        required: false,
        example: { q: 'breakfast on the terrace', limit: 3, filters: { min_rating: 5, metadata: { page: 'terrace' } } },
      }),
      responses: {
        '200': success('Results in rank order.', ref('QueryResponse'), { headers, example: exampleAnswer }),
        ...errors('payload_too_large', ...COMMON_ERRORS),
      },
    },
    options: {
      operationId: 'queryPreflight',
      tags,
      summary: 'Preflight of a browser',
      security: [],
      responses: { '204': { description: 'What a page may send.' } },
    },
  },
}
