import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { ERROR_STATUS, type ErrorCode, type ErrorEnvelope, errorEnvelope } from '../../src/contract/errors.ts'

/** What every answer must have, whatever came of the request (contract, conventions 1–4). */
export function assertConventions(response: Response, label: string): void {
  const { headers } = response
  assert.match(headers.get('x-request-id') ?? '', /^[A-Za-z0-9._:-]{1,128}$/, `${label}: x-request-id`)
  assert.is(headers.get('x-content-type-options'), 'nosniff', `${label}: X-Content-Type-Options`)
  assert.is(headers.get('referrer-policy'), 'no-referrer', `${label}: Referrer-Policy`)
  assert.ok(headers.has('cache-control'), `${label}: Cache-Control`)
  if (response.status === 204) assert.is(headers.get('content-type'), null, `${label}: Content-Type`)
}

/** The response is the contract's envelope of this code, and nothing is missing in or around it. */
export async function assertRefusal(
  response: Response,
  code: ErrorCode,
  label: string,
): Promise<ErrorEnvelope['error']> {
  const text = await response.text()
  assert.is(response.status, ERROR_STATUS[code], `${label}: status, ${text}`)
  assertConventions(response, label)
  assert.is(response.headers.get('content-type'), 'application/json', `${label}: Content-Type`)
  assert.is(response.headers.get('cache-control'), 'no-store', `${label}: Cache-Control`)
  const { error } = v.parse(errorEnvelope, JSON.parse(text))
  assert.is(error.code, code, `${label}: code`)
  assert.is(error.request_id, response.headers.get('x-request-id'), `${label}: request_id`)
  assert.match(error.doc_url, new RegExp(`/docs/errors#${code}$`), `${label}: doc_url`)
  assert.is(error.details !== undefined, code === 'validation_failed', `${label}: details`)
  if (code === 'validation_failed') assert.ok((error.details?.length ?? 0) > 0, `${label}: details`)
  const retryAfter = response.headers.get('retry-after')
  const hasRetryAfter = ['rate_limited', 'query_quota_exceeded', 'service_unavailable'].includes(code)
  assert.is(/^[1-9]\d*$/.test(retryAfter ?? ''), hasRetryAfter, `${label}: Retry-After ${retryAfter}`)
  return error
}

export function assertRateLimitHeaders(response: Response, limit: number | undefined, label: string): void {
  const { headers } = response
  assert.is(headers.get('ratelimit-limit'), limit === undefined ? null : String(limit), `${label}: RateLimit-Limit`)
  assert.is(headers.get('ratelimit-policy'), limit === undefined ? null : `${limit};w=60`, `${label}: RateLimit-Policy`)
}
