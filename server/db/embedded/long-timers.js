// @ts-check
// Plain JavaScript, since the database's thread starts without the TypeScript loader.

/** Milliseconds. Node takes what is longer for 1, and says so each time. */
export const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Lets timers that are too long for Node wait as long as Node can. PostgreSQL counts its timeouts by the wall clock and
 * asks for what is left whenever its timer fires: once that clock was set back by more than 24 days, the timer would fire
 * each millisecond until the old time comes again.
 *
 * @param {{ setTimeout: (callback: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => unknown }} scope
 */
export function shortenTimers(scope) {
  const { setTimeout } = scope
  scope.setTimeout = Object.assign(
    /** @param {(...values: unknown[]) => void} callback @param {number} [ms] @param {unknown[]} values */
    (callback, ms, ...values) => setTimeout(callback, ms === undefined ? ms : Math.min(ms, LONGEST_TIMER), ...values),
    setTimeout,
  )
}
