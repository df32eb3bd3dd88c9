import * as v from 'valibot'
import { boundedArray, fields, oneOrMany } from './fields.ts'
import {
  INCLUDE_ITEMS,
  QUERY_LENGTH,
  QUERY_LIMIT,
  RATING,
  SOURCE_FILTER_ITEMS,
  SOURCE_FILTER_LENGTH,
} from './limits.ts'
import { type Metadata, metadata, storedMetadata } from './metadata.ts'
import { rating, source } from './review.ts'
import { count, instant, integerBetween, integerParameter, uuid } from './scalars.ts'
import { storableText, trimmedText } from './text.ts'
import { dateOrDateTime } from './timestamp.ts'

/** A validated query, the same for GET and POST. Equal requests serialize to equal JSON. */
export interface QueryRequest {
  /** Trimmed search text; undefined for the newest publishable reviews. */
  q?: string
  limit: number
  mode: 'excerpts' | 'reviews'
  include_text: boolean
  fallback: 'none' | 'recent'
  filters: QueryFilters
}

export interface QueryFilters {
  min_rating?: number
  /** Sorted and unique. An unknown source matches nothing. */
  sources?: string[]
  since?: Date
  /** Sorted by key. */
  metadata: [key: string, value: string][]
}

const q = trimmedText(QUERY_LENGTH)
const mode = v.picklist(['excerpts', 'reviews'], 'must be excerpts or reviews')
const fallback = v.picklist(['none', 'recent'], 'must be none or recent')
/** What `include` adds to results. */
export const includeItem = v.literal('text', 'must be text')
const sourceName = storableText(SOURCE_FILTER_LENGTH)

/** Prefix of a filter by one metadata key. */
export const FLAT_METADATA = 'metadata.'

/** The fixed fields of `filters`, besides `metadata.<key>`. */
const namedFilters = fields({
  min_rating: v.optional(rating),
  source: v.optional(oneOrMany(sourceName, v.array(sourceName))),
  since: v.optional(dateOrDateTime),
  metadata: v.optional(metadata),
})

interface FilterOutput extends v.InferOutput<typeof namedFilters> {
  flatMetadata: Metadata
}

/**
 * `filters` with its flat `metadata.<key>` fields, which are moved to a map of their own before the fixed fields are
 * checked, because strict objects do not support patterns.
 */
export const filters = {
  ...namedFilters,
  '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
    const input = dataset.value
    const entries = typeof input === 'object' && !Array.isArray(input) ? Object.entries(input ?? {}) : []
    const flat = entries.filter(([key]) => key.startsWith(FLAT_METADATA))
    // Object.fromEntries creates own properties even for "__proto__".
    const named = Object.fromEntries(entries.filter(([key]) => !key.startsWith(FLAT_METADATA)))
    const flatMap = Object.fromEntries(flat.map(([key, value]) => [key.slice(FLAT_METADATA.length), value]))
    const checked = namedFilters['~run']({ value: entries.length > 0 ? named : input }, config)
    const checkedFlat = metadata['~run']({ value: flatMap }, config)
    const [first, ...more] = [...(checked.issues ?? []), ...(checkedFlat.issues ?? []).map(flatIssue)]
    if (first) return { typed: false, value: input, issues: [first, ...more] }
    return { typed: true, value: { ...(checked.value as FilterOutput), flatMetadata: checkedFlat.value as Metadata } }
  },
} as unknown as v.GenericSchema<unknown, FilterOutput>

/** Names the field as it was written: `metadata.<key>` is a single field of `filters`. */
function flatIssue(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown> {
  const [item] = issue.path ?? []
  const key = item === undefined ? 'metadata' : `${FLAT_METADATA}${String(item.key)}`
  return { ...issue, path: [{ type: 'object', origin: 'value', input: {}, key, value: null }] }
}

/** The body of `POST /v1/query`. */
export const queryBody = fields({
  q: v.optional(q),
  limit: v.optional(integerBetween(QUERY_LIMIT), QUERY_LIMIT.default),
  mode: v.optional(mode, 'excerpts'),
  include: v.optional(oneOrMany(includeItem, boundedArray(includeItem, { max: INCLUDE_ITEMS, noun: 'item' }))),
  fallback: v.optional(fallback, 'none'),
  filters: v.optional(filters),
})

/** The query string of `GET /v1/query` without `metadata.<key>` parameters, lists already split at commas. */
export const queryParameters = fields({
  q: v.optional(q),
  limit: v.optional(integerParameter(QUERY_LIMIT), String(QUERY_LIMIT.default)),
  mode: v.optional(mode, 'excerpts'),
  include: v.optional(boundedArray(includeItem, { max: INCLUDE_ITEMS, noun: 'item' })),
  fallback: v.optional(fallback, 'none'),
  min_rating: v.optional(integerParameter(RATING)),
  source: v.optional(boundedArray(source, { max: SOURCE_FILTER_ITEMS, noun: 'item' })),
  since: v.optional(dateOrDateTime),
})

/** UTF-16 offsets into `review.text`, end exclusive. */
export const highlight = v.strictObject({ start: count, end: v.pipe(v.number(), v.integer(), v.minValue(1)) })

/** The review in a query result. */
export const foundReview = v.strictObject({
  id: uuid,
  rating: v.nullable(rating),
  author_name: v.nullable(v.string()),
  author_avatar_url: v.nullable(v.string()),
  source,
  occurred_at: v.nullable(instant),
  url: v.nullable(v.string()),
  metadata: storedMetadata,
  text: v.exactOptional(v.string()),
})

/** A query result. */
export const queryResult = v.strictObject({
  score: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  matched: v.boolean(),
  excerpt: v.string(),
  excerpt_id: uuid,
  highlight: v.nullable(highlight),
  review: foundReview,
})
export type QueryResult = v.InferOutput<typeof queryResult>

/** Response of `GET` and `POST /v1/query`. */
export const queryResponse = v.strictObject({
  results: v.array(queryResult),
  match: v.picklist(['query', 'fallback', 'none', 'recent']),
  took_ms: count,
  cached: v.boolean(),
  badge: v.boolean(),
})
export type QueryResponse = v.InferOutput<typeof queryResponse>
