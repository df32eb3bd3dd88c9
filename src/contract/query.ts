import * as v from 'valibot'
import type { ErrorDetail } from './errors.ts'
import { boundedArray, fields, oneOrMany } from './fields.ts'
import {
  INCLUDE_ITEMS,
  QUERY_LENGTH,
  QUERY_LIMIT,
  RATING,
  SOURCE_FILTER_ITEMS,
  SOURCE_FILTER_LENGTH,
} from './limits.ts'
import { type Metadata, metadata } from './metadata.ts'
import { integerParameter, rating, type Source, source } from './review.ts'
import { storableText, trimmedText } from './text.ts'
import { dateOrDateTime } from './timestamp.ts'
import { shownPath, type Validated, validate } from './validate.ts'

/** A query after validation, the same for the GET and the POST form. Equal requests are equal as JSON. */
export interface QueryRequest {
  /** Trimmed search text; absent for the newest publishable reviews. */
  q?: string
  limit: number
  mode: 'excerpts' | 'reviews'
  include_text: boolean
  fallback: 'none' | 'recent'
  filters: QueryFilters
}

export interface QueryFilters {
  min_rating?: number
  /** Sorted and without repeats. A name that is no known source matches nothing. */
  sources?: string[]
  since?: Date
  /** Sorted by key. */
  metadata: [key: string, value: string][]
}

const q = trimmedText(1, QUERY_LENGTH)
const mode = v.picklist(['excerpts', 'reviews'], 'must be excerpts or reviews')
const fallback = v.picklist(['none', 'recent'], 'must be none or recent')
const includeItem = v.literal('text', 'must be text')
const limit = v.pipe(
  v.number(),
  v.integer('must be a whole number'),
  v.minValue(QUERY_LIMIT.min, `must be at least ${QUERY_LIMIT.min}`),
  v.maxValue(QUERY_LIMIT.max, `must be at most ${QUERY_LIMIT.max}`),
)
const sourceName = storableText(1, SOURCE_FILTER_LENGTH)

const FLAT_METADATA = 'metadata.'

/** The fields of `filters` that have a name; `metadata.<key>` stands beside them. */
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
 * `filters` with its flat `metadata.<key>` fields, which are moved into a map of their own before the named fields are
 * checked, since strict objects know no patterns.
 */
export const filters = {
  ...namedFilters,
  '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
    const input = dataset.value
    const entries = typeof input === 'object' && !Array.isArray(input) ? Object.entries(input ?? {}) : []
    const flat = entries.filter(([key]) => key.startsWith(FLAT_METADATA))
    // Object.fromEntries defines own properties, so that a key named __proto__ stays a key.
    const named = Object.fromEntries(entries.filter(([key]) => !key.startsWith(FLAT_METADATA)))
    const flatMap = Object.fromEntries(flat.map(([key, value]) => [key.slice(FLAT_METADATA.length), value]))
    const checked = namedFilters['~run']({ value: entries.length > 0 ? named : input }, config)
    const checkedFlat = metadata['~run']({ value: flatMap }, config)
    const [first, ...more] = [...(checked.issues ?? []), ...(checkedFlat.issues ?? []).map(flatIssue)]
    if (first) return { typed: false, value: input, issues: [first, ...more] }
    return { typed: true, value: { ...(checked.value as FilterOutput), flatMetadata: checkedFlat.value as Metadata } }
  },
} as unknown as v.GenericSchema<unknown, FilterOutput>

