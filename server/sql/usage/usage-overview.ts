import type { Sql } from '../../deps.ts'

export interface ProjectUsage {
  name: string
  live: number
  test: number
  /** Uncached queries of the current month (UTC). */
  uncachedQueries: number
}

/** What each project holds and has used, in one statement. */
export async function usageOfProjects(sql: Sql): Promise<ProjectUsage[]> {
  const rows = await sql<ProjectUsage[]>`
    select p.name,
      coalesce(sum(e.review_count) filter (where e.env = 'live'), 0)::int as live,
      coalesce(sum(e.review_count) filter (where e.env = 'test'), 0)::int as test,
      coalesce((select u.uncached from query_usage u
        where u.project_id = p.id and u.month = date_trunc('month', now() at time zone 'UTC')::date), 0)::float8
        as "uncachedQueries"
    from projects p left join environments e on e.project_id = p.id
    group by p.id order by p.name`
  return [...rows]
}
