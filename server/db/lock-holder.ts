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
