import * as v from 'valibot'
import { type Explanation, explanation } from '../contract/explain.ts'
import type { Metadata } from '../contract/metadata.ts'
import type { QueryResponse } from '../contract/query.ts'
import { type ReviewPatch, SOURCES, type StoredReview } from '../contract/review.ts'
import { reviewIds } from '../contract/review-ids.ts'
import { type WhoAmI, whoami } from '../contract/whoami.ts'
import { type Caller, type CallOptions, createCaller, type Fetch, type RetryPolicy } from './call.ts'

// What the client relies on. Fields that a later server adds pass through.
const nullableString = v.nullable(v.string())
const source = v.picklist(SOURCES)
// Not `v.record`, which would drop a key such as `__proto__`.
const metadata = v.custom<Metadata>((value) => typeof value === 'object' && value !== null && !Array.isArray(value))

const storedReview = v.looseObject({
  id: v.string(),
  external_id: v.string(),
  source,
  rating: v.nullable(v.number()),
  text: v.string(),
  author_name: nullableString,
  author_avatar_url: nullableString,
  occurred_at: nullableString,
  url: nullableString,
  language: nullableString,
  metadata,
  sentiment: v.nullable(v.picklist(['positive', 'neutral', 'negative'])),
  sentiment_source: v.nullable(v.picklist(['rating', 'model'])),
  hidden: v.boolean(),
  status: v.picklist(['indexing', 'indexed']),
  created_at: v.string(),
  updated_at: v.string(),
})

const pushAnswer = v.looseObject({
  reviews: v.array(
    v.looseObject({
      id: v.string(),
      external_id: v.string(),
      source,
      status: v.picklist(['indexing', 'indexed']),
    }),
  ),
  indexing: v.optional(v.literal('deferred')),
})
export type PushAnswer = v.InferOutput<typeof pushAnswer>

const listAnswer = v.looseObject({ reviews: v.array(storedReview), next_cursor: nullableString })

const queryAnswer = v.looseObject({
  results: v.array(
    v.looseObject({
      score: v.nullable(v.number()),
      matched: v.boolean(),
      excerpt: v.string(),
      excerpt_id: v.string(),
      highlight: v.nullable(v.looseObject({ start: v.number(), end: v.number() })),
      review: v.looseObject({
        id: v.string(),
        rating: v.nullable(v.number()),
        author_name: nullableString,
        author_avatar_url: nullableString,
        source,
        occurred_at: nullableString,
        url: nullableString,
        metadata,
        text: v.exactOptional(v.string()),
      }),
    }),
  ),
  match: v.picklist(['query', 'fallback', 'none', 'recent']),
  took_ms: v.number(),
  cached: v.boolean(),
  badge: v.boolean(),
})

/** The filters and the paging of `GET /v1/reviews`, as they stand in the query string. */
export interface ListOptions {
  cursor?: string | undefined
  limit?: number | undefined
  source?: string | undefined
  min_rating?: number | undefined
  hidden?: 'true' | 'false' | 'all' | undefined
  since?: string | undefined
  indexed?: 'true' | 'false' | undefined
}

/** The body of `POST /v1/query`. */
export interface QueryOptions {
  q?: string | undefined
  limit?: number | undefined
  mode?: string | undefined
  include?: string[] | undefined
  fallback?: string | undefined
  filters?: {
    min_rating?: number | undefined
    source?: string[] | undefined
    since?: string | undefined
    metadata?: Record<string, string> | undefined
  }
}

export interface ListPage {
  reviews: StoredReview[]
  next_cursor: string | null
}

/** A client of `/v1` for one key. Every method throws what {@link createCaller} says. */
export interface Client {
  /**
   * @param batch JSON of an array of 1–100 reviews, at most 1 MiB
   * @param signal ends the waiting between tries; a batch under way is finished, so that its outcome is known
   */
  push(batch: string, signal?: AbortSignal): Promise<PushAnswer>
  list(options: ListOptions, signal?: AbortSignal): Promise<ListPage>
  show(id: string, signal?: AbortSignal): Promise<StoredReview>
  patch(id: string, patch: ReviewPatch, signal?: AbortSignal): Promise<StoredReview>
  delete(id: string, signal?: AbortSignal): Promise<void>
  /** @returns the answer and the request's id */
  query(
    options: QueryOptions,
    extras?: { noCache?: boolean; origin?: string | undefined; signal?: AbortSignal },
  ): Promise<{ answer: QueryResponse; requestId: string | undefined }>
  /** This server's own route: ids of reviews that begin so, at most ten. */
  reviewIds(beginning: string, signal?: AbortSignal): Promise<string[]>
  /** This server's own route: of which project and environment a secret key is. */
  whoami(signal?: AbortSignal): Promise<WhoAmI>
  /** This server's own route: why results appear (with another floor, if given), and why that review does not. */
  explain(
    options: QueryOptions & { review?: string | undefined; floor?: number | undefined },
    signal?: AbortSignal,
  ): Promise<Explanation>
}

export function createClient(deps: {
  fetch: Fetch
  baseUrl: string
  key: string
  retry?: RetryPolicy
  /** Sent with every request. */
  headers?: Record<string, string>
}): Client {
  const caller: Caller = createCaller({ ...deps, bearer: deps.key })
  const call = <TSchema extends v.GenericSchema>(options: CallOptions<TSchema>) => caller.call(options)
  return {
    async push(batch, signal) {
      const options = { method: 'POST', path: '/v1/reviews', body: batch, answer: pushAnswer } as const
      return (await call({ ...options, signal, signalEnds: 'waiting' })).value
    },
    async list(options, signal) {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(options)) if (value !== undefined) query.set(name, String(value))
      return (await call({ method: 'GET', path: '/v1/reviews', query, answer: listAnswer, signal })).value
    },
    async show(id, signal) {
      return (await call({ method: 'GET', path: reviewPath(id), answer: storedReview, signal })).value
    },
    async patch(id, patch, signal) {
      return (await call({ method: 'PATCH', path: reviewPath(id), body: patch, answer: storedReview, signal })).value
    },
    async delete(id, signal) {
      await call({ method: 'DELETE', path: reviewPath(id), answer: v.unknown(), signal })
    },
    async explain(body, signal) {
      return (await call({ method: 'POST', path: '/explain', body, answer: explanation, signal })).value
    },
    async reviewIds(beginning, signal) {
      const path = `/review-ids/${encodeURIComponent(beginning)}`
      return (await call({ method: 'GET', path, answer: reviewIds, signal })).value.ids
    },
    async whoami(signal) {
      return (await call({ method: 'GET', path: '/whoami', answer: whoami, signal })).value
    },
    async query(options, extras = {}) {
      const headers: Record<string, string> = {}
      if (extras.noCache) headers['cache-control'] = 'no-cache'
      if (extras.origin !== undefined) headers.origin = extras.origin
      const answer = await call({
        method: 'POST',
        path: '/v1/query',
        body: options,
        headers,
        answer: queryAnswer,
        signal: extras.signal,
      })
      return { answer: answer.value, requestId: answer.headers.get('x-request-id') ?? undefined }
    },
  }
}

function reviewPath(id: string): string {
  return `/v1/reviews/${encodeURIComponent(id)}`
}
