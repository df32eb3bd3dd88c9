import { onAllServers } from '../../db/cluster-watch.ts'
import type { Fragment, Sql } from '../../deps.ts'
import { LONGEST_RETRY_SECONDS } from './job.ts'

/** A project that has jobs which are due. */
export interface DueProject {
  projectId: string
  /** When the first of them became due. */
  since: Date
}

/**
 * The projects that have due jobs. An index is asked once a project, however long their queues are, and a distributed
 * database asks its servers side by side.
 *
 * @param among only these projects; a distributed database then asks only the servers on which they lie
 */
export async function dueProjects(sql: Sql, among?: string[]): Promise<DueProject[]> {
  // Asked twice, rather than joined as a lateral: a distributed database refuses an aggregate without groups in one. Not
  // with `exists`, for which a table without statistics, as after a large import, is read from end to end.
  // Each is told which projects: a distributed database asks every server that one of its parts does not rule out.
  const given = (column: Fragment) => (among ? sql`and ${column} = any (${among}::uuid[])` : sql``)
  const due = sql`from index_jobs j where j.project_id = e.project_id ${given(sql`j.project_id`)}
    and j.run_at <= now() and j.set_aside_at is null`
  return sql<DueProject[]>`
    select e.project_id as "projectId", (select min(j.run_at) ${due}) as since
    from environments e where e.env = 'live' and (select min(j.run_at) ${due}) is not null
      ${given(sql`e.project_id`)}`
}

/** Between the clocks of a claim and of a look, or of two servers of a database cluster. */
const CLOCK_SLACK_SECONDS = 5

/**
 * Makes due what lies further in the future than a lease or a retry ever sets it: the database's clock was set back, and
 * it would wait until that has caught up. Whoever holds such a lease, if anybody, finds its claim gone when it saves.
 *
 * @param leaseSeconds the longest lease of any server
 * @returns how many reviews
 */
export async function rescheduleFutureJobs(sql: Sql, leaseSeconds: number): Promise<number> {
  const reschedule = async () => sql`
    update index_jobs set run_at = now(), leased_until = null, lease_token = null
    where set_aside_at is null
      and nullif(run_at, 'infinity'::timestamptz) - now() > interval '1 second' * (${CLOCK_SLACK_SECONDS}::int + case when lease_token is not null
        then ${leaseSeconds}::float8 else 1.25 * least(${LONGEST_RETRY_SECONDS}::int, power(2, least(attempts, 20))) end)`
  const { count } = await onAllServers(sql, reschedule)
  return count
}
