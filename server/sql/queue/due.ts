import { onAllServers } from '../../db/cluster-watch.ts'
import type { Fragment, Sql } from '../../deps.ts'
import { LONGEST_RETRY_SECONDS } from './job.ts'

/** A project with due jobs. */
export interface DueProject {
  projectId: string
  /** When its first job became due. */
  since: Date
}

/**
 * The projects with due jobs. One index lookup per project, however long their queues are; a distributed database asks its
 * servers in parallel.
 * @param among only these projects; a distributed database then asks only their servers
 */
export async function dueProjects(sql: Sql, among?: string[]): Promise<DueProject[]> {
  // Two subqueries rather than a lateral join: a distributed database rejects an ungrouped aggregate in one. And not
  // `exists`, for which a table without statistics, as after a large import, is read from end to end. Both name the projects:
  // a distributed database asks every server that a subquery does not rule out.
  const given = (column: Fragment) => (among ? sql`and ${column} = any (${among}::uuid[])` : sql``)
  const due = sql`from index_jobs j where j.project_id = e.project_id ${given(sql`j.project_id`)}
    and j.run_at <= now() and j.set_aside_at is null`
  return sql<DueProject[]>`
    select e.project_id as "projectId", (select min(j.run_at) ${due}) as since
    from environments e where e.env = 'live' and (select min(j.run_at) ${due}) is not null
      ${given(sql`e.project_id`)}`
}

/** Between the clocks of a claim and of a check, or of two servers of a database cluster. */
const CLOCK_SLACK_SECONDS = 5

/**
 * Makes jobs due that are further in the future than any lease or retry: the database's clock was set back, and they would
 * wait until it has caught up. A holder of such a lease finds its claim gone when it saves.
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
