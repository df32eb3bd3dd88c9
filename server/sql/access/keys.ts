import type { KeyKind } from '../../../src/contract/key.ts'
import { RATE_WINDOW_SECONDS } from '../../../src/contract/limits.ts'
import type { Environment } from '../../../src/contract/review.ts'
import { isReferenceGone } from '../../db/reference-gone.ts'
import type { Sql } from '../../deps.ts'
import { batched } from '../coalesce.ts'
import { revisionOf } from '../excerpts/search-rows.ts'
import { type Project, projectColumns } from '../projects/projects.ts'
import { isUuid } from '../uuid.ts'

/** A key that was looked up, with everything that a request needs to know of its project. */
export interface Authenticated {
  keyId: string
  kind: KeyKind
  env: Environment
  project: Project
  /** Part of the cache key of searches. */
  revision: string
  /** Requests with this key in its current window, this one included. */
  requestsInWindow: number
  /** At least 1. */
  windowEndsInSeconds: number
}

/** A key as a list shows it; the key itself is stored nowhere. */
export interface KeyRecord {
  id: string
  projectId: string
  /** The project's name. */
  project: string
  kind: KeyKind
  env: Environment
  /** What it is for, in the words of who made it. */
  name: string | null
  /** Last characters of the key. */
  hint: string
  createdAt: Date
  /** To the minute. */
  lastUsedAt: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
}

/**
 * Looks a key up and counts the request, in one round trip. The window has a fixed length and begins with the key's
 * first request after the last one ended; all servers on the database count together. Requests that come together share
 * a statement: measured with 16 at once, a third of the work for the database.
 *
 * @param keyHash SHA-256 of the key
 * @param options.counted false: only looked up
 * @returns `undefined` for a key that is unknown, revoked or expired; that counts nothing
 */
export function authenticate(
  sql: Sql,
  keyHash: Buffer,
  { counted = true }: { counted?: boolean } = {},
): Promise<Authenticated | undefined> {
  let join = desks.get(sql)
  if (!join) {
    join = batched((hashes) => authenticateAgain(sql, hashes))
    desks.set(sql, join)
  }
  return join(keyHash.toString('hex') + (counted ? '' : UNCOUNTED))
}

/** Where the requests of a pool meet. */
const desks = new WeakMap<Sql, (keyHash: string) => Promise<Authenticated | undefined>>()

/** Behind the hash of a key that is only looked up. */
const UNCOUNTED = ' uncounted'

const DELETED_MEANWHILE_TRIES = 5

/**
 * A key that is deleted while its request is counted, with its project, fails the statement for all that share it. The next
 * try no longer finds that key.
 */
async function authenticateAgain(sql: Sql, hashes: string[], tried = 1): Promise<(Authenticated | undefined)[]> {
  try {
    return await authenticateAll(sql, hashes)
  } catch (error) {
    if (tried >= DELETED_MEANWHILE_TRIES || !isReferenceGone(error)) throw error
    return authenticateAgain(sql, hashes, tried + 1)
  }
}

async function authenticateAll(sql: Sql, asked: string[]): Promise<(Authenticated | undefined)[]> {
  const looks = asked.map((each) => ({ hash: each.replace(UNCOUNTED, ''), counts: each.endsWith(UNCOUNTED) ? 0 : 1 }))
  const requests = new Map<string, number>()
  for (const { hash, counts } of looks) requests.set(hash, (requests.get(hash) ?? 0) + counts)
  const rows = await sql<(Omit<Authenticated, 'project'> & Project & { hash: string })[]>`
    with key as (
      select api_keys.id, kind, env, project_id, asked.hash, asked.requests
      from unnest(${[...requests.keys()]}::text[], ${[...requests.values()]}::int[]) as asked (hash, requests)
      join api_keys on key_hash = decode(asked.hash, 'hex')
      where revoked_at is null and (expires_at is null or expires_at > now())
    ), counted as (
      -- In one order, so that two servers that count the same keys never wait for each other.
      insert into rate_windows as current (key_id, started_at, requests)
      select id, now(), requests from key order by id
      on conflict (key_id) do update set
        started_at = case when ${hasEnded(sql)} then excluded.started_at else current.started_at end,
        requests = case when ${hasEnded(sql)} then 0 else current.requests end + excluded.requests
      returning key_id, started_at, requests
    ), used as (
      -- Once a minute for each key. One that another server marks just now is left to it, so that none waits.
      update api_keys set last_used_at = now()
      where id in (select api_keys.id from api_keys join key on key.id = api_keys.id
        where last_used_at is null or last_used_at < now() - interval '1 minute'
        for no key update of api_keys skip locked)
    )
    select key.hash, key.id as "keyId", key.kind, key.env, ${revisionOf(sql)} as revision, ${projectColumns(sql)},
      counted.requests as "requestsInWindow",
      least(${RATE_WINDOW_SECONDS}::int,
        greatest(1, ceil(extract(epoch from counted.started_at - now()) + ${RATE_WINDOW_SECONDS}::int)))::int
        as "windowEndsInSeconds"
    from key
    join counted on counted.key_id = key.id
    join projects on projects.id = key.project_id
    join environments on environments.project_id = key.project_id and environments.env = key.env`
  const found = new Map(rows.map(({ hash, ...row }) => [hash, row]))
  return looks.map(({ hash, counts }) => {
    const row = found.get(hash)
    if (!row) return undefined
    const { keyId, kind, env, revision, requestsInWindow, windowEndsInSeconds, ...project } = row
    // The statement counted all requests with this key; each of them gets its own place.
    const later = Math.max(0, (requests.get(hash) ?? 0) - counts)
    requests.set(hash, later)
    return { keyId, kind, env, revision, requestsInWindow: requestsInWindow - later, windowEndsInSeconds, project }
  })
}

