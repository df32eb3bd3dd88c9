import type { ServerRequest } from 'srvx'
import { parseQueryString, type QueryString } from './query-string.ts'
import { requestIdOf } from './request-id.ts'
import { requestTarget } from './request-target.ts'

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
