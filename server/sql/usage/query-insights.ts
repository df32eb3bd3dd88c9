import type { ConsoleInsights } from '../../../src/contract/console.ts'
import type { InsightsResponse } from '../../../src/contract/insights.ts'
import { onAllServers, onServerOf } from '../../db/cluster-watch.ts'
import { transaction } from '../../db/transaction.ts'
import { isReferenceGone, isServerOfClusterLost } from '../../db/unavailable.ts'
import type { Pool, Sql } from '../../deps.ts'
import type { EnvironmentScope } from '../scope.ts'
import { countWithFirst, mayBeSecond } from './second-queries.ts'

type QueryCount = InsightsResponse['top'][number]
type DayCount = ConsoleInsights['by_day'][number]

export interface InsightRow extends QueryCount, EnvironmentScope {
  /** How often it was a page's second query, whose search is counted with the first. */
  asSecond?: number
}

/** Different queries stored per project, environment and day; further ones of that day are dropped. */
export const QUERIES_A_DAY = 2_000

/** Adds counts to today (UTC). Skips deleted projects and those on a lost server. */
export async function addInsights(sql: Sql, rows: readonly InsightRow[]): Promise<void> {
  const groups = new Map<string, InsightRow[]>()
  // In a fixed order, so that two servers that add concurrently cannot deadlock.
  for (const row of [...rows].sort((a, b) => (keyOf(a) + a.query < keyOf(b) + b.query ? -1 : 1))) {
    groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  }
  for (const group of groups.values()) {
    try {
      await onServerOf(sql, group[0]?.projectId ?? '', () => addToEnvironment(sql, group))
    } catch (error) {
      if (!isReferenceGone(error) && !isServerOfClusterLost(error)) throw error
    }
  }
}

function keyOf({ projectId, env }: InsightRow): string {
  return `${projectId} ${env} `
}

