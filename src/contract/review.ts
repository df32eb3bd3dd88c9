import * as v from 'valibot'
import { boundedArray, fields, oneOrMany } from './fields.ts'
import {
  AUTHOR_NAME_LENGTH,
  EXTERNAL_ID_LENGTH,
  LIST_LIMIT,
  RATING,
  REVIEW_TEXT_LENGTH,
  REVIEWS_PER_PUSH,
} from './limits.ts'
import { type Metadata, metadata } from './metadata.ts'
import { languageTag, storableText, trimmedText, uri } from './text.ts'
import { dateOrDateTime, dateTime } from './timestamp.ts'

export const SOURCES = ['google', 'yelp', 'facebook', 'trustpilot', 'custom'] as const
export type Source = (typeof SOURCES)[number]
export type Environment = 'live' | 'test'
export type ReviewStatus = 'indexing' | 'indexed'
export type Sentiment = 'positive' | 'neutral' | 'negative'

export const source = v.picklist(SOURCES, `must be one of ${SOURCES.join(', ')}`)

export const rating = v.pipe(
  v.number(),
  v.integer('must be a whole number'),
  v.minValue(RATING.min, `must be at least ${RATING.min}`),
  v.maxValue(RATING.max, `must be at most ${RATING.max}`),
)

/** One review as `POST /v1/reviews` takes it. */
export const reviewInput = fields({
  external_id: storableText(1, EXTERNAL_ID_LENGTH),
  source,
  rating: v.optional(v.nullable(rating)),
  text: trimmedText(1, REVIEW_TEXT_LENGTH),
  author_name: storableText(1, AUTHOR_NAME_LENGTH),
  author_avatar_url: v.optional(v.nullable(uri)),
  occurred_at: dateTime,
  url: v.optional(v.nullable(uri)),
  language: v.optional(languageTag),
  metadata: v.optional(metadata),
})
export type ReviewInput = v.InferOutput<typeof reviewInput>

/** The body of `POST /v1/reviews`: one review or an array of them; always an array afterwards. */
export const pushBody = oneOrMany(
  v.pipe(
    reviewInput,
    v.transform((one) => [one]),
  ),
  boundedArray(reviewInput, { min: 1, max: REVIEWS_PER_PUSH, noun: 'review' }),
)

/** The body of `PATCH /v1/reviews/{id}`. */
export const patchBody = v.pipe(
  fields({ hidden: v.optional(v.boolean()), metadata: v.optional(metadata) }),
  v.metadata({ minProperties: 1 }),
  v.check((body) => body.hidden !== undefined || body.metadata !== undefined, 'must have hidden, metadata or both'),
)
export type ReviewPatch = v.InferOutput<typeof patchBody>

/** A review as the management routes return it. */
export interface StoredReview {
  id: string
  external_id: string
  source: Source
  rating: number | null
  text: string
  author_name: string | null
  author_avatar_url: string | null
  occurred_at: string | null
  url: string | null
  language: string | null
  metadata: Metadata
  /** Null while the review is still being indexed and has no stars. */
  sentiment: Sentiment | null
  sentiment_source: 'rating' | 'model' | null
  hidden: boolean
  status: ReviewStatus
  created_at: string
  updated_at: string
}

/** An integer in a query string: digits and nothing else (`5.0`, `+5` and `0x5` are refused). */
export function integerParameter(range: { min: number; max: number }) {
  return v.pipe(
    v.string(),
    v.regex(/^\d+$/, 'must be a whole number'),
    v.metadata({ type: 'integer', minimum: range.min, maximum: range.max }),
    v.transform(Number),
    v.minValue(range.min, `must be at least ${range.min}`),
    v.maxValue(range.max, `must be at most ${range.max}`),
  )
}

/** The query string of `GET /v1/reviews`, after every parameter was found to stand there once. */
export const listParameters = fields({
  cursor: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]+$/, 'is not a cursor of this list'))),
  limit: v.optional(integerParameter(LIST_LIMIT), String(LIST_LIMIT.default)),
  source: v.optional(source),
  min_rating: v.optional(integerParameter(RATING)),
  hidden: v.optional(v.picklist(['true', 'false', 'all'], 'must be true, false or all'), 'all'),
  since: v.optional(dateOrDateTime),
  indexed: v.optional(v.picklist(['true', 'false'], 'must be true or false')),
})
export type ListRequest = v.InferOutput<typeof listParameters>

export interface PushedReview {
  id: string
  external_id: string
  source: Source
  status: ReviewStatus
}

export interface PushResponse {
  reviews: PushedReview[]
  indexing?: 'deferred'
}

export interface ListResponse {
  reviews: StoredReview[]
  next_cursor: string | null
}