/** Names the finding's field as it was written: `metadata.<key>` is one field of `filters`. */
function flatIssue(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown> {
  const [item] = issue.path ?? []
  const key = item === undefined ? 'metadata' : `${FLAT_METADATA}${String(item.key)}`
  return { ...issue, path: [{ type: 'object', origin: 'value', input: {}, key, value: null }] }
}

/** The body of `POST /v1/query`. */
export const queryBody = fields({
  q: v.optional(q),
  limit: v.optional(limit, QUERY_LIMIT.default),
  mode: v.optional(mode, 'excerpts'),
  include: v.optional(oneOrMany(includeItem, boundedArray(includeItem, { max: INCLUDE_ITEMS, noun: 'item' }))),
  fallback: v.optional(fallback, 'none'),
  filters: v.optional(filters),
})

/** Validates the JSON body of `POST /v1/query`; `undefined` (an empty body) equals `{}`. */
export function parseQueryBody(body: unknown): Validated<QueryRequest> {
  const result = validate(queryBody, body === undefined ? {} : body)
  if (!result.ok) return result
  const { filters: given, ...value } = result.value
  return {
    ok: true,
    value: normalized({
      ...value,
      include_text: [value.include ?? []].flat().length > 0,
      min_rating: given?.min_rating,
      sources: given?.source === undefined ? undefined : [given.source].flat(),
      since: given?.since,
      metadata: [...Object.entries(given?.metadata ?? {}), ...Object.entries(given?.flatMetadata ?? {})],
    }),
  }
}

const ONCE = ['q', 'limit', 'mode', 'fallback', 'min_rating', 'since']

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

/**
 * Validates the query string of `GET /v1/query`. `key` is authentication and must have been taken out before.
 * Findings name the parameter as it was written.
 */
export function parseQueryParameters(parameters: URLSearchParams): Validated<QueryRequest> {
  const details: ErrorDetail[] = []
  const plain: [string, unknown][] = []
  const meta: [string, string][] = []
  const valuesByName = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    const values = valuesByName.get(name)
    if (values) values.push(value)
    else valuesByName.set(name, [value])
  }
  for (const [name, values] of valuesByName) {
    const isMetadata = name.startsWith(FLAT_METADATA)
    if (values.length > 1 && (isMetadata || ONCE.includes(name))) {
      details.push({ path: shownPath(name), message: 'must be given once' })
    } else if (isMetadata) meta.push([name.slice(FLAT_METADATA.length), values[0] ?? ''])
    else if (name === 'include' || name === 'source') plain.push([name, values.flatMap((value) => value.split(','))])
    else plain.push([name, values[0]])
  }
  const checked = validate(queryParameters, Object.fromEntries(plain))
  const checkedMeta = validate(metadata, Object.fromEntries(meta))
  if (!checked.ok) details.push(...checked.details)
  if (!checkedMeta.ok) details.push(...checkedMeta.details.map((d) => ({ ...d, path: metadataPath(d.path) })))
  if (!checked.ok || !checkedMeta.ok || details.length > 0) return { ok: false, details }
  const { value } = checked
  return {
    ok: true,
    value: normalized({
      ...value,
      include_text: value.include !== undefined,
      sources: value.source,
      metadata: Object.entries(checkedMeta.value),
    }),
  }
}

function metadataPath(path: string): string {
  return path === '(body)' ? 'metadata' : `${FLAT_METADATA}${path}`
}

interface Loose extends Pick<QueryRequest, 'limit' | 'mode' | 'fallback' | 'include_text'> {
  q?: string | undefined
  min_rating?: number | undefined
  sources?: string[] | undefined
  since?: Date | undefined
  metadata: [string, string][]
}

/** Drops what changes nothing and sorts what has no order, so that equal requests share one cache entry. */
function normalized(loose: Loose): QueryRequest {
  const byKey = [...new Map(loose.metadata)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const sources = [...new Set(loose.sources ?? [])].sort()
  return {
    ...(loose.q === undefined ? {} : { q: loose.q }),
    limit: loose.limit,
    mode: loose.mode,
    include_text: loose.include_text || loose.mode === 'reviews',
    fallback: loose.fallback,
    filters: {
      ...(loose.min_rating === undefined ? {} : { min_rating: loose.min_rating }),
      ...(sources.length === 0 ? {} : { sources }),
      ...(loose.since === undefined ? {} : { since: loose.since }),
      metadata: byKey,
    },
  }
}

/** One row of a query's answer. */
export interface QueryResult {
  score: number | null
  matched: boolean
  excerpt: string
  excerpt_id: string
  /** UTF-16 offsets into `review.text`, end exclusive. */
  highlight: { start: number; end: number } | null
  review: {
    id: string
    rating: number | null
    author_name: string | null
    author_avatar_url: string | null
    source: Source
    occurred_at: string | null
    url: string | null
    metadata: Metadata
    text?: string
  }
}

export interface QueryResponse {
  results: QueryResult[]
  match: 'query' | 'fallback' | 'none' | 'recent'
  took_ms: number
  cached: boolean
  badge: boolean
}
