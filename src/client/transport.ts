import * as v from 'valibot'
import {
  ApiError,
  Cancelled,
  ConnectionFailed,
  type Creation,
  mayHaveSucceeded,
  OutcomeUnknown,
  responseError,
  unexpectedResponse,
} from './errors.ts'
import type { BufferedRequest, BufferedResponse, Fetch } from './fetch.ts'
import { DEFAULT_RETRY, type RetryPolicy, withRetry } from './retry.ts'
import { tolerant } from './tolerant.ts'

/** Where requests go, and how often they are tried. */
export interface Endpoint {
  fetch: Fetch
  baseUrl: string
  retry?: RetryPolicy
  /** Makes another bearer token where the server does not accept the one it is first sent. */
  renew?: (() => Promise<string>) | undefined
}

/** Undefined parameters are left out. */
export type QueryParameters = Readonly<Record<string, string | number | undefined>>

interface Target {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: QueryParameters
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** How often it is tried at most; default: as the client's policy says. */
  tries?: number | undefined
}

export interface CallOptions<TSchema extends v.GenericSchema> extends Target {
  /** Sent as JSON. A string is sent as it is, being JSON already. */
  body?: unknown
  schema: TSchema
  /** What each sending of the request creates: it is not sent again once it may have arrived. */
  creates?: Creation | undefined
  /** What the signal ends: also the request in progress (default), or only the waiting between attempts. */
  signalEnds?: 'request' | 'waiting'
}

interface StreamOptions extends Target {
  /** Called for each try, so that nothing here holds a large file while the server reads it. */
  body?: () => Promise<Uint8Array>
}

export type Transport = ReturnType<typeof createTransport>

/** Sends requests with a bearer token, again where another try may help, and reads answers. */
export function createTransport(
  deps: Endpoint & {
    bearer: string
    headers?: Record<string, string>
    /** What the bearer token is; default: `key`. */
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
    { signal, tries = retry.attempts, creates }: Target & { creates?: Creation | undefined },
    attempt: () => Promise<T>,
  ) =>
    withRetry({ ...retry, attempts: tries }, signal, () =>
      withValidBearer(attempt).catch((error: unknown) => {
        throw creates && mayHaveSucceeded(error) ? new OutcomeUnknown(creates, error) : error
      }),
    )

  return {
    /**
     * JSON, checked with the contract's schema.
     *
     * @throws {ApiError} for an error envelope or an answer in another shape
     * @throws {ConnectionFailed} when no answer came
     * @throws {OutcomeUnknown} when none came to a request that makes something
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
        // A server in this process does not listen to the signal once it has the request.
        if (signal?.aborted) throw new Cancelled()
        const failed = (error: unknown): never => {
          mayBeDeleted ||= method === 'DELETE' && mayHaveSucceeded(error)
          throw error
        }
        const { response, text } = await sendBuffered(fetch, base, request).catch(failed)
        const refused = response.ok ? undefined : responseError(response, text, credential)
        // An earlier try deleted it, and its answer was lost.
        const isGone = mayBeDeleted && refused?.code === 'not_found'
        if (refused && !isGone) failed(refused)
        const checked = v.safeParse(tolerant(options.schema), isGone ? undefined : jsonOf(text))
        if (checked.success) return checked.output
        const message = `the answer to ${method} ${options.path} is not what this version expects`
        throw unexpectedResponse(response, message, credential)
      })
    },

    /** An answer that is not JSON, or is read as a stream. Throws what `call` throws. */
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

/** A `fetch` that follows one leaves the key behind where the origin is another, and makes a push a question (301, 302). */
const NO_REDIRECTS = { redirect: 'manual' } as const

/** Not copied. `Request` takes no view of a memory that threads share, which no file is read into. */
function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
}

/** Undefined for an empty body, as for anything that is not JSON. */
function jsonOf(text: string): unknown {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson()), text)
  return parsed.success ? parsed.output : undefined
}

/** Sends a request once and reads the answer whole. @throws {ConnectionFailed | Cancelled} */
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
