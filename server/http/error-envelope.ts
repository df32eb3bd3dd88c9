import { ERROR_STATUS, type ErrorEnvelope } from '../../src/contract/errors.ts'
import type { ApiError } from './api-error.ts'
import { commonHeaders } from './request-context.ts'
import type { RouteResult } from './response-rule.ts'

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

/** The answer to what never reached a route, as it is written to a socket. */
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
