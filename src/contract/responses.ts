import * as v from 'valibot'
import { ERROR_STATUS, type ErrorCode, type ErrorEnvelope } from './errors.ts'
import { RATING } from './limits.ts'
import type { Metadata } from './metadata.ts'
import type { QueryResponse, QueryResult } from './query.ts'
import { type ListResponse, type PushedReview, type PushResponse, type StoredReview, source } from './review.ts'

/** What `/v1` answers, as schemas: the API description is generated from them and the tests hold answers against them. */

const id = v.pipe(v.string(), v.uuid())
const instant = v.pipe(v.string(), v.isoTimestamp())
const stars = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(RATING.min), v.maxValue(RATING.max)))
const text = v.nullable(v.string())
// `record` drops keys such as __proto__ from its output; nothing reads that output.
const map: v.GenericSchema<Metadata> = v.record(v.string(), v.string())
const status = v.picklist(['indexing', 'indexed'])

export const storedReview: v.GenericSchema<StoredReview> = v.strictObject({
  id,
  external_id: v.string(),
  source,
  rating: stars,
  text: v.string(),
  author_name: text,
  author_avatar_url: text,
  occurred_at: v.nullable(instant),
  url: text,
  language: text,
  metadata: map,
  sentiment: v.nullable(v.picklist(['positive', 'neutral', 'negative'])),
  sentiment_source: v.nullable(v.picklist(['rating', 'model'])),
  hidden: v.boolean(),
  status,
  created_at: instant,
  updated_at: instant,
})

const pushedReview: v.GenericSchema<PushedReview> = v.strictObject({ id, external_id: v.string(), source, status })

export const pushResponse: v.GenericSchema<PushResponse> = v.strictObject({
  reviews: v.array(pushedReview),
  indexing: v.exactOptional(v.literal('deferred')),
})

export const listResponse: v.GenericSchema<ListResponse> = v.strictObject({
  reviews: v.array(storedReview),
  next_cursor: text,
})

const queryResult: v.GenericSchema<QueryResult> = v.strictObject({
  score: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  matched: v.boolean(),
  excerpt: v.string(),
  excerpt_id: id,
  highlight: v.nullable(
    v.strictObject({
      start: v.pipe(v.number(), v.integer(), v.minValue(0)),
      end: v.pipe(v.number(), v.integer(), v.minValue(1)),
    }),
  ),
  review: v.strictObject({
    id,
    rating: stars,
    author_name: text,
    author_avatar_url: text,
    source,
    occurred_at: v.nullable(instant),
    url: text,
    metadata: map,
    text: v.exactOptional(v.string()),
  }),
})

export const queryResponse: v.GenericSchema<QueryResponse> = v.strictObject({
  results: v.array(queryResult),
  match: v.picklist(['query', 'fallback', 'none', 'recent']),
  took_ms: v.pipe(v.number(), v.integer(), v.minValue(0)),
  cached: v.boolean(),
  badge: v.boolean(),
})

const codes = Object.keys(ERROR_STATUS) as ErrorCode[]

export const errorEnvelope: v.GenericSchema<ErrorEnvelope> = v.strictObject({
  error: v.strictObject({
    code: v.picklist(codes),
    message: v.string(),
    doc_url: v.pipe(v.string(), v.url()),
    request_id: v.string(),
    details: v.exactOptional(v.array(v.strictObject({ path: v.string(), message: v.string() }))),
  }),
})
