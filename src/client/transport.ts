import * as v from 'valibot'
import {
  ApiError,
  Cancelled,
  ConnectionFailed,
  type Creation,
  mayHaveSucceeded,
  OutcomeUnknown,
  responseError,
  strangeAnswer,
} from './errors.ts'
import type { BufferedRequest, BufferedResponse, Fetch } from './fetch.ts'
import { DEFAULT_RETRY, type RetryPolicy, withRetry } from './retry.ts'
import { tolerant } from './tolerant.ts'

/** Where requests are sent, and how they are retried. */
export interface Endpoint {
  fetch: Fetch
  baseUrl: string
  retry?: RetryPolicy
  /** Obtains a new bearer token when the server rejects the first. */
  renew?: (() => Promise<string>) | undefined
}

/** Undefined parameters are omitted. */
export type QueryParameters = Readonly<Record<string, string | number | undefined>>

interface Target {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: QueryParameters
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Maximum number of attempts; the client's policy by default. */
  attempts?: number | undefined
}

export interface CallOptions<TSchema extends v.GenericSchema> extends Target {
  /** Sent as JSON; a string must already be JSON. */
  body?: unknown
  schema: TSchema
  /** What the request creates, if anything: it is not sent again once it may have arrived. */
  creates?: Creation | undefined
  /** What the signal aborts: also the request in progress (default), or only the wait between attempts. */
  signalEnds?: 'request' | 'waiting'
}

interface StreamOptions extends Target {
  /** Called for each attempt, so that a large file is not held in memory while the server reads it. */
  body?: () => Promise<Uint8Array>
}

export type Transport = ReturnType<typeof createTransport>

/** Sends requests with a bearer token, retries them where that may help, and reads responses. */
export function createTransport(
  deps: Endpoint & {
    bearer: string
    headers?: Record<string, string>
    /** The kind of bearer token; `key` by default. */
    credential?: ApiError['credential']
  },
) {
  const { fetch, credential = 'key', retry = DEFAULT_RETRY } = deps
  let { bearer, renew } = deps
  let renewed: Promise<string> | undefined
  const base = deps.baseUrl.replace(/\/+$/, '')
  const urlOf = ({ path, query = {} }: Target) => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
    return `${base}${path}${search.size > 0 ? `?${search}` : ''}`
  }
  const headersOf = ({ headers }: Target) => ({ ...deps.headers, ...headers, authorization: `Bearer ${bearer}` })
  const withValidBearer = async <T>(attempt: () => Promise<T>): Promise<T> => {
    try {
      const answer = await attempt()
      renew = undefined
      return answer
    } catch (error) {
      if (!renew || !(error instanceof ApiError) || error.status !== 401) throw error
      renewed ??= renew()
      bearer = await renewed
      return attempt()
    }
  }
  const withRetries = <T>(
    { signal, attempts = retry.attempts, creates }: Target & { creates?: Creation | undefined },
    attempt: () => Promise<T>,
  ) =>
    withRetry({ ...retry, attempts }, signal, () =>
      withValidBearer(attempt).catch((error: unknown) => {
        throw creates && mayHaveSucceeded(error) ? new OutcomeUnknown(creates, error) : error
      }),
    )

  return {
    /**
     * Sends a request and checks the JSON response against the contract's schema.
     *
     * @throws {ApiError} for an error envelope or a response in another format
     * @throws {ConnectionFailed} when there was no response
     * @throws {OutcomeUnknown} when there was none to a request that creates something
     * @throws {Cancelled} when `signal` fired
     */
    call: <TSchema extends v.GenericSchema>(options: CallOptions<TSchema>): Promise<v.InferOutput<TSchema>> => {
      const { method, body, signal, signalEnds = 'request' } = options
      let mayBeDeleted = false
      return withRetries(options, async () => {
        const headers: Record<string, string> = { accept: 'application/json', ...headersOf(options) }
        const ending = signalEnds === 'request' ? signal : undefined
        const request: BufferedRequest = { method, url: urlOf(options), headers, signal: ending }
        if (body !== undefined) {
          headers['content-type'] = 'application/json'
          request.body = typeof body === 'string' ? body : JSON.stringify(body)
        }
        // A server in this process ignores the signal once it has the request.
        if (signal?.aborted) throw new Cancelled()
        const failed = (error: unknown): never => {
          mayBeDeleted ||= method === 'DELETE' && mayHaveSucceeded(error)
          throw error
        }
        const { response, text } = await sendBuffered(fetch, base, request).catch(failed)
        const refused = response.ok ? undefined : responseError(response, text, credential)
        // An earlier attempt deleted it, but its response was lost.
        const isGone = mayBeDeleted && refused?.code === 'not_found'
        if (refused && !isGone) failed(refused)
        const checked = v.safeParse(tolerant(options.schema), isGone ? undefined : jsonOf(text))
        if (checked.success) return checked.output
        throw strangeAnswer(response, text, `${method} ${options.path}`, credential)
      })
    },

    /** Sends a request whose response is not JSON or is streamed. Throws as `call` does. */
    stream: (options: StreamOptions): Promise<Response> =>
      withRetries(options, async () => {
        const { method, signal } = options
        const body = options.body ? viewOf(await options.body()) : null
        if (signal?.aborted) throw new Cancelled()
        const init = { method, headers: headersOf(options), body, signal: signal ?? null, ...NO_REDIRECTS }
        const response = await orConnectionFailed(base, signal, () => fetch(new Request(urlOf(options), init)))
        if (response.ok) return response
        throw responseError(response, await response.text().catch(() => ''), credential)
      }),
  }
}

/** When `fetch` follows a redirect, it drops the key if the origin changes, and turns a POST into a GET (301, 302). */
const NO_REDIRECTS = { redirect: 'manual' } as const

/** Without copying. `Request` rejects views of shared memory, which files are never read into. */
function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
}

/** Undefined for an empty body and for anything that is not JSON. */
function jsonOf(text: string): unknown {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson()), text)
  return parsed.success ? parsed.output : undefined
}

/**
 * Sends a request once and buffers the response.
 *
 * @throws {ConnectionFailed | Cancelled}
 */
export function sendBuffered(
  fetch: Fetch,
  base: string,
  request: BufferedRequest,
): Promise<{ response: BufferedResponse; text: string }> {
  return orConnectionFailed(base, request.signal, async () => {
    const { url, signal = null, body = null, ...init } = request
    const response = await (fetch.buffered
      ? fetch.buffered(request)
      : fetch(new Request(url, { ...init, body, signal, ...NO_REDIRECTS })))
    return { response, text: await response.text() }
  })
}

async function orConnectionFailed<T>(
  base: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal?.aborted) throw new Cancelled()
    throw new ConnectionFailed(base, { cause: error })
  }
}
