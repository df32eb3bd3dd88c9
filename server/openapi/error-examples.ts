import { ERROR_STATUS, type ErrorCode, type ErrorEnvelope } from '../../src/contract/errors.ts'
import type { Json } from './json-schema.ts'

const MESSAGES: Record<ErrorCode, string> = {
  unauthorized: 'This API key is unknown, revoked or expired.',
  forbidden: 'A publishable key works only from a web page: the request has no Origin header.',
  not_found: 'There is no review with this id.',
  payload_too_large: 'The body is larger than the 1024 KiB that this route takes.',
  unsupported_media_type: 'A request with a body needs Content-Type: application/json; none was sent.',
  validation_failed: 'The request is not valid: limit must be at most 20.',
  review_limit_reached: "The project's plan is full: 12 more reviews fit. Nothing of this batch was stored.",
  rate_limited: 'This key may send 300 requests in 60 seconds. Try again when the window ends.',
  query_quota_exceeded: 'The uncached queries of this month are used up. Cached answers are still served.',
  internal: 'Something failed on the server. Its log has the cause under request 5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10.',
  embedding_unavailable: 'The search text could not be embedded just now. Try again shortly.',
  service_unavailable: 'The database does not answer just now. Nothing was written. Try again in a minute.',
}

/**
 * An error response for each code. A mock server made from the description answers with them; without, it puts the first code
 * under every status.
 */
export function errorExamples(docsUrl: string): Json {
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[]
  return Object.fromEntries(codes.map((code) => [code, { value: envelope(code, docsUrl) }]))
}

/** References to the examples of these codes. */
export function examplesOf(codes: readonly ErrorCode[]): Json {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
}

function envelope(code: ErrorCode, docsUrl: string): ErrorEnvelope {
  const details = [{ path: 'limit', message: 'must be at most 20' }]
  return {
    error: {
      code,
      message: MESSAGES[code],
      doc_url: `${docsUrl}/errors#${code}`,
      request_id: '5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10',
      ...(code === 'validation_failed' ? { details } : {}),
    },
  }
}
