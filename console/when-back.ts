import { ApiError, call } from './api.ts'

/** How often the page asks whether what was away is back. */
export const LOOK_MS = 3_000

/** A server without its database answers every request with this. */
const isAway = (error: unknown) => error instanceof ApiError && error.code === 'service_unavailable'

/**
 * Waits for the database, which the session needs too.
 *
 * @param error why a view could not be opened
 * @returns whether the database was away and is back; whatever else kept the view from opening may go on
 */
export async function isBackAfter(error: unknown, signal: AbortSignal): Promise<boolean> {
  for (let latest = error, tries = 0; isAway(latest) && !signal.aborted; tries++) {
    if (tries > 0) await new Promise((resume) => setTimeout(resume, LOOK_MS))
    latest = await call('GET', 'session', { signal }).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (latest === undefined) return tries > 0
  }
  return false
}
