import { randomUUID } from 'node:crypto'
import type { Environment } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import type { EnvironmentScope } from '../scope.ts'

/** Revisions kept per environment: an index further behind is reloaded. */
const KEPT_REVISIONS = 1_024

/**
 * Invalidates an environment's cached answers and records which reviews' excerpts changed. Comes last in a transaction, since
 * every write of the environment waits for this row.
 */
export async function bumpRevision(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  touched: readonly string[],
  counted = 0,
): Promise<void> {
  const own = sql`project_id = ${projectId} and env = ${env}`
  // Pipelined. As one statement, a distributed database would shuffle its parts between all servers.
  await Promise.all([
    sql`update environments set revision = revision + 1, stamp = ${randomUUID()}, review_count = review_count + ${counted} where ${own}`,
    sql`insert into search_changes (project_id, env, revision, stamp, review_ids)
      select project_id, env, revision, stamp, ${touched as string[]}::uuid[] from environments where ${own}`,
    sql`delete from search_changes where ${own}
      and revision <= (select revision - ${KEPT_REVISIONS}::int from environments where ${own})`,
  ])
}

/** The same for reviews of both environments of a project, whose rows are locked live first. */
export async function bumpRevisions(
  sql: Sql,
  projectId: string,
  touched: readonly { id: string; env: Environment }[],
): Promise<void> {
  for (const env of ['live', 'test'] as const) {
    const ids = touched.flatMap((review) => (review.env === env ? review.id : []))
    if (ids.length > 0) await bumpRevision(sql, { projectId, env }, ids)
  }
}
