import type { Sql } from '../../deps.ts'
import type { Scope } from '../scope.ts'

/**
 * Whether reviews of an environment are still indexed for another model only, as after an update, and wait for this one.
 * Reviews that failed on their own do not count: they may wait for good. Reads both ends of an index, so that it costs next
 * to nothing once every review is done.
 */
export async function awaitsModel(sql: Sql, { projectId, env, modelId }: Scope): Promise<boolean> {
  const [row] = await sql<{ awaits: boolean }[]>`
    select exists (
      select 1 from excerpts e join index_jobs j on j.project_id = e.project_id and j.review_id = e.review_id
      where e.project_id = ${projectId} and e.env = ${env}
        and (e.embedding_model_id < ${modelId} or e.embedding_model_id > ${modelId})
        and j.set_aside_at is null and j.faults = 0) as awaits`
  return row?.awaits === true
}
