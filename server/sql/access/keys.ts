import type { KeyKind, ListedKey } from '../../../src/contract/key.ts'
import type { Environment } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import { isoDates, type WithDates } from '../iso-dates.ts'
import type { ListPage } from '../list-page.ts'
import { isUuid } from '../uuid.ts'

type KeyColumns = WithDates<ListedKey, 'created_at' | 'last_used_at' | 'expires_at' | 'revoked_at'>

/** Condition for a query with `api_keys` in its `from`: neither revoked nor expired. */
export function usableKey(sql: Sql) {
  return sql`api_keys.revoked_at is null and (api_keys.expires_at is null or api_keys.expires_at > now())`
}

/**
 * Whether a key's last use was recorded within the last minute. A time in the future is from before the clock was set back.
 */
export function isMarked(sql: Sql) {
  return sql`coalesce(abs(extract(epoch from now() - last_used_at)) <= 60, false)`
}

/** Whether a key that was looked up before is still valid, for work that continues after its request. Counts nothing. */
export async function isKeyActive(sql: Sql, id: string): Promise<boolean> {
  const found = await sql`
    select 1 from api_keys where id = ${id} and ${usableKey(sql)}`
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
  /** By the database's clock, which also decides whether a key has expired. */
  expiresInSeconds?: number | undefined
}

/** @returns undefined when there is no such project */
export async function createKey(sql: Sql, key: NewKey): Promise<ListedKey | undefined> {
  await forgetTemporaryKeys(sql)
  const [row] = await sql<KeyColumns[]>`
    with created as (
      insert into api_keys (project_id, env, kind, key_hash, hint, name, expires_at)
      select id, ${key.env}, ${key.kind}, ${key.keyHash}, ${key.hint}, ${key.name ?? null},
        now() + make_interval(secs => ${key.expiresInSeconds ?? null}::int)
      -- Waits for a concurrent deletion of the project: the key would have no project.
      from projects where id = ${key.projectId} and deleted_at is null for key share
      returning *
    )
    select ${keyColumns(sql)} from created as key join projects on projects.id = key.project_id`
  return row && isoDates(row)
}

/**
 * Deletes keys with a lifetime of a day or less, an hour after they expired or were revoked. Commands and the demo create
 * such keys for themselves, and a script may run a command every minute; longer-lived keys stay listed for good. Done when a
 * key is created, since nothing else makes the table grow.
 */
async function forgetTemporaryKeys(sql: Sql): Promise<void> {
  // A minute more, since earlier versions set a key's end by the server's clock.
  await sql`
    delete from api_keys
    where expires_at - created_at <= interval '1 day 1 minute'
      and least(expires_at, revoked_at) < now() - interval '1 hour'`
}

/** Keys of one project, or of all; oldest first, including revoked and expired ones. */
export async function listKeys(sql: Sql, projectId?: string, { limit, after }: ListPage = {}): Promise<ListedKey[]> {
  const rows = await sql<KeyColumns[]>`
    select ${keyColumns(sql)} from api_keys key join projects on projects.id = key.project_id
    where ${projectId === undefined ? sql`true` : sql`key.project_id = ${projectId}`}
      ${after ? sql`and (key.created_at, key.id) > (${after.at}, ${after.id})` : sql``}
    order by key.created_at, key.id limit ${limit ?? null}`
  return rows.map(isoDates)
}

/** @returns whether there was such a key that was not revoked yet */
export async function revokeKey(sql: Sql, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const result = await sql`update api_keys set revoked_at = now() where id = ${id} and revoked_at is null`
  return result.count === 1
}

function keyColumns(sql: Sql) {
  return sql`key.id, projects.name as project, key.kind, key.env, key.name, key.hint, key.created_at,
    key.last_used_at, key.expires_at, key.revoked_at`
}

/** What a publishable key may reveal of its project's policy: which reviews its pages can show. */
export interface KeyPolicy {
  minRating: number
  /** Excerpts that are complaints are left out. */
  withoutComplaints: boolean
}

/** The policy of a key's project. @returns undefined for a key that is unknown, revoked or expired */
export async function policyOfKey(sql: Sql, keyHash: Buffer): Promise<KeyPolicy | undefined> {
  const [policy] = await sql<KeyPolicy[]>`
    select projects.min_rating as "minRating", projects.excerpts = 'no_complaints' as "withoutComplaints"
    from api_keys join projects on projects.id = api_keys.project_id
    where key_hash = ${keyHash} and ${usableKey(sql)}`
  return policy
}
