import type { KeyKind } from '../../src/contract/key.ts'
import { PLAN_LIMITS, type Plan, RATE_WINDOW_SECONDS } from '../../src/contract/limits.ts'
import type { Authenticated } from '../sql/access/key-lookups.ts'
import { ApiError } from './api-error.ts'

/** `RateLimit-Policy` and `RateLimit-Limit`, which every authenticated response has. */
export function rateLimitHeaders(plan: Plan, kind: KeyKind): Record<string, string> {
  const limit = PLAN_LIMITS[plan].requestsPerWindow[kind]
  return { 'ratelimit-policy': `${limit};w=${RATE_WINDOW_SECONDS}`, 'ratelimit-limit': String(limit) }
}

/**
 * Rejects a request beyond its key's limit. The count includes this request.
 * @throws {ApiError} `rate_limited`, with the seconds to the end of the window
 */
export function enforceRateLimit(use: Authenticated): void {
  const limit = PLAN_LIMITS[use.project.plan].requestsPerWindow[use.kind]
  if (use.requestsInWindow <= limit) return
  const message = `This key may send ${limit} requests in ${RATE_WINDOW_SECONDS} seconds. Try again when the window ends.`
  throw new ApiError('rate_limited', message, { retryAfterSeconds: use.windowEndsInSeconds })
}