/**
 * Two statements of the same moment may see each other's `now()` a little ahead. Beyond that, the clock was set back, and
 * the window would last until it has caught up.
 */
const AHEAD_SECONDS = 5

/**
 * Of the row `current` of `rate_windows`, in an insert that begins a window now. Moments are subtracted, never moved by an
 * interval, which depends on the session's time zone and is refused here by a distributed database, like `now()`.
 */
export function hasEnded(sql: Sql) {
  return sql`(excluded.started_at - current.started_at >= make_interval(secs => ${RATE_WINDOW_SECONDS}::int)
    or current.started_at - excluded.started_at > make_interval(secs => ${AHEAD_SECONDS}::int))`
}

/** Whether a key that was looked up before is still good. What goes on after its request asks again; that counts nothing. */
export async function isKeyActive(sql: Sql, id: string): Promise<boolean> {
  const found = await sql`
    select 1 from api_keys where id = ${id} and revoked_at is null and (expires_at is null or expires_at > now())`
  return found.length > 0
}

export interface NewKey {
  projectId: string
  env: Environment
  kind: KeyKind
  /** SHA-256 of the key. */
  keyHash: Buffer
  hint: string
  name?: string | undefined
  expiresAt?: Date
}

/** @returns `undefined` when there is no such project */
export async function createKey(sql: Sql, key: NewKey): Promise<KeyRecord | undefined> {
  await forgetTemporaryKeys(sql)
  const [row] = await sql<KeyRecord[]>`
    with created as (
      insert into api_keys (project_id, env, kind, key_hash, hint, name, expires_at)
      select id, ${key.env}, ${key.kind}, ${key.keyHash}, ${key.hint}, ${key.name ?? null}, ${key.expiresAt ?? null}
      -- One that is being deleted is waited for: the key would have no project.
      from projects where id = ${key.projectId} for key share
      returning *
    )
    select ${keyColumns(sql)} from created as key join projects on projects.id = key.project_id`
  return row
}

/**
 * Deletes keys that lasted a day at most, an hour after they expired or were revoked. Commands and the demo make such keys
 * for themselves, and a script may run a command every minute; keys that last longer stay in the list for good. Done
 * when a key is made, since nothing else lets the table grow.
 */
async function forgetTemporaryKeys(sql: Sql): Promise<void> {
  // A minute more, since the server's clock says when a key ends and the database's when it was made.
  await sql`
    delete from api_keys
    where expires_at - created_at <= interval '1 day 1 minute'
      and least(expires_at, revoked_at) < now() - interval '1 hour'`
}

/** Keys of one project, or of all; oldest first, revoked and expired ones included. */
export async function listKeys(sql: Sql, projectId?: string): Promise<KeyRecord[]> {
  const rows = await sql<KeyRecord[]>`
    select ${keyColumns(sql)} from api_keys key join projects on projects.id = key.project_id
    ${projectId === undefined ? sql`` : sql`where key.project_id = ${projectId}`}
    order by key.created_at, key.id`
  return [...rows]
}

/** @returns whether there was such a key that was not revoked yet */
export async function revokeKey(sql: Sql, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const result = await sql`update api_keys set revoked_at = now() where id = ${id} and revoked_at is null`
  return result.count === 1
}

function keyColumns(sql: Sql) {
  return sql`key.id, key.project_id as "projectId", projects.name as project, key.kind, key.env, key.name, key.hint,
    key.created_at as "createdAt", key.last_used_at as "lastUsedAt", key.expires_at as "expiresAt", key.revoked_at as "revokedAt"`
}
