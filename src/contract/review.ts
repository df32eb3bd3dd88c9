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
import { metadata, storedMetadata } from './metadata.ts'
import { instant, integerBetween, integerParameter, uuid } from './scalars.ts'
import { SOURCES } from './sources.ts'
import { languageTag, storableText, trimmedText, uri } from './text.ts'
import { dateOrDateTime, dateTime } from './timestamp.ts'

export type Source = (typeof SOURCES)[number]

export const environment = v.picklist(['live', 'test'], 'must be live or test')
export type Environment = v.InferOutput<typeof environment>
export const reviewStatus = v.picklist(['indexing', 'indexed'])
export type ReviewStatus = v.InferOutput<typeof reviewStatus>
export const sentiment = v.picklist(['positive', 'neutral', 'negative'])
export const sentimentSource = v.picklist(['rating', 'model'])
export type Sentiment = v.InferOutput<typeof sentiment>

export const source = v.picklist(SOURCES, `must be one of ${SOURCES.join(', ')}`)

export const rating = integerBetween(RATING)

/** A review in the body of `POST /v1/reviews`. */
export const reviewInput = fields({
  external_id: storableText(EXTERNAL_ID_LENGTH),
  source,
  rating: v.optional(v.nullable(rating)),
  text: trimmedText(REVIEW_TEXT_LENGTH),
  author_name: storableText(AUTHOR_NAME_LENGTH),
  author_avatar_url: v.optional(v.nullable(uri)),
  occurred_at: dateTime,
  url: v.optional(v.nullable(uri)),
  language: v.optional(languageTag),
  metadata: v.optional(metadata),
})
export type ReviewInput = v.InferOutput<typeof reviewInput>

/** The body of `POST /v1/reviews`: one review or an array; the output is always an array. */
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
export const storedReview = v.strictObject({
  id: uuid,
  external_id: v.string(),
  source,
  rating: v.nullable(rating),
  text: v.string(),
  author_name: v.nullable(v.string()),
  author_avatar_url: v.nullable(v.string()),
  occurred_at: v.nullable(instant),
  url: v.nullable(v.string()),
  language: v.nullable(v.string()),
  metadata: storedMetadata,
  /** Null for an unrated review that is still being indexed. */
  sentiment: v.nullable(sentiment),
  sentiment_source: sentimentSource,
  hidden: v.boolean(),
  status: reviewStatus,
  created_at: instant,
  updated_at: instant,
})
export type StoredReview = v.InferOutput<typeof storedReview>

/** The query string of `GET /v1/reviews`; repeated parameters are rejected before. */
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

export const pushedReview = v.strictObject({ id: uuid, external_id: v.string(), source, status: reviewStatus })
export type PushedReview = v.InferOutput<typeof pushedReview>

/** Response of `POST /v1/reviews`. */
export const pushResponse = v.strictObject({
  reviews: v.array(pushedReview),
  /** Indexing is deferred: the operator's daily allowance is used up, or many reviews are waiting. */
  indexing: v.exactOptional(v.literal('deferred')),
})

/** Response of `GET /v1/reviews`: one page. */
export const listResponse = v.strictObject({ reviews: v.array(storedReview), next_cursor: v.nullable(v.string()) })
export type ListResponse = v.InferOutput<typeof listResponse>

/** The query string of `GET /hidden-words`. */
export const hiddenWordsParameters = fields({ after: v.optional(uuid) })

/** Response of `GET /hidden-words`, this server's own route: one page of the reviews with sentences hidden in the console. */
export const hiddenWordsResponse = v.object({
  reviews: v.array(v.object({ id: uuid, words: v.array(v.string()) })),
  next: v.nullable(uuid),
})

/** The prefix of a review's id in `GET /review-ids/<prefix>`. */
export const reviewIdPrefix = v.pipe(
  v.string(),
  v.regex(/^[0-9a-fA-F][0-9a-fA-F-]{3,35}$/, 'must be at least four characters of an id'),
)

/** Response of `GET /review-ids/<prefix>`, this server's own route, outside `/v1`. */
export const reviewIdsResponse = v.object({ ids: v.array(v.string()) })
