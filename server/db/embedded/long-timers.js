// @ts-check
// Plain JavaScript, since the database's thread starts without the TypeScript loader.

/** Milliseconds. Node replaces longer ones by 1, with a warning each time. */
export const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Caps timers that are too long for Node. PostgreSQL measures its timeouts by the wall clock and requests the remainder
 * whenever its timer fires: after that clock was set back by more than 24 days, the timer would fire every millisecond until
 * the old time is reached again.
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
