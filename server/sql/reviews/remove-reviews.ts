import { vacuumInParts } from '../../db/autovacuum.ts'
import { projectTransaction } from '../../db/transaction.ts'
import { inBackground } from '../../db/turns.ts'
import type { Pool, Sql } from '../../deps.ts'
import { removeExcerpts } from '../excerpts/refresh-excerpts.ts'
import { bumpRevision } from '../excerpts/search-changes.ts'
import { lockProject } from '../projects/project-lock.ts'
import type { EnvironmentScope } from '../scope.ts'

/** One environment, or both of a deleted project, which has none any more. */
export type RemovalScope = Pick<EnvironmentScope, 'projectId'> & Partial<EnvironmentScope>

/**
 * Target duration of a step. The embedded database has one connection that everyone waits for, and a search needs it several
 * times; elsewhere a step only holds up the project's pushes, and takes 50 ms of round trips when the database is far away.
 */
const STEP_MS = { alone: 20, pooled: 500 }
/** Reviews of the first step: one of 20,000 characters has more than a hundred excerpts. */
const FIRST = 10
const MOST = 1_000
/**
 * The embedded database is vacuumed after this many, at first. A statement of it goes through whole indexes, and everyone
 * waits for it: of 100,000 reviews 80 ms for 500 removed ones, 330 ms for 4,000.
 */
const VACUUMED = 500
const LEAST_VACUUMED = 250
const MOST_VACUUMED = 2_000
/** Target duration of the longest statement of a vacuum. */
const VACUUM_MS = 80

/**
 * Removes reviews with everything that belongs to them, in steps that commit separately and let requests go first. At some
 * moment before it returns there are none.
 * @param shouldContinue called between steps
 * @returns how many were removed
 */
export async function removeReviews(pool: Pool, removed: RemovalScope, shouldContinue = () => true): Promise<number> {
  const sql = inBackground(pool)
  let total = 0
  let most = FIRST
  const alone = sql.options.max === 1
  const stepMs = alone ? STEP_MS.alone : STEP_MS.pooled
  let dead = 0
  let vacuumed = VACUUMED
  // Each step begins after the last one's ids, since the index still contains the removed ones; the final one begins at the
  // first id.
  let after: string | undefined
  while (shouldContinue()) {
    const step = await projectTransaction(sql, removed.projectId, async (tx) => {
      const started = performance.now()
      const ids = await removeSome(tx, removed, after, most)
      return { ids, ms: performance.now() - started }
    })
    total += step.ids.length
    dead += step.ids.length
    if (alone && dead >= vacuumed) {
      const longest = [await vacuumInParts(sql, 'excerpts'), await vacuumInParts(sql, 'reviews')]
      vacuumed = nextVacuumed(dead, Math.max(...longest))
      dead = 0
    }
    if (step.ids.length < most && after === undefined) break
    after = step.ids.length < most ? undefined : step.ids.at(-1)
    most = Math.min(MOST, 2 * most, Math.max(FIRST, Math.round((most * stepMs) / step.ms)))
  }
  return total
}

/**
 * How many removed reviews the next vacuum is for.
 * @param ms the longest statement of the last one, which was for `reviews`, with its wait for others: beside many requests
 * each is for fewer
 */
export function nextVacuumed(reviews: number, ms: number): number {
  const fitting = Math.min(2 * reviews, Math.round((reviews * VACUUM_MS) / ms))
  return Math.max(LEAST_VACUUMED, Math.min(MOST_VACUUMED, fitting))
}

async function removeSome(
  tx: Sql,
  { projectId, env }: RemovalScope,
  after: string | undefined,
  most: number,
): Promise<string[]> {
  // The lock that a push takes: a concurrent push is either removed or comes later.
  await lockProject(tx, projectId)
  const rows = await tx<{ id: string }[]>`
    select id from reviews where project_id = ${projectId} ${env === undefined ? tx`` : tx`and env = ${env}`}
      ${after === undefined ? tx`` : tx`and id > ${after}`}
    order by id limit ${most} for update`
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return ids
  await tx`delete from index_jobs where project_id = ${projectId} and review_id = any (${ids}::uuid[])`
  // In bulk, so that the row-by-row cascade from the reviews finds nothing left.
  await removeExcerpts(tx, projectId, ids)
  await tx`delete from reviews where project_id = ${projectId} and id = any (${ids}::uuid[])`
  if (env !== undefined) await bumpRevision(tx, { projectId, env }, ids, -ids.length)
  return ids
}
