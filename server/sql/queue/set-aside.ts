import type { SetAsideResponse } from '../../../src/contract/set-aside.ts'
import type { Sql } from '../../deps.ts'
import { isoDates, type WithDates } from '../iso-dates.ts'
import { resetColumns } from './job.ts'

type SetAside = SetAsideResponse['reviews'][number]

/** One project, or all. */
type ProjectFilter = { projectId?: string | undefined }

/**
 * Reviews that were set aside, latest first, and their number. The reason is never the review's text, though an embedding
 * service may quote it.
 */
export async function listSetAside(
  sql: Sql,
  { projectId, limit }: ProjectFilter & { limit: number },
): Promise<SetAsideResponse> {
  const rows = await sql<(WithDates<SetAside, 'since'> & { total: number })[]>`
    select p.name as project, r.env, r.id, r.source, r.external_id, j.set_aside_at as since,
      coalesce(j.last_error, '') as reason, (count(*) over ())::int as total
    from index_jobs j
    join reviews r on r.project_id = j.project_id and r.id = j.review_id
    join projects p on p.id = j.project_id
    where j.set_aside_at is not null and j.project_id = coalesce(${projectId ?? null}::uuid, j.project_id)
    order by j.set_aside_at desc, r.id limit ${limit}`
  return { total: rows[0]?.total ?? 0, reviews: rows.map(({ total: _, ...review }) => isoDates(review)) }
}

/** Queues reviews that were set aside once more, as if new. @returns how many reviews */
export async function retrySetAside(sql: Sql, { projectId }: ProjectFilter = {}): Promise<number> {
  const { count } = await sql`
    update index_jobs set ${resetColumns(sql, sql`now()`)}
    where set_aside_at is not null and project_id = coalesce(${projectId ?? null}::uuid, project_id)`
  return count
}
