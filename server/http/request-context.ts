import { randomUUID } from 'node:crypto'
import type { ServerRequest } from 'srvx'
import { REQUEST_ID_LENGTH } from '../../src/contract/limits.ts'
import { parseQueryString, type QueryString } from './query-string.ts'
import { requestTarget } from './request-target.ts'

/** A request and what is known of its response so far. */
export interface RequestContext {
  readonly request: ServerRequest
  readonly requestId: string
  /** Undecoded path of the request line. */
  readonly path: string
  readonly query: QueryString
  /** Headers of the response, whatever the outcome. */
  readonly headers: Record<string, string>
  /** `performance.now()` at the start. */
  readonly startedAt: number
  /** Fields of the log line besides status and time. Never a key, query text or review text. */
  readonly logFields: { route?: string; project?: string; code?: string }
}

const ALLOWED = new RegExp(`^[A-Za-z0-9._:-]{1,${REQUEST_ID_LENGTH}}$`)

/** The caller's `x-request-id` if it has the contract's format, otherwise a new one. */
export function requestIdOf(header: string | null): string {
  return header !== null && ALLOWED.test(header) ? header : randomUUID()
}

/** Headers of every response (contract, conventions 3 and 4). */
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
