import * as v from 'valibot'
import { explanation } from '../contract/explain.ts'
import { type queryBody, queryResponse } from '../contract/query.ts'
import {
  hiddenWordsResponse,
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

/** Filters and paging of `GET /v1/reviews`, as in the query string. */
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
 * A client for one key, covering `/v1` and this server's own routes. Every method throws as documented on {@link
 * createTransport}.
 *
 * @param deps.headers sent with every request
 * @param deps.signal aborts calls without a signal of their own
 */
export function createClient(
  deps: Endpoint & { key: string; headers?: Record<string, string>; signal?: AbortSignal | undefined },
) {
  const { call, stream } = createTransport({ ...deps, bearer: deps.key })
  return {
    /**
     * @param batch JSON of an array of 1–100 reviews, at most 1 MiB
     * @param signal aborts the wait between attempts; a batch being sent is completed, so that its outcome is known
     */
    push: (batch: string, signal?: AbortSignal) =>
      call({ method: 'POST', path: '/v1/reviews', body: batch, schema: pushResponse, signal, signalEnds: 'waiting' }),
    /** @param attempts maximum number of attempts; the policy's by default */
    list: (query: ListOptions, signal?: AbortSignal, attempts?: number) =>
      call({ method: 'GET', path: '/v1/reviews', query, schema: listResponse, signal, attempts }),
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
    /** Ids of up to ten reviews with this prefix. */
    async reviewIds(beginning: string, signal?: AbortSignal) {
      const path = `/review-ids/${encodeURIComponent(beginning)}`
      return (await call({ method: 'GET', path, schema: reviewIdsResponse, signal })).ids
    },
    /** The words of the sentences that were hidden in the console, by the ids of their reviews. */
    async hiddenWords(signal?: AbortSignal): Promise<Map<string, string[]>> {
      const found = new Map<string, string[]>()
      let after: string | undefined
      do {
        const path = '/hidden-words'
        const page = await call({ method: 'GET', path, query: { after }, schema: hiddenWordsResponse, signal })
        for (const { id, words } of page.reviews) found.set(id, words)
        after = page.next ?? undefined
      } while (after !== undefined)
      return found
    },
    /** The project and environment of a secret key. */
    whoami: () => call({ method: 'GET', path: '/whoami', schema: whoamiResponse, signal: deps.signal }),
    /** Why results appear (with another floor, if given), and why the named review does not. */
    explain: (
      body: QueryOptions & { review?: string | undefined; floor?: number | undefined },
      signal?: AbortSignal,
      attempts?: number,
    ) => call({ method: 'POST', path: '/explain', body, schema: explanation, signal, attempts }),
    upload: (upload: Upload, options?: UploadOptions) => uploadFile(stream, deps.baseUrl, upload, options),
    /** @param path `errors_csv` of an import's response */
    async errorsCsv(path: string) {
      const response = await stream({ method: 'GET', path })
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}

function reviewPath(id: string): string {
  return `/v1/reviews/${encodeURIComponent(id)}`
}
