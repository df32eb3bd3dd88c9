import type { Environment, ReviewStatus, Source } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'

/** What makes a review of an environment that review. */
export interface ReviewKey {
  source: Source
  external_id: string
}

export interface ExistingReview extends ReviewKey {
  id: string
  textVersion: number
  status: ReviewStatus
}

/**
 * The stored reviews with one of the sources and one of the external ids, their rows locked in the order of their ids;
 * a batch that mixes sources may thus get a few more than it named.
 *
 * Two lists can be conditions of one index scan. A join with the keys was a hash join over the whole project wherever
 * the table's statistics were young: 1 ms at 1,000 reviews, growing with the project.
 */
export async function lockExisting(
  sql: Sql,
  projectId: string,
  env: Environment,
  keys: ReviewKey[],
): Promise<ExistingReview[]> {
  return sql<ExistingReview[]>`
    select id, source, external_id, text_version as "textVersion", status from reviews
    where project_id = ${projectId} and env = ${env} and source = any (${[...new Set(keys.map((key) => key.source))]}::text[])
      and external_id = any (${[...new Set(keys.map((key) => key.external_id))]}::text[])
    order by id
    for no key update`
}
