import type { ListedConsoleLink } from '../../../src/contract/console-link.ts'
import type { Sql } from '../../deps.ts'
import { isoDates, type WithDates } from '../iso-dates.ts'
import type { ListPage } from '../list-page.ts'
import { isUuid } from '../uuid.ts'

/** A session ends this long after its sign-in in any case. */
export const SESSION_SECONDS = 12 * 3_600
/** And this long after its last request. */
const IDLE_SECONDS = 2 * 3_600
/** How long an operator's link waits for its single use. */
export const OPERATOR_LINK_SECONDS = 600
/**
 * Anything dated further ahead was made before the clock was set back, and would stay valid for as long as the clock was
 * ahead.
 */
const AHEAD_SECONDS = 600
/** How long links stay listed after their end. */
const KEPT_DAYS = 30

/** A signed-in user. */
export interface ConsoleSession {
  id: string
  linkId: string
  /** The project it is limited to; null for the operator's, which covers all. */
  projectId: string | null
  expiresAt: Date
}

/** Hashes of a session's two secrets. */
type SessionHashes = Record<'cookie' | 'page', Buffer>

/** @returns undefined when the project no longer exists */
export async function createConsoleLink(
  sql: Sql,
  { projectId, tokenHash, seconds }: { projectId: string | null; tokenHash: Buffer; seconds: number },
): Promise<{ id: string; expiresAt: Date } | undefined> {
  await sql`delete from console_links where expires_at < now() - make_interval(days => ${KEPT_DAYS}::int)
    or (project_id is null and expires_at < now() and not exists (
      select from console_sessions s where s.link_id = console_links.id and s.expires_at > now()))`
  const ends = sql`now() + make_interval(secs => ${seconds}::int)`
  const [row] =
    projectId === null
      ? await sql<{ id: string; expiresAt: Date }[]>`
          insert into console_links (token_hash, expires_at) values (${tokenHash}, ${ends})
          returning id, expires_at as "expiresAt"`
      : await sql<{ id: string; expiresAt: Date }[]>`
          insert into console_links (project_id, token_hash, expires_at)
          select id, ${tokenHash}, ${ends} from projects where id = ${projectId} and deleted_at is null for key share
          returning id, expires_at as "expiresAt"`
  return row
}

/**
 * Signs in with a link. The operator's link works once: of two concurrent attempts, one gets a session.
 * @returns undefined when the link is unknown, used up, expired or revoked
 */
export async function signIn(sql: Sql, hashes: SessionHashes & { token: Buffer }): Promise<ConsoleSession | undefined> {
  await sql`delete from console_sessions where expires_at < now()`
  const [row] = await sql<ConsoleSession[]>`
    with link as (
      update console_links set used_at = now()
      where token_hash = ${hashes.token} and revoked_at is null and expires_at > now()
        and (project_id is not null or (used_at is null and created_at - now() <= ${ahead(sql)}))
      returning id, project_id, expires_at
    ), session as (
      insert into console_sessions (link_id, cookie_hash, page_hash, expires_at)
      select id, ${hashes.cookie}, ${hashes.page},
        case when project_id is null then now() + make_interval(secs => ${SESSION_SECONDS}::int)
          else least(expires_at, now() + make_interval(secs => ${SESSION_SECONDS}::int)) end
      from link
      returning id, link_id, expires_at
    )
    select session.id, link_id as "linkId", project_id as "projectId", session.expires_at as "expiresAt"
    from session join link on link.id = link_id`
  return row
}

/** The session of these two secrets, if it is valid. Restarts its idle time. */
export async function consoleSession(sql: Sql, hashes: SessionHashes): Promise<ConsoleSession | undefined> {
  const [row] = await sql<ConsoleSession[]>`
    with found as (
      select s.id, s.link_id, s.expires_at, s.seen_at, l.project_id
      from console_sessions s join console_links l on l.id = s.link_id
      where s.cookie_hash = ${hashes.cookie} and s.page_hash = ${hashes.page} and ${holds(sql)}
    ), seen as (
      -- Once a minute. One that another request is updating is skipped, so that nobody waits.
      update console_sessions set seen_at = now()
      where id in (select s.id from console_sessions s join found on found.id = s.id
        where s.seen_at < now() - interval '1 minute' for no key update of s skip locked)
    )
    select id, link_id as "linkId", project_id as "projectId", expires_at as "expiresAt" from found`
  return row
}

/** Whether a session that was looked up before is still valid, for work that continues after its request. */
export async function isSessionActive(sql: Sql, id: string): Promise<boolean> {
  const found = await sql`
    select from console_sessions s join console_links l on l.id = s.link_id where s.id = ${id} and ${holds(sql)}`
  return found.length > 0
}

function holds(sql: Sql) {
  return sql`s.expires_at > now() and s.seen_at > now() - make_interval(secs => ${IDLE_SECONDS}::int)
    and s.seen_at - now() <= ${ahead(sql)} and l.revoked_at is null`
}

const ahead = (sql: Sql) => sql`make_interval(secs => ${AHEAD_SECONDS}::int)`

export async function signOut(sql: Sql, id: string): Promise<void> {
  await sql`delete from console_sessions where id = ${id}`
}

/** Links that can still be used or have sessions, newest first. */
export async function listConsoleLinks(sql: Sql, { limit, after }: ListPage = {}): Promise<ListedConsoleLink[]> {
  const rows = await sql<WithDates<ListedConsoleLink, 'created_at' | 'expires_at' | 'used_at' | 'revoked_at'>[]>`
    select l.id, p.name as project, l.created_at, l.expires_at, l.used_at, l.revoked_at,
      (select count(*)::int from console_sessions s where s.link_id = l.id and ${holds(sql)}) as sessions
    from console_links l left join projects p on p.id = l.project_id
    ${after ? sql`where (l.created_at, l.id) < (${after.at}, ${after.id})` : sql``}
    order by l.created_at desc, l.id desc limit ${limit ?? null}`
  return rows.map(isoDates)
}

/** Revokes a link and ends its sessions. @returns whether there was one that was not revoked yet */
export async function revokeConsoleLink(sql: Sql, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  const { count } = await sql`update console_links set revoked_at = now() where id = ${id} and revoked_at is null`
  if (count > 0) await sql`delete from console_sessions where link_id = ${id}`
  return count > 0
}
