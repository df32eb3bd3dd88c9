import * as v from 'valibot'
import { explanation } from '../contract/explain.ts'
import { type queryBody, queryResponse } from '../contract/query.ts'
import {
  type listParameters,
  listResponse,
  pushResponse,
  type ReviewPatch,
  reviewIdsResponse,
  storedReview,
} from '../contract/review.ts'
import { whoamiResponse } from '../contract/whoami.ts'
import { type Upload, type UploadOptions, uploadFile } from './imports.ts'
import { createTransport, type Endpoint } from './transport.ts'

/** The filters and the paging of `GET /v1/reviews`, as they stand in the query string. */
export type ListOptions = { [name in keyof (typeof listParameters)['entries']]?: string | number | undefined }

/** The body of `POST /v1/query`. */
export interface QueryOptions extends Omit<v.InferInput<typeof queryBody>, 'filters'> {
  filters?: {
    min_rating?: number | undefined
    source?: string[] | undefined
    since?: string | undefined
    metadata?: Record<string, string> | undefined
  }
}

export type Client = ReturnType<typeof createClient>

/**
 * A client for one key, of `/v1` and of this server's own routes. Every method throws what {@link createTransport} says.
 *
 * @param deps.headers sent with every request
 * @param deps.signal ends what takes no signal of its own
 */
export function createClient(
  deps: Endpoint & { key: string; headers?: Record<string, string>; signal?: AbortSignal | undefined },
) {
  const { call, stream } = createTransport({ ...deps, bearer: deps.key })
  return {
    /**
     * @param batch JSON of an array of 1–100 reviews, at most 1 MiB
     * @param signal ends the waiting between tries; a batch under way is finished, so that its outcome is known
     */
    push: (batch: string, signal?: AbortSignal) =>
      call({ method: 'POST', path: '/v1/reviews', body: batch, schema: pushResponse, signal, signalEnds: 'waiting' }),
    /** @param tries how often at most; default: as the policy says */
    list: (query: ListOptions, signal?: AbortSignal, tries?: number) =>
      call({ method: 'GET', path: '/v1/reviews', query, schema: listResponse, signal, tries }),
    show: (id: string, signal?: AbortSignal) =>
      call({ method: 'GET', path: reviewPath(id), schema: storedReview, signal }),
    patch: (id: string, body: ReviewPatch, signal?: AbortSignal) =>
      call({ method: 'PATCH', path: reviewPath(id), body, schema: storedReview, signal }),
    delete: (id: string, signal?: AbortSignal) =>
      call({ method: 'DELETE', path: reviewPath(id), schema: v.unknown(), signal }),
    query(body: QueryOptions, extras: { noCache?: boolean; origin?: string | undefined; signal?: AbortSignal } = {}) {
      const headers: Record<string, string> = {}
      if (extras.noCache) headers['cache-control'] = 'no-cache'
      if (extras.origin !== undefined) headers.origin = extras.origin
      const { signal } = extras
      return call({ method: 'POST', path: '/v1/query', body, headers, schema: queryResponse, signal })
    },
    /** Ids of reviews that begin so, at most ten. */
    async reviewIds(beginning: string, signal?: AbortSignal) {
      const path = `/review-ids/${encodeURIComponent(beginning)}`
      return (await call({ method: 'GET', path, schema: reviewIdsResponse, signal })).ids
    },
    /** The project and environment of a secret key. */
    whoami: () => call({ method: 'GET', path: '/whoami', schema: whoamiResponse, signal: deps.signal }),
    /** Why results appear (with another floor, if given), and why that review does not. */
    explain: (
      body: QueryOptions & { review?: string | undefined; floor?: number | undefined },
      signal?: AbortSignal,
      tries?: number,
    ) => call({ method: 'POST', path: '/explain', body, schema: explanation, signal, tries }),
    upload: (upload: Upload, options?: UploadOptions) => uploadFile(stream, deps.baseUrl, upload, options),
    /** @param path `errors_csv` of an import's answer */
    async errorsCsv(path: string) {
      const response = await stream({ method: 'GET', path })
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}

function reviewPath(id: string): string {
  return `/v1/reviews/${encodeURIComponent(id)}`
}
