import { withDeadline, withTimeLimit } from '../db/deadline.ts'
import type { RouteResult } from './response-rule.ts'
import type { Route } from './route.ts'
import { databaseUnavailable, unconfirmed } from './to-api-error.ts'

/** Longer than the statement timeout on PostgreSQL (15 s), shorter than clients and proxies usually wait (30 to 60 s). */
const REQUEST_MS = 20_000
const BULK_MS = 300_000
const LOOK_UP_MS = 8_000

/**
 * Runs a route's work, and answers 503 when the database takes too long. Its transactions are then rolled back at their next
 * step, so that nothing is written after the response. One case remains: a commit (or one of the operator's single
 * statements) that was sent but never confirmed may have been carried out, and then the response says so.
 */
export function withRequestTimeout(work: () => Promise<RouteResult>, route: Route, requestMs = REQUEST_MS) {
  const ms = route.time === 'bulk' ? Math.max(requestMs, BULK_MS) : requestMs
  if (route.transactions === false) return withTimeLimit(work, ms, databaseUnavailable)
  const isSingle = route.access === 'operator' && route.method !== 'GET'
  return withDeadline(work, ms, (isCommitting) => (isCommitting || isSingle ? unconfirmed() : databaseUnavailable()))
}

/** A database that hangs, or whose network drops packets, never refuses: a caller's lookup stops waiting for it. */
export function withDatabaseTimeout<T>(lookUp: () => Promise<T>, ms = LOOK_UP_MS): Promise<T> {
  return withTimeLimit(lookUp, ms, databaseUnavailable)
}
