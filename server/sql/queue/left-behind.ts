import { onAllServers, onServerOf } from '../../db/cluster-watch.ts'
import { projectTransaction } from '../../db/transaction.ts'
import { unlessServerLost } from '../../db/unavailable.ts'
import type { Pool } from '../../deps.ts'
import { enqueue } from './enqueue.ts'

/**
 * Queues reviews that are marked as indexed but have excerpts of another vector space, which no search finds: a server that
 * still worked with the former model indexed them while the current one was activated.
 * @param modelId the vector space of this server; when it is not the active one, does nothing
 * @returns how many reviews
 */
export async function queueLeftBehind(sql: Pool, modelId: number): Promise<number> {
  const ofModels = sql`from excerpts e where e.project_id = v.project_id and e.env = v.env`
  // Reads both ends of an index: there is nothing to find except after a change of model.
  const look = async () => sql<{ projectId: string }[]>`
    select distinct project_id as "projectId" from environments v
    where (select embedding_model_id from installation) = ${modelId}
      and ((select min(embedding_model_id) ${ofModels}) < ${modelId} or (select max(embedding_model_id) ${ofModels}) > ${modelId})`
  let count = 0
  for (const { projectId } of await onAllServers(sql, look)) {
    const queue = () => queueOfProject(sql, projectId, modelId)
    count += (await unlessServerLost(onServerOf(sql, projectId, queue))) ?? 0
  }
  return count
}

function queueOfProject(sql: Pool, projectId: string, modelId: number): Promise<number> {
  return projectTransaction(sql, projectId, async (tx) => {
    const rows = await tx<{ id: string }[]>`
      update reviews set status = 'indexing'
      where project_id = ${projectId} and status = 'indexed' and id in (
        select review_id from excerpts
        where project_id = ${projectId} and env in ('live', 'test')
          and (embedding_model_id < ${modelId} or embedding_model_id > ${modelId}))
      returning id`
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) await enqueue(tx, projectId, ids)
    return ids.length
  })
}
