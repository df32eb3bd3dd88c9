import type { Sql } from '../deps.ts'
import { PLACEMENTS } from './distribution.ts'

/** A session with locks on Pullquote's tables, as far as this role may see it. */
interface LockHolder {
  pid: number
  user: string
  application: string
  /** Of its transaction; null when this role may not see it. */
  seconds: number | null
}

/** Whose transaction has held locks on Pullquote's tables for longest; undefined when nobody's does now. */
export async function lockHolder(sql: Sql): Promise<LockHolder | undefined> {
  const [holder] = await sql<LockHolder[]>`
    select pid, usename as user, application_name as application,
      round(extract(epoch from clock_timestamp() - xact_start))::int as seconds
    from pg_stat_activity
    where pid <> pg_backend_pid() and pid in (
      select pid from pg_locks join pg_class on pg_class.oid = relation
      where locktype = 'relation' and granted and database = (select oid from pg_database where datname = current_database())
        and relnamespace = current_schema()::regnamespace and relname = any (${Object.keys(PLACEMENTS)}::text[]))
    order by xact_start limit 1`
  return holder
}

/** Modes that keep others from writing, or from reading too. */
const STRONG = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

/**
 * Another program's session that keeps this one's from writing or reading: one for which a session of this role waits, or
 * with strong locks on Pullquote's tables; of several the one that began first.
 */
export async function obstructor(sql: Sql): Promise<(LockHolder & { waiting: number }) | undefined> {
  const [found] = await sql<(LockHolder & { waiting: number })[]>`
    with waiting as (
      select unnest(pg_blocking_pids(pid)) as by from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() and usename = current_user
    )
    select pid, usename as user, application_name as application,
      round(extract(epoch from clock_timestamp() - xact_start))::int as seconds,
      (select count(*) from waiting where by = pid)::int as waiting
    from pg_stat_activity
    where application_name <> current_setting('application_name') and pid in (
      select by from waiting
      union all
      select pid from pg_locks join pg_class on pg_class.oid = relation
      where locktype = 'relation' and granted and database = (select oid from pg_database where datname = current_database())
        and mode = any (${STRONG}::text[])
        and relnamespace = current_schema()::regnamespace and relname = any (${Object.keys(PLACEMENTS)}::text[]))
    order by waiting desc, xact_start limit 1`
  return found
}
