import { RATE_WINDOW_SECONDS } from '../../../src/contract/limits.ts'
import type { Sql } from '../../deps.ts'

/**
 * Concurrent statements may see each other's `now()` slightly ahead. Beyond this, the clock was set back, and the window
 * would last until it has caught up.
 */
const AHEAD_SECONDS = 5

/**
 * For the row `current` of `rate_windows`, in an insert that begins a window now. Timestamps are subtracted, never moved by
 * an interval, which depends on the session's time zone and which a distributed database rejects here, like `now()`.
 */
function hasEnded(sql: Sql) {
  return sql`(excluded.started_at - current.started_at >= make_interval(secs => ${RATE_WINDOW_SECONDS}::int)
    or current.started_at - excluded.started_at > make_interval(secs => ${AHEAD_SECONDS}::int))`
}

/** The `set` clause on conflict for the row `current` of `rate_windows`: continues its window or begins another. */
export function countedIn(sql: Sql) {
  return sql`started_at = case when ${hasEnded(sql)} then excluded.started_at else current.started_at end,
    requests = case when ${hasEnded(sql)} then 0 else current.requests end + excluded.requests`
}

/** Seconds to the end of a row's window, by default of `opened`; at least 1. */
export function secondsToEnd(sql: Sql, startedAt = sql`opened.started_at`) {
  return sql`least(${RATE_WINDOW_SECONDS}::int,
    greatest(1, ceil(extract(epoch from ${startedAt} - now()) + ${RATE_WINDOW_SECONDS}::int)))::int`
}
