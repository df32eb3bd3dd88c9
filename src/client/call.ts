import * as v from 'valibot'
import { ERROR_STATUS, type ErrorCode } from '../contract/errors.ts'
import { ApiError, Cancelled, ConnectionFailed } from './errors.ts'
import { tolerant } from './tolerant.ts'

/** The part of `fetch` that the client uses; the network's, or the server's own `app.fetch` in this process. */
export interface Fetch {
  (request: Request): Promise<Response>
  /** The same for what is JSON and read whole, without Node's own classes where it has a shorter way. */
  whole?: (request: WholeRequest) => Promise<WholeAnswer>
}

export interface WholeRequest {
  method: string
  url: string
  /** By their names in lower case. */
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
}

/** The part of a `Response` that is left when nothing is read in pieces. */
export interface WholeAnswer {
  status: number
  ok: boolean
  headers: Pick<Headers, 'get'>
  text(): Promise<string>
}

export interface Wait {
  reason: 'rate_limited' | 'service_unavailable' | 'embedding_unavailable' | 'connection_failed'
  seconds: number
  attempt: number
  attempts: number
}

export interface RetryPolicy {
  /** Tries altogether, the first included. */
  attempts: number
  /** The longest single wait; a `Retry-After` above it is not waited for. */
  longestWaitSeconds: number
  onWait?: (wait: Wait) => void
  /** Seconds -> done; tests pass one that does not wait. */
  sleep?: (seconds: number, signal?: AbortSignal) => Promise<void>
}

/** Enough for a full rate window (60 s) and for a database that restarts. */
export const DEFAULT_RETRY: RetryPolicy = { attempts: 6, longestWaitSeconds: 90 }

export interface CallOptions<TSchema extends v.GenericSchema> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: URLSearchParams
  /** Sent as JSON. A string is sent as it is, being JSON already. */
  body?: unknown
  headers?: Record<string, string>
  answer: TSchema
  signal?: AbortSignal | undefined
  /** What the signal ends: the request under way too (default), or only the waiting between tries. */
  signalEnds?: 'request' | 'waiting'
}

export interface Answer<T> {
  value: T
  headers: WholeAnswer['headers']
}

export interface Caller {
  call<TSchema extends v.GenericSchema>(options: CallOptions<TSchema>): Promise<Answer<v.InferOutput<TSchema>>>
}

/**
 * Sends requests with a bearer token and reads answers. A 429 or 503 with `Retry-After` is tried again after that time,
 * a broken connection after 1, 2, 4 … seconds: every route of the API may be sent twice without harm.
 *
 * @throws {ApiError} for an error envelope or an answer in another shape
 * @throws {ConnectionFailed} when no answer came
 * @throws {Cancelled} when `signal` fired
 */
export function createCaller(deps: {
  fetch: Fetch
  baseUrl: string
  bearer: string
  retry?: RetryPolicy
  headers?: Record<string, string>
  /** What the bearer token is; `key` unless told. */
  presented?: ApiError['presented']
}): Caller {
  const retry = deps.retry ?? DEFAULT_RETRY
  const sleep = retry.sleep ?? sleepSeconds
  const base = deps.baseUrl.replace(/\/+$/, '')

  async function once(options: CallOptions<v.GenericSchema>): Promise<WholeAnswer> {
    const query = options.query && options.query.size > 0 ? `?${options.query}` : ''
    const url = `${base}${options.path}${query}`
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...deps.headers,
      ...options.headers,
      authorization: `Bearer ${deps.bearer}`,
    }
    const init: Omit<WholeRequest, 'url'> = { method: options.method, headers }
    if (options.signal && options.signalEnds !== 'waiting') init.signal = options.signal
    if (options.body !== undefined) {
      headers['content-type'] = 'application/json'
      init.body = typeof options.body === 'string' ? options.body : JSON.stringify(options.body)
    }
    // A server in this process does not listen to the signal once it has the request.
    if (options.signal?.aborted) throw new Cancelled()
    try {
      return await (deps.fetch.whole ? deps.fetch.whole({ url, ...init }) : deps.fetch(new Request(url, init)))
    } catch (error) {
      if (init.signal?.aborted) throw new Cancelled()
      throw new ConnectionFailed(base, { cause: error })
    }
  }

  return {
    async call(options) {
      for (let attempt = 1; ; attempt++) {
        const failure = await attemptOnce(once, options)
        if (!(failure instanceof Error)) return failure
        const wait = waitFor(failure, attempt, retry)
        if (failure instanceof ApiError && deps.presented) failure.presented = deps.presented
        if (!wait) throw failure
        retry.onWait?.(wait)
        await sleep(wait.seconds, options.signal)
        if (options.signal?.aborted) throw new Cancelled()
      }
    },
  }
}

