import { wholeOrInParts } from '../../db/cluster-watch.ts'
import { isDeadlock, isReferenceGone } from '../../db/unavailable.ts'
import type { Sql } from '../../deps.ts'
import { coalesce } from '../coalesce.ts'
import { revisionOf } from '../excerpts/search-rows.ts'
import { type Project, projectColumns } from '../projects/projects.ts'
import { callerWithProject, countCallers } from './count-callers.ts'
import { type Authenticated, type KeyLookup, placesInWindow, requestsByKey } from './key-lookups.ts'
import { isMarked, usableKey } from './keys.ts'
import { countedIn, secondsToEnd } from './rate-window.ts'

/**
 * Looks a key up and counts the request, in one round trip. A window has a fixed length and begins with the key's first
 * request after the last one ended; all servers on the database count together. Concurrent requests share a statement: with
 * 16 at once, that took the database a third of the work.
 * @param keyHash SHA-256 of the key
 * @param options.counted false to look up only
 * @returns undefined for a key that is unknown, revoked or expired; that counts nothing
 */
export function authenticate(
  sql: Sql,
  keyHash: Buffer,
  { counted = true }: { counted?: boolean } = {},
): Promise<Authenticated | undefined> {
  let join = joined.get(sql)
  if (!join) {
    join = coalesce((looks) => authenticateTogether(sql, looks))
    joined.set(sql, join)
  }
  return join({ hash: keyHash.toString('hex'), counts: counted ? 1 : 0 }).then((outcome) => outcome())
}

type Found = () => Promise<Authenticated | undefined>

/** The shared call of each pool. */
const joined = new WeakMap<Sql, (look: KeyLookup) => Promise<Found>>()

function authenticateTogether(sql: Sql, looks: KeyLookup[]): Promise<Found[]> {
  return wholeOrInParts(sql, {
    async whole() {
      const found = await untilNoneIsDeleted(() => authenticateAll(sql, looks))
      return found.map((key) => async () => key)
    },
    async inParts() {
      const callers = await untilNoneIsDeleted(() => countCallers(sql, looks))
      return callers.map((caller) => async () => caller && callerWithProject(sql, caller))
    },
  })
}

const DELETED_MEANWHILE_TRIES = 5

/**
 * If a key is deleted with its project while its request is counted, the statement fails for all that share it, possibly as a
 * deadlock, since a project's keys are deleted in a different order. The retry no longer finds that key.
 */
async function untilNoneIsDeleted<T>(count: () => Promise<T>, tried = 1): Promise<T> {
  try {
    return await count()
  } catch (error) {
    if (tried >= DELETED_MEANWHILE_TRIES || !(isReferenceGone(error) || isDeadlock(error))) throw error
    return untilNoneIsDeleted(count, tried + 1)
  }
}

async function authenticateAll(sql: Sql, looks: KeyLookup[]): Promise<(Authenticated | undefined)[]> {
  const requests = requestsByKey(looks)
  const rows = await sql<(Omit<Authenticated, 'project'> & Project & { hash: string })[]>`
    with key as (
      select found.*, asked.hash, asked.requests
      -- Subselects hide the arrays' lengths from the planner, which would otherwise plan anew for each length.
      from unnest((select ${[...requests.keys()]}::text[]), (select ${[...requests.values()]}::int[])) as asked (hash, requests)
      -- By itself, or a plan made while there were few keys would compare each of them with each that is asked for.
      cross join lateral (
        select id, kind, env, project_id, ${isMarked(sql)} as is_marked from api_keys
        where key_hash = decode(asked.hash, 'hex') and ${usableKey(sql)} offset 0
      ) as found
    ), counted as (
      -- In a fixed order, so that two servers that count the same keys never deadlock.
      insert into rate_windows as current (key_id, started_at, requests)
      select id, now(), requests from key order by id
      on conflict (key_id) do update set ${countedIn(sql)}
      returning key_id, started_at, requests
    ), marked as (
      -- Once a minute per key. One that another server is updating is skipped, so that nobody waits.
      update api_keys set last_used_at = now()
      where id in (select id from api_keys where id in (select id from key where not is_marked)
        for no key update of api_keys skip locked)
    )
    select key.hash, key.id as "keyId", key.kind, key.env, ${revisionOf(sql)} as revision, ${projectColumns(sql)},
      opened.requests as "requestsInWindow",
      ${secondsToEnd(sql)} as "windowEndsInSeconds"
    from key
    join counted as opened on opened.key_id = key.id
    join projects on projects.id = key.project_id
    join environments on environments.project_id = key.project_id and environments.env = key.env`
  const found = new Map(rows.map(({ hash, ...row }) => [hash, row]))
  return placesInWindow(looks, requests, (hash) => found.get(hash)).map((row) => {
    if (!row) return undefined
    const { keyId, kind, env, revision, requestsInWindow, windowEndsInSeconds, ...project } = row
    return { keyId, kind, env, revision, requestsInWindow, windowEndsInSeconds, project }
  })
}
