import type { Environment } from '../../src/contract/review.ts'
import type { Sql } from '../deps.ts'

export interface InsightRow {
  projectId: string
  env: Environment
  query: string
  searches: number
  empty: number
  fallbacks: number
}

/** Different queries kept for a project, environment and day; what comes after them that day is not kept. */
export const QUERIES_A_DAY = 2_000

/** Adds counts to today (UTC). Projects that are gone are passed over. */
export async function addInsights(sql: Sql, rows: readonly InsightRow[]): Promise<void> {
  // In one order everywhere, so that two servers that add at once cannot wait for each other.
  const ordered = [...rows].sort((a, b) => (a.projectId + a.env + a.query < b.projectId + b.env + b.query ? -1 : 1))
  await sql`
    insert into query_insights as kept (project_id, env, day, query, searches, empty, fallbacks)
    select added.project_id, added.env, (now() at time zone 'UTC')::date, added.query, added.searches, added.empty,
      added.fallbacks
    from unnest(${ordered.map((row) => row.projectId)}::uuid[], ${ordered.map((row) => row.env)}::text[],
      ${ordered.map((row) => row.query)}::text[], ${ordered.map((row) => row.searches)}::int[],
      ${ordered.map((row) => row.empty)}::int[], ${ordered.map((row) => row.fallbacks)}::int[])
      as added (project_id, env, query, searches, empty, fallbacks)
    join projects p on p.id = added.project_id
    where (select count(*) from query_insights full_day
        where full_day.project_id = added.project_id and full_day.env = added.env
          and full_day.day = (now() at time zone 'UTC')::date) < ${QUERIES_A_DAY}
      or exists (select from query_insights known
        where known.project_id = added.project_id and known.env = added.env
          and known.day = (now() at time zone 'UTC')::date and known.query = added.query)
    on conflict (project_id, env, day, query) do update set searches = kept.searches + excluded.searches,
      empty = kept.empty + excluded.empty, fallbacks = kept.fallbacks + excluded.fallbacks`
}

/** Forgets days that are older than `days`. */
export async function forgetInsights(sql: Sql, days: number): Promise<void> {
  await sql`delete from query_insights where day <= (now() at time zone 'UTC')::date - ${days}::int`
}

export interface InsightTotals {
  searches: number
  empty: number
  fallbacks: number
  queries: number
}

export interface QueryCount {
  query: string
  searches: number
  empty: number
  fallbacks: number
}

export async function insightTotals(
  sql: Sql,
  projectId: string,
  env: Environment,
  days: number,
): Promise<InsightTotals> {
  const [row] = await sql<InsightTotals[]>`
    select coalesce(sum(searches), 0)::int as searches, coalesce(sum(empty), 0)::int as empty,
      coalesce(sum(fallbacks), 0)::int as fallbacks, count(distinct query)::int as queries
    from query_insights
    where project_id = ${projectId} and env = ${env} and day > (now() at time zone 'UTC')::date - ${days}::int`
  return row ?? { searches: 0, empty: 0, fallbacks: 0, queries: 0 }
}

/** The most frequent queries, or those that most often found nothing. */
export async function frequentQueries(
  sql: Sql,
  projectId: string,
  env: Environment,
  options: { days: number; limit: number; by: 'searches' | 'unanswered' },
): Promise<QueryCount[]> {
  const { days, limit, by } = options
  const rows = await sql<QueryCount[]>`
    select query, sum(searches)::int as searches, sum(empty)::int as empty, sum(fallbacks)::int as fallbacks
    from query_insights
    where project_id = ${projectId} and env = ${env} and day > (now() at time zone 'UTC')::date - ${days}::int
    group by query having ${by === 'searches'} or sum(empty + fallbacks) > 0
    order by case when ${by === 'searches'} then sum(searches) else sum(empty + fallbacks) end desc, query
    limit ${limit}`
  return [...rows]
}

/** Searches of each day (UTC) that had any, oldest first. */
export async function searchesByDay(
  sql: Sql,
  projectId: string,
  env: Environment,
  days: number,
): Promise<{ day: string; searches: number; unanswered: number }[]> {
  const rows = await sql<{ day: string; searches: number; unanswered: number }[]>`
    select to_char(day, 'YYYY-MM-DD') as day, sum(searches)::int as searches,
      sum(empty + fallbacks)::int as unanswered
    from query_insights
    where project_id = ${projectId} and env = ${env} and day > (now() at time zone 'UTC')::date - ${days}::int
    group by query_insights.day order by query_insights.day`
  return [...rows]
}
