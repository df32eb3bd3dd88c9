import type { ReadinessResponse } from '../../../src/contract/health.ts'
import { onAllServers } from '../../db/cluster-watch.ts'
import type { Sql } from '../../deps.ts'

/** `queued` reviews wait for the pipeline or are in it; some of them are `running`, and for some the last attempt failed. */
export type QueueCounts = NonNullable<ReadinessResponse['queue']>

/** The whole queue. `set_aside` is not part of `queued`; `oldest_seconds` has fractions. */
export async function queueCounts(sql: Sql): Promise<QueueCounts> {
  const counting = async () => sql<QueueCounts[]>`
    select (count(*) filter (where set_aside_at is null))::int as queued,
      (count(*) filter (where leased_until > now()))::int as running,
      (count(*) filter (where last_error is not null and set_aside_at is null))::int as failing,
      count(set_aside_at)::int as set_aside,
      coalesce(extract(epoch from now() - (min(created_at) filter (where set_aside_at is null))), 0)::float8
        as oldest_seconds
    from index_jobs`
  const [row] = await onAllServers(sql, counting)
  return row ?? { queued: 0, running: 0, failing: 0, set_aside: 0, oldest_seconds: 0 }
}

/** Reviews of one project waiting to be indexed, and those set aside. */
export async function projectQueue(sql: Sql, projectId: string): Promise<{ waiting: number; set_aside: number }> {
  const [row] = await sql<{ waiting: number; set_aside: number }[]>`
    select (count(*) filter (where set_aside_at is null))::int as waiting, count(set_aside_at)::int as set_aside
    from index_jobs where project_id = ${projectId}`
  return row ?? { waiting: 0, set_aside: 0 }
}

/** The error of a failing job, to show what kind of failure it is; never the review's text. */
export async function failingJob(sql: Sql): Promise<{ attempts: number; error: string } | undefined> {
  const look = async () => sql<{ attempts: number; error: string }[]>`
    select attempts, last_error as error from index_jobs
    where last_error is not null and set_aside_at is null order by attempts desc, run_at limit 1`
  const [row] = await onAllServers(sql, look)
  return row
}
