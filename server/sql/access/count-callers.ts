import { onServerOf } from '../../db/cluster-watch.ts'
import type { Sql } from '../../deps.ts'
import { revisionOf } from '../excerpts/search-rows.ts'
import { type Project, projectColumns } from '../projects/projects.ts'
import { type Authenticated, type KeyLookup, placesInWindow, requestsByKey } from './key-lookups.ts'
import { isMarked, usableKey } from './keys.ts'
import { countedIn, secondsToEnd } from './rate-window.ts'

/** What a cluster's coordinator knows of a request. */
export type Caller = Omit<Authenticated, 'project' | 'revision'> & { projectId: string }

/**
 * Looks up and counts callers as the coordinator of a distributed database can alone: by plain statements, since what one
 * part of a larger one finds for another travels by any of the servers. A server that is lost or silent then only holds up
 * its own projects, and no row of another is locked by what it delays.
 */
export async function countCallers(sql: Sql, looks: KeyLookup[]): Promise<(Caller | undefined)[]> {
  const requests = requestsByKey(looks)
  const [hashes, counts] = [[...requests.keys()], [...requests.values()]]
  const asked = sql`from unnest(${hashes}::text[], ${counts}::int[]) as asked (hash, requests)
    join api_keys on key_hash = decode(asked.hash, 'hex') where ${usableKey(sql)}`
  const [keys, windows] = await Promise.all([
    sql<(Omit<Caller, 'requestsInWindow' | 'windowEndsInSeconds'> & { hash: string; isMarked: boolean })[]>`
      select asked.hash, api_keys.id as "keyId", kind, env, project_id as "projectId",
        ${isMarked(sql)} as "isMarked" ${asked}`,
    // In a fixed order, so that two servers that count the same keys never deadlock.
    sql<(Pick<Caller, 'requestsInWindow' | 'windowEndsInSeconds'> & { keyId: string })[]>`
      insert into rate_windows as current (key_id, started_at, requests)
      select api_keys.id, now(), asked.requests ${asked} order by api_keys.id
      on conflict (key_id) do update set ${countedIn(sql)}
      returning key_id as "keyId", requests as "requestsInWindow",
        ${secondsToEnd(sql, sql`current.started_at`)} as "windowEndsInSeconds"`,
  ])
  const unmarked = keys.flatMap(({ keyId, isMarked }) => (isMarked ? [] : keyId))
  // One that another server is updating is skipped, so that nobody waits.
  if (unmarked.length > 0) {
    await sql`update api_keys set last_used_at = now() where id in (
      select id from api_keys where id = any (${unmarked}::uuid[]) for no key update skip locked)`
  }
  const windowOf = new Map(windows.map((window) => [window.keyId, window]))
  const callers = new Map<string, Caller>()
  for (const { hash, isMarked: _, ...key } of keys) {
    const window = windowOf.get(key.keyId)
    if (window) callers.set(hash, { ...key, ...window })
  }
  return placesInWindow(looks, requests, (hash) => callers.get(hash))
}

/** Adds what is stored with the project, on its own server. */
export async function callerWithProject(sql: Sql, { projectId, ...key }: Caller): Promise<Authenticated | undefined> {
  const look = async () => sql<({ revision: string } & Project)[]>`
    select ${revisionOf(sql)} as revision, ${projectColumns(sql)}
    from environments join projects on projects.id = environments.project_id
    where environments.project_id = ${projectId} and environments.env = ${key.env}`
  const [row] = await onServerOf(sql, projectId, look)
  if (!row) return undefined
  const { revision, ...project } = row
  return { ...key, revision, project }
}
