import { withDeadline } from '../db/deadline.ts'
import { ApiError } from './api-error.ts'
import type { RouteResult } from './response-rule.ts'
import type { Route } from './route.ts'
import { databaseUnavailable } from './to-api-error.ts'

/** More than a statement may take on PostgreSQL (15 s), less than clients and proxies wait as a rule (30 to 60 s). */
const REQUEST_MS = 20_000
const BULK_MS = 300_000

/**
 * Runs a route's work, and answers 503 when the database has not let it come to an end in time. Its transactions are
 * rolled back then when they get that far, so that nothing is written after the answer. One thing cannot be helped: a
 * commit (or one of the operator's single statements) that was sent and never answered may have been carried out, and
 * then the answer says so.
 */
export function withRequestTimeout(
  work: () => Promise<RouteResult>,
  route: Route,
  requestMs = REQUEST_MS,
): Promise<RouteResult> {
  const ms = route.time === 'bulk' ? Math.max(requestMs, BULK_MS) : requestMs
  const isSingle = route.access === 'operator' && route.method !== 'GET'
  return withDeadline(work, ms, (isCommitting) => (isCommitting || isSingle ? unconfirmed() : databaseUnavailable()))
}

function unconfirmed(): ApiError {
  return new ApiError(
    'service_unavailable',
    'The database did not confirm in time. The request may have been carried out: a push can be sent again as it is and changes nothing then; look first before you repeat anything else.',
    { retryAfterSeconds: 1 },
  )
}