/** Adds rows of one environment. @throws when its project no longer exists */
async function addToEnvironment(sql: Sql, rows: readonly InsightRow[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const { projectId, env } = first
  const today = sql`project_id = ${projectId} and env = ${env} and day = (now() at time zone 'UTC')::date`
  const queries = rows.map(({ query }) => query)
  const [kept] = await sql<{ count: number; known: string[] }[]>`
    select count(*)::int as count, coalesce(array_agg(query) filter (where query = any (${queries}::text[])), '{}') as known
    from query_insights where ${today}`
  // Beyond the limit, stored queries continue to count. Two concurrent servers may store a few more.
  const known = new Set(kept?.known)
  let room = QUERIES_A_DAY - (kept?.count ?? 0)
  const added = rows.filter(({ query }) => known.has(query) || room-- > 0)
  await upsert(
    sql,
    first,
    added.filter((row) => !mayBeSecond(row)),
  )
  await upsert(sql, first, await countWithFirst(sql, added.filter(mayBeSecond)))
}

async function upsert(sql: Sql, { projectId, env }: EnvironmentScope, rows: readonly InsightRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into query_insights as kept (project_id, env, day, query, searches, empty, fallbacks, as_second)
    select environments.project_id, environments.env, (now() at time zone 'UTC')::date,
      added.query, added.searches, added.empty, added.fallbacks, added.as_second
    from environments, unnest(${rows.map((row) => row.query)}::text[], ${rows.map((row) => row.searches)}::int[],
      ${rows.map((row) => row.empty)}::int[], ${rows.map((row) => row.fallbacks)}::int[],
      ${rows.map((row) => row.asSecond ?? 0)}::int[])
      as added (query, searches, empty, fallbacks, as_second)
    where environments.project_id = ${projectId} and environments.env = ${env}
    on conflict (project_id, env, day, query) do update set searches = kept.searches + excluded.searches,
      empty = kept.empty + excluded.empty, fallbacks = kept.fallbacks + excluded.fallbacks,
      as_second = kept.as_second + excluded.as_second`
}

/**
 * Deletes all but the last `days` days, one day of an environment at a time: after somebody lowers `days`, every request on
 * the embedded database would otherwise wait for all the rest.
 * @param shouldContinue called between steps
 */
export async function forgetInsights(sql: Sql, days: number, shouldContinue = () => true): Promise<void> {
  while (shouldContinue()) {
    const [oldest] = await onAllServers(
      sql,
      async () => sql<(EnvironmentScope & { day: string })[]>`
        select project_id as "projectId", env, day::text from query_insights
        where day <= (now() at time zone 'UTC')::date - ${days}::int order by query_insights.day limit 1`,
    )
    if (!oldest) return
    const { projectId, env, day } = oldest
    await onServerOf(
      sql,
      projectId,
      async () => sql`
        delete from query_insights where project_id = ${projectId} and env = ${env} and day = ${day}::text::date`,
    )
  }
}

/**
 * What was searched in the last days, as one moment has it: lists that were read apart from their totals contradicted them
 * while counts were being written.
 * @param limit queries in each list
 */
export async function readInsights(
  pool: Pool,
  scope: EnvironmentScope,
  { days, limit }: { days: number; limit: number },
): Promise<{ totals: InsightsResponse['totals']; top: QueryCount[]; unanswered: QueryCount[]; byDay: DayCount[] }> {
  const read = async (sql: Sql) => {
    const [totals, top, unanswered, byDay] = await Promise.all([
      insightTotals(sql, scope, days),
      frequentQueries(sql, scope, { days, limit, by: 'searches' }),
      frequentQueries(sql, scope, { days, limit, by: 'unanswered' }),
      searchesByDay(sql, scope, days),
    ])
    return { totals, top, unanswered, byDay }
  }
  return onServerOf(pool, scope.projectId, () => transaction(pool, read, { snapshot: true }))
}

function lately(sql: Sql, { projectId, env }: EnvironmentScope, days: number) {
  return sql`project_id = ${projectId} and env = ${env} and day > (now() at time zone 'UTC')::date - ${days}::int`
}

export async function insightTotals(
  sql: Sql,
  scope: EnvironmentScope,
  days: number,
): Promise<InsightsResponse['totals']> {
  const [row] = await sql<InsightsResponse['totals'][]>`
    select coalesce(sum(searches), 0)::int as searches, coalesce(sum(empty), 0)::int as empty,
      coalesce(sum(fallbacks), 0)::int as fallbacks, count(*)::int as queries
    from (
      select sum(searches) as searches, sum(empty) as empty, sum(fallbacks) as fallbacks from query_insights
      where ${lately(sql, scope, days)} and searches > 0
      group by query
    ) each_query`
  return row ?? { searches: 0, empty: 0, fallbacks: 0, queries: 0 }
}

/** The queries that were sent most often, second ones among them, those searched most often, or most often in vain. */
export async function frequentQueries(
  sql: Sql,
  scope: EnvironmentScope,
  options: { days: number; limit: number; by: 'sent' | 'searches' | 'unanswered' },
): Promise<QueryCount[]> {
  const { days, limit, by } = options
  const searches = by === 'sent' ? sql`sum(searches + as_second)` : sql`sum(searches)`
  const order = by === 'unanswered' ? sql`sum(empty + fallbacks)` : searches
  const rows = await sql<QueryCount[]>`
    select query, ${searches}::int as searches, sum(empty)::int as empty, sum(fallbacks)::int as fallbacks
    from query_insights
    where ${lately(sql, scope, days)}
    group by query having ${order} > 0
    order by ${order} desc, query
    limit ${limit}`
  return [...rows]
}

/** Searches of each day (UTC) that had any, oldest first. */
export async function searchesByDay(sql: Sql, scope: EnvironmentScope, days: number): Promise<DayCount[]> {
  return sql<DayCount[]>`
    select to_char(day, 'YYYY-MM-DD') as day, (now() at time zone 'UTC')::date - day as days_ago,
      sum(searches)::int as searches, sum(empty + fallbacks)::int as unanswered
    from query_insights
    where ${lately(sql, scope, days)}
    group by query_insights.day order by query_insights.day`
}