async function attemptOnce<TSchema extends v.GenericSchema>(
  send: (options: CallOptions<v.GenericSchema>) => Promise<WholeAnswer>,
  options: CallOptions<TSchema>,
): Promise<Answer<v.InferOutput<TSchema>> | ApiError | ConnectionFailed> {
  let response: WholeAnswer
  let text: string
  try {
    response = await send(options)
    text = await response.text()
  } catch (error) {
    if (error instanceof ConnectionFailed) return error
    if (options.signal?.aborted) throw new Cancelled()
    if (error instanceof Cancelled) throw error
    return new ConnectionFailed(options.path, { cause: error })
  }
  const body = text === '' ? undefined : parseJson(text)
  if (!response.ok) return envelopeError(response, body)
  const checked = v.safeParse(tolerant(options.answer), body)
  if (checked.success) return { value: checked.output, headers: response.headers }
  return unexpected(response, `the answer to ${options.method} ${options.path} is not what this version expects`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const envelope = v.object({
  error: v.object({
    code: v.picklist(Object.keys(ERROR_STATUS) as ErrorCode[]),
    message: v.string(),
    request_id: v.optional(v.string()),
    details: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
  }),
})

/** The error of an answer that is not what was asked for. */
export async function refusalOf(response: WholeAnswer): Promise<ApiError> {
  const text = await response.text()
  return envelopeError(response, text === '' ? undefined : parseJson(text))
}

function envelopeError(response: WholeAnswer, body: unknown): ApiError {
  const checked = v.safeParse(envelope, body)
  if (!checked.success) return unexpected(response, `the server answered ${response.status} without an error envelope`)
  const { code, message, request_id, details } = checked.output.error
  return new ApiError({
    code,
    message,
    details,
    status: response.status,
    requestId: request_id ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfter(response),
  })
}

function unexpected(response: WholeAnswer, message: string): ApiError {
  const requestId = response.headers.get('x-request-id') ?? undefined
  return new ApiError({
    code: 'unexpected_answer',
    status: response.status,
    message,
    requestId,
    retryAfterSeconds: retryAfter(response),
  })
}

function retryAfter(response: WholeAnswer): number | undefined {
  const value = response.headers.get('retry-after')
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined
}

/** How long to wait before the next try, or `undefined` when another try is no use. */
function waitFor(failure: ApiError | ConnectionFailed, attempt: number, retry: RetryPolicy): Wait | undefined {
  if (attempt >= retry.attempts) return undefined
  const backoff = 2 ** (attempt - 1)
  const of = (reason: Wait['reason'], seconds: number): Wait | undefined =>
    seconds > retry.longestWaitSeconds ? undefined : { reason, seconds, attempt, attempts: retry.attempts }
  if (failure instanceof ConnectionFailed) return of('connection_failed', backoff)
  if (failure.code === 'rate_limited') return of('rate_limited', failure.retryAfterSeconds ?? backoff)
  if (failure.code === 'embedding_unavailable') return of('embedding_unavailable', failure.retryAfterSeconds ?? backoff)
  if (failure.status === 503) return of('service_unavailable', Math.max(failure.retryAfterSeconds ?? 1, backoff))
  return undefined
}

export function sleepSeconds(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, seconds * 1000)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
  })
}
