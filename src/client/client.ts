import * as v from 'valibot'
import { type Explanation, explanation } from '../contract/explain.ts'
import { type QueryResponse, queryResponse } from '../contract/query.ts'
import {
  type ListResponse,
  listResponse,
  type PushResponse,
  pushResponse,
  type ReviewPatch,
  reviewIdsResponse,
  type StoredReview,
  storedReview,
} from '../contract/review.ts'
import { type WhoamiResponse, whoamiResponse } from '../contract/whoami.ts'
import type { Fetch } from './fetch.ts'
import type { RetryPolicy } from './retry.ts'
import { type CallOptions, createTransport, type Transport } from './transport.ts'

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

/** A client of `/v1` for one key. Every method throws what {@link createTransport} says. */
export interface Client {
  /**
   * @param batch JSON of an array of 1–100 reviews, at most 1 MiB
   * @param signal ends the waiting between tries; a batch under way is finished, so that its outcome is known
   */
  push(batch: string, signal?: AbortSignal): Promise<PushResponse>
  list(options: ListOptions, signal?: AbortSignal): Promise<ListResponse>
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
  whoami(signal?: AbortSignal): Promise<WhoamiResponse>
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
  const caller: Transport = createTransport({ ...deps, bearer: deps.key })
  const call = <TSchema extends v.GenericSchema>(options: CallOptions<TSchema>) => caller.call(options)
  return {
    async push(batch, signal) {
      const options = { method: 'POST', path: '/v1/reviews', body: batch, answer: pushResponse } as const
      return (await call({ ...options, signal, signalEnds: 'waiting' })).value
    },
    async list(options, signal) {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(options)) if (value !== undefined) query.set(name, String(value))
      return (await call({ method: 'GET', path: '/v1/reviews', query, answer: listResponse, signal })).value
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
      return (await call({ method: 'GET', path, answer: reviewIdsResponse, signal })).value.ids
    },
    async whoami(signal) {
      return (await call({ method: 'GET', path: '/whoami', answer: whoamiResponse, signal })).value
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
        answer: queryResponse,
        signal: extras.signal,
      })
      return { answer: answer.value, requestId: answer.headers.get('x-request-id') ?? undefined }
    },
  }
}

function reviewPath(id: string): string {
  return `/v1/reviews/${encodeURIComponent(id)}`
}
