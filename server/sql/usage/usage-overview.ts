import { onAllServers } from '../../db/cluster-watch.ts'
import type { Sql } from '../../deps.ts'

export interface ProjectUsage {
  name: string
  live: number
  test: number
  /** Uncached queries of the current month (UTC). */
  uncachedQueries: number
}

/** What each project stores and has used, in one statement. */
export async function usageOfProjects(sql: Sql): Promise<ProjectUsage[]> {
  const ask = async () => sql<ProjectUsage[]>`
    select p.name,
      coalesce(live.review_count, 0) as live, coalesce(test.review_count, 0) as test,
      coalesce(u.uncached, 0)::float8 as "uncachedQueries"
    from projects p
    left join environments live on live.project_id = p.id and live.env = 'live'
    left join environments test on test.project_id = p.id and test.env = 'test'
    left join query_usage u on u.project_id = p.id and u.month = date_trunc('month', now() at time zone 'UTC')::date
    where p.deleted_at is null
    order by p.name`
  return onAllServers(sql, ask)
}
