import { PLAN_LIMITS, type Plan, RATE_WINDOW_SECONDS } from '../../../src/contract/limits.ts'
import type { Sql } from '../../deps.ts'
import { usableKey } from './keys.ts'
import { countedIn, secondsToEnd } from './rate-window.ts'

export interface AddressUse {
  plan: Plan
  /** Of this address in the key's current window, this one included. */
  requests: number
  /** At least 1. */
  windowEndsInSeconds: number
}

/**
 * Counts a request with a publishable key per client address, in the key's own window, starting a new one when the last has
 * ended; the key's own count is unchanged. All servers on the database count together. Nothing is written for a key that has
 * no requests left, so a window never holds more addresses than requests.
 *
 * Each part of the statement names a table: a part that only joins others' results, a distributed database may run on any of
 * its servers.
 * @param address a keyed hash
 * @returns undefined for a key that is unknown, not publishable, or used up in any case
 */
export async function countAddress(sql: Sql, keyHash: Buffer, address: Buffer): Promise<AddressUse | undefined> {
  const limit = (plan: Plan) => PLAN_LIMITS[plan].requestsPerWindow.publishable
  const [use] = await sql<AddressUse[]>`
    with key as (
      select api_keys.id, projects.plan from api_keys join projects on projects.id = api_keys.project_id
      where key_hash = ${keyHash} and kind = 'publishable' and ${usableKey(sql)}
    ), opened as (
      insert into rate_windows as current (key_id, started_at, requests)
      select api_keys.id, now(), 0 from key join api_keys on api_keys.id = key.id
      on conflict (key_id) do update set ${countedIn(sql)}
      returning key_id, started_at, requests
    ), counted as (
      insert into address_windows as current (key_id, address, window_started_at, requests)
      select key.id, ${address}, started_at, 1 from key join opened on opened.key_id = key.id join api_keys on api_keys.id = key.id
      where opened.requests < case key.plan when 'free' then ${limit('free')}::int else ${limit('paid')}::int end
      on conflict (key_id, address) do update set
        window_started_at = excluded.window_started_at,
        requests = 1 + case when current.window_started_at = excluded.window_started_at
          then least(current.requests, 1000000000) else 0 end
      returning requests
    )
    select key.plan, counted.requests,
      ${secondsToEnd(sql)} as "windowEndsInSeconds"
    from key join api_keys on api_keys.id = key.id, opened, counted`
  return use
}

/** Deletes the addresses of windows that have ended. */
export async function deleteEndedWindows(sql: Sql): Promise<void> {
  await sql`delete from address_windows where window_started_at < now() - make_interval(secs => ${2 * RATE_WINDOW_SECONDS}::int)`
}
