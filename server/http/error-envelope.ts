import { defined } from '../../src/contract/defined.ts'
import { ERROR_STATUS, type ErrorEnvelope } from '../../src/contract/errors.ts'
import type { ApiError } from './api-error.ts'
import { commonHeaders } from './request-context.ts'
import type { RouteResult } from './response-rule.ts'

/** The error envelope (contract, "Error envelope"). */
export function toErrorEnvelope(error: ApiError, requestId: string, docsUrl: string): ErrorEnvelope {
  const { code, message, details } = error
  return {
    error: defined({ code, message, doc_url: `${docsUrl}/errors#${code}`, request_id: requestId, details }),
  }
}

export function errorResult(error: ApiError, requestId: string, docsUrl: string): RouteResult {
  return {
    status: ERROR_STATUS[error.code],
    body: toErrorEnvelope(error, requestId, docsUrl),
    headers: defined({
      'retry-after': error.retryAfterSeconds?.toString(),
      // Required by RFC 9110, section 11.6.1; browsers show no dialogue for this scheme.
      'www-authenticate': error.code === 'unauthorized' ? 'Bearer' : undefined,
    }),
  }
}

/** The response to a request that never reached a route, as written to the socket. */
export function rawErrorResponse(error: ApiError, requestId: string, docsUrl: string) {
  const { status, headers: own, body: envelope } = errorResult(error, requestId, docsUrl)
  const body = JSON.stringify(envelope)
  const headers = {
    ...commonHeaders(requestId),
    ...own,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }
  return { status, headers, body }
}
