import { randomUUID } from 'node:crypto'
import type { Environment } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'

/** Revisions that are kept of an environment: an index that is further behind is loaded again. */
const KEPT_REVISIONS = 256

/**
 * Makes an environment's cached answers old and says which reviews' excerpts changed. It comes last in a transaction,
 * since every write of the environment waits for this row.
 */
export async function bumpRevision(
  sql: Sql,
  projectId: string,
  env: Environment,
  touched: readonly string[],
  counted = 0,
): Promise<void> {
  await sql`
    with grown as (
      update environments set revision = revision + 1, stamp = ${randomUUID()}, review_count = review_count + ${counted}
      where project_id = ${projectId} and env = ${env}
      returning project_id, env, revision, stamp
    ), old as (
      delete from search_changes c using grown
      where c.project_id = grown.project_id and c.env = grown.env and c.revision <= grown.revision - ${KEPT_REVISIONS}::int
    )
    insert into search_changes (project_id, env, revision, stamp, review_ids)
    select project_id, env, revision, stamp, ${touched as string[]}::uuid[] from grown`
}
