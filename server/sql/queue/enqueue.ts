import type { Fragment, Sql } from '../../deps.ts'
import { resetColumns } from './job.ts'

/** Queues reviews; an existing job, claimed or not, starts over. */
export function enqueue(sql: Sql, projectId: string, ids: string[]): Promise<void> {
  return insertJobs(sql, sql`project_id = ${projectId} and id = any (${ids}::uuid[])`)
}

/** Rebuilds the queue from the reviews' states: a new job for each that is `indexing`, none for the others. */
export async function enqueueByStatus(sql: Sql): Promise<void> {
  await sql`
    delete from index_jobs using reviews
    where reviews.project_id = index_jobs.project_id and reviews.id = index_jobs.review_id and status = 'indexed'`
  await insertJobs(sql, sql`status = 'indexing'`)
}

async function insertJobs(sql: Sql, which: Fragment): Promise<void> {
  await sql`
    insert into index_jobs (project_id, review_id, text_version)
    select project_id, id, text_version from reviews where ${which} order by project_id, id
    on conflict (project_id, review_id) do update set
      text_version = excluded.text_version, ${resetColumns(sql, sql`excluded.run_at`)}`
}
