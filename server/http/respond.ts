import { STATUS_CODES } from 'node:http'
import { FastResponse, type ServerRequest } from 'srvx'
import { ERROR_STATUS, type ErrorEnvelope } from '../../src/contract/errors.ts'
import type { Log } from '../deps.ts'
import { describeError } from '../describe-error.ts'
import type { ApiError } from './api-error.ts'
import { parseQueryString, type QueryString } from './query-string.ts'
import { requestIdOf } from './request-id.ts'
import { requestTarget } from './request-target.ts'
import { isClientGone, toApiError } from './to-api-error.ts'

/** One request and what is known of its answer so far. */
export interface RequestContext {
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
  readonly logFields: { route?: string; project?: string; code?: string }
}

/** What a route answers. `body` is sent as JSON unless it is a string, bytes or a stream with a `content-type` of its own. */
export interface RouteResult {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** What is told of an answered request. */
export interface CompletedRequest {
  method: string
  /** The route's pattern, never the path as it was sent. Absent: no route. */
  route: string | undefined
  status: number
  seconds: number
  /** Of a query: what the result cache did. */
  cache: string | undefined
}

export interface RespondDeps {
  log: Log
  /** Address of the error reference without its `/errors`, e.g. `http://127.0.0.1:8787/docs`. */
  docsUrl: string
  /** Told of every answer. */
  observe?: ((answered: CompletedRequest) => void) | undefined
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

export function createRequestContext(request: ServerRequest): RequestContext {
  const requestId = requestIdOf(request.headers.get('x-request-id'))
  const { path, search } = requestTarget(request)
  return {
    request,
    requestId,
    path,
    query: parseQueryString(search),
    headers: commonHeaders(requestId),
    startedAt: performance.now(),
    logFields: {},
  }
}

/** Runs `work` and turns what it answers or throws into the response; writes the request's one log line. */
export async function respond(
  context: RequestContext,
  deps: RespondDeps,
  work: () => Promise<RouteResult> | RouteResult,
): Promise<Response> {
  let result: RouteResult
  let failure: unknown
  try {
    result = await work()
  } catch (error) {
    if (isClientGone(error, context.request)) return clientGone(context, deps)
    const apiError = toApiError(error, context.requestId)
    if (apiError !== error) failure = error
    context.logFields.code = apiError.code
    result = errorResult(apiError, context.requestId, deps.docsUrl)
  }
  const { status } = result
  const fields = recordRequest(context, deps, status, result.headers?.['x-cache'])
  if (failure === undefined) deps.log.info(fields, 'request')
  else if (status === 500) deps.log.error({ ...fields, error: describeError(failure) }, 'request failed')
  else deps.log.warn({ ...fields, error: describeError(failure) }, 'request failed')
  return toResponse(context, result)
}

/** What the log tells of a request that was answered; the metrics are told as well. */
function recordRequest(context: RequestContext, { observe }: RespondDeps, status: number, cache: string | undefined) {
  const { method } = context.request
  const ms = performance.now() - context.startedAt
  observe?.({ method, route: context.logFields.route, status, seconds: ms / 1000, cache })
  return { requestId: context.requestId, method, ...context.logFields, status, ms: Math.round(ms * 10) / 10 }
}

/** Nobody reads this answer: its number is for the log and the metrics, where others use it for the same. */
const CLIENT_GONE = 499

function clientGone(context: RequestContext, deps: RespondDeps): Response {
  deps.log.info(recordRequest(context, deps, CLIENT_GONE, undefined), 'the client went away')
  return new FastResponse(null, { status: CLIENT_GONE, headers: context.headers })
}

/** The error envelope (contract, "Error envelope"). */
export function toErrorEnvelope(error: ApiError, requestId: string, docsUrl: string): ErrorEnvelope {
  const { code, message, details } = error
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

export function errorResult(error: ApiError, requestId: string, docsUrl: string): RouteResult {
  const { retryAfterSeconds } = error
  return {
    status: ERROR_STATUS[error.code],
    body: toErrorEnvelope(error, requestId, docsUrl),
    headers: {
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
      // RFC 9110, section 11.6.1, asks for it; browsers show no dialogue for this scheme.
      ...(error.code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
    },
  }
}

function toResponse(context: RequestContext, result: RouteResult): Response {
  const { status, body } = result
  const statusText = STATUS_CODES[status] ?? ''
  if (body === undefined) {
    return new FastResponse(null, { status, statusText, headers: { ...context.headers, ...result.headers } })
  }
  const headers = { ...context.headers, 'content-type': 'application/json', ...result.headers }
  if (body instanceof ReadableStream || body instanceof Uint8Array) {
    return new FastResponse(body, { status, statusText, headers })
  }
  const text = headers['content-type'] === 'application/json' ? JSON.stringify(body) : String(body)
  return new FastResponse(text, { status, statusText, headers })
}
