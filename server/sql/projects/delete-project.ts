import { randomUUID } from 'node:crypto'
import { transaction } from '../../db/transaction.ts'
import { inBackground } from '../../db/turns.ts'
import type { Pool, Sql } from '../../deps.ts'
import { removeReviews } from '../reviews/remove-reviews.ts'
import { isUuid } from '../uuid.ts'
import { lockProject } from './project-lock.ts'

/**
 * Deletes a project with its keys, so that nothing finds it any more and its name is free. Its data is removed by
 * {@link purgeDeletedProjects}.
 * @returns whether there was one
 */
export async function deleteProject(sql: Pool, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  return transaction(sql, async (tx) => {
    await lockProject(tx, id)
    // A name that nobody uses.
    const { count } = await tx`
      update projects set name = ${randomUUID()}, deleted_at = now() where id = ${id} and deleted_at is null`
    if (count === 0) return false
    await tx`delete from api_keys where project_id = ${id}`
    await tx`delete from console_links where project_id = ${id}`
    // Anyone who still has its id finds no environment to write to, index or search.
    await tx`delete from environments where project_id = ${id}`
    return true
  })
}

/**
 * Removes the data of deleted projects, in small steps that let requests go first.
 * @param shouldContinue called between steps
 * @returns how many projects are gone
 */
export async function purgeDeletedProjects(pool: Pool, shouldContinue = () => true): Promise<number> {
  const sql = inBackground(pool)
  const deleted = await sql<{ id: string }[]>`select id from projects where deleted_at is not null order by deleted_at`
  let count = 0
  for (const { id } of deleted) {
    await removeReviews(sql, { projectId: id }, shouldContinue)
    while (shouldContinue() && (await removeDayOfInsights(sql, id))) {}
    if (!shouldContinue()) break
    await sql`delete from projects where id = ${id} and deleted_at is not null`
    count++
  }
  return count
}

async function removeDayOfInsights(sql: Sql, projectId: string): Promise<boolean> {
  const { count } = await sql`
    delete from query_insights where project_id = ${projectId}
      and day = (select min(day) from query_insights where project_id = ${projectId})`
  return count > 0
}
