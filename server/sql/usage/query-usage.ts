import type { Fragment, Sql } from '../../deps.ts'

export type QueryCharge<Beside> =
  | { ok: true /** First day of the month that was charged. */; month: string; beside: Beside | undefined }
  | { ok: false /** Until the next month begins (UTC), at least 1. */; retryAfterSeconds: number }

/**
 * Charges one uncached query to the project's current month (UTC, by the database's clock), unless `quota` is used up. One
 * round trip, which `beside` shares; exact however many servers charge concurrently.
 */
export async function chargeQuery<Beside>(
  sql: Sql,
  projectId: string,
  quota: number,
  beside?: { value: Fragment; read(value: unknown): Beside },
): Promise<QueryCharge<Beside>> {
  // The search need not wait for the commit to reach the disk: a crash may lose the last queries of a month, while waiting
  // for the disk would be the longest part of a query in a small project.
  const [row] = await sql<{ month: string | null; secondsLeft: number; beside: unknown }[]>`
    with spent as (${quota > 0 ? charge(sql, projectId, quota) : sql`select null::date as month where false`})
    select (select to_char(month, 'YYYY-MM-DD') from spent) as month,
      greatest(1, ceil(extract(epoch from
        date_trunc('month', now() at time zone 'UTC') + interval '1 month' - now() at time zone 'UTC')))::int
        as "secondsLeft",
      set_config('synchronous_commit', 'off', true),
      ${beside?.value ?? null} as beside`
  if (!row) throw new Error('The quota statement returned no row')
  return row.month === null
    ? { ok: false, retryAfterSeconds: row.secondsLeft }
    : { ok: true, month: row.month, beside: beside?.read(row.beside) }
}

/**
 * Inserts constant values, which a distributed database can do where the project is, whatever the state of its other servers.
 */
function charge(sql: Sql, projectId: string, quota: number) {
  return sql`
    insert into query_usage as usage (project_id, month, uncached)
    values (${projectId}, date_trunc('month', now() at time zone 'UTC')::date, 1)
    on conflict (project_id, month) do update set uncached = usage.uncached + 1 where usage.uncached < ${quota}::bigint
    returning month`
}

/** Refunds a query that was charged to `month` but failed. */
export async function refundQuery(sql: Sql, projectId: string, month: string): Promise<void> {
  await sql`
    update query_usage set uncached = uncached - 1
    where project_id = ${projectId} and month = ${month}::text::date and uncached > 0`
}

/** Uncached queries of the current month (UTC). */
export async function queriesThisMonth(sql: Sql, projectId: string): Promise<number> {
  return (await monthlyQueries(sql, [projectId])).get(projectId)?.this_month ?? 0
}

export interface MonthlyQueries {
  this_month: number
  last_month: number
}

/** Uncached queries of the current month (UTC) and of the one before, by project. */
export async function monthlyQueries(sql: Sql, projectIds: string[]): Promise<Map<string, MonthlyQueries>> {
  const rows = await sql<{ id: string; month: keyof MonthlyQueries; uncached: number }[]>`
    select project_id as id, uncached::float8 as uncached,
      case when month = date_trunc('month', now() at time zone 'UTC') then 'this_month' else 'last_month' end as month
    from query_usage
    where project_id = any (${projectIds}::uuid[])
      and month >= date_trunc('month', now() at time zone 'UTC') - interval '1 month'`
  const months = new Map(projectIds.map((id) => [id, { this_month: 0, last_month: 0 }]))
  for (const { id, month, uncached } of rows) Object.assign(months.get(id) ?? {}, { [month]: uncached })
  return months
}
