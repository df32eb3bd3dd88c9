import { STATUS_CODES } from 'node:http'
import { FastResponse, type ServerRequest } from 'srvx'
import { ERROR_STATUS, type ErrorEnvelope } from '../../src/contract/errors.ts'
import type { Log } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import type { ApiError } from './api-error.ts'
import { parseQueryString, type QueryString } from './query-string.ts'
import { requestIdOf } from './request-id.ts'
import { targetOf } from './request-target.ts'
import { isClientGone, toApiError } from './to-api-error.ts'

/** One request and what is known of its answer so far. */
export interface Exchange {
  readonly request: ServerRequest
  readonly requestId: string
  /** Path of the request line, nothing decoded. */
  readonly path: string
  readonly query: QueryString
  /** Headers that the answer will carry whatever comes of the request. */
  readonly headers: Record<string, string>
  /** `performance.now()` at the start. */
  readonly startedAt: number
  /** What the log line will tell besides status and time. Never a key, query text or review text. */
  readonly logged: { route?: string; project?: string; code?: string }
}

/** What a route answers. `body` is sent as JSON unless it is a string, bytes or a stream with a `content-type` of its own. */
export interface Reply {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** What is told of an answered request. */
export interface Answered {
  method: string
  /** The route's pattern, never the path as it was sent. Absent: no route. */
  route: string | undefined
  status: number
  seconds: number
  /** Of a query: what the result cache did. */
  cache: string | undefined
}

export interface ExchangeDeps {
  log: Log
  /** Address of the error reference without its `/errors`, e.g. `http://127.0.0.1:8787/docs`. */
  docsUrl: string
  /** Told of every answer. */
  observe?: ((answered: Answered) => void) | undefined
}

/** Headers of every answer (contract, conventions 3 and 4). */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
}

export function beginExchange(request: ServerRequest): Exchange {
  const requestId = requestIdOf(request.headers.get('x-request-id'))
  const { path, search } = targetOf(request)
  return {
    request,
    requestId,
    path,
    query: parseQueryString(search),
    headers: commonHeaders(requestId),
    startedAt: performance.now(),
    logged: {},
  }
}

/** Runs `work` and turns what it answers or throws into the response; writes the request's one log line. */
export async function respond(
  exchange: Exchange,
  deps: ExchangeDeps,
  work: () => Promise<Reply> | Reply,
): Promise<Response> {
  let reply: Reply
  let failure: unknown
  try {
    reply = await work()
  } catch (error) {
    if (isClientGone(error, exchange.request)) return leave(exchange, deps)
    const refusal = toApiError(error, exchange.requestId)
    if (refusal !== error) failure = error
    exchange.logged.code = refusal.code
    reply = refusalReply(refusal, exchange.requestId, deps.docsUrl)
  }
  const { status } = reply
  const fields = account(exchange, deps, status, reply.headers?.['x-cache'])
  if (failure === undefined) deps.log.info(fields, 'request')
  else if (status === 500) deps.log.error({ ...fields, error: describeError(failure) }, 'request failed')
  else deps.log.warn({ ...fields, error: describeError(failure) }, 'request failed')
  return toResponse(exchange, reply)
}

/** What the log tells of a request that was answered; the metrics are told as well. */
function account(exchange: Exchange, { observe }: ExchangeDeps, status: number, cache: string | undefined) {
  const { method } = exchange.request
  const ms = performance.now() - exchange.startedAt
  observe?.({ method, route: exchange.logged.route, status, seconds: ms / 1000, cache })
  return { requestId: exchange.requestId, method, ...exchange.logged, status, ms: Math.round(ms * 10) / 10 }
}

/** Nobody reads this answer: its number is for the log and the metrics, where others use it for the same. */
const CLIENT_GONE = 499

function leave(exchange: Exchange, deps: ExchangeDeps): Response {
  deps.log.info(account(exchange, deps, CLIENT_GONE, undefined), 'the client went away')
  return new FastResponse(null, { status: CLIENT_GONE, headers: exchange.headers })
}

/** The error envelope (contract, "Error envelope"). */
export function envelope(refusal: ApiError, requestId: string, docsUrl: string): ErrorEnvelope {
  const { code, message, details } = refusal
  return {
    error: {
      code,
      message,
      doc_url: `${docsUrl}/errors#${code}`,
      request_id: requestId,
      ...(details === undefined ? {} : { details }),
    },
  }
}

export function refusalReply(refusal: ApiError, requestId: string, docsUrl: string): Reply {
  const { retryAfterSeconds } = refusal
  return {
    status: ERROR_STATUS[refusal.code],
    body: envelope(refusal, requestId, docsUrl),
    headers: {
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      // RFC 9110, section 11.6.1, asks for it; browsers show no dialogue for this scheme.
      ...(refusal.code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
    },
  }
}

function toResponse(exchange: Exchange, reply: Reply): Response {
  const { status, body } = reply
  const statusText = STATUS_CODES[status] ?? ''
  if (body === undefined) {
    return new FastResponse(null, { status, statusText, headers: { ...exchange.headers, ...reply.headers } })
  }
  const headers = { ...exchange.headers, 'content-type': 'application/json', ...reply.headers }
  if (body instanceof ReadableStream || body instanceof Uint8Array) {
    return new FastResponse(body, { status, statusText, headers })
  }
  const text = headers['content-type'] === 'application/json' ? JSON.stringify(body) : String(body)
  return new FastResponse(text, { status, statusText, headers })
}
