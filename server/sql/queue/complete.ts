import type { Environment } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import { LANGUAGE_SAMPLE } from '../../language-by-words.ts'
import { idsOf, type JobKey, type ModelClaim } from './job.ts'

/** A review whose job a claim still holds, locked until the transaction ends. */
export interface HeldReview {
  id: string
  env: Environment
  language: string | null
  /** Of its text, for detecting the language. */
  beginning: string
}

/**
 * Locks those reviews and their jobs that the claim still holds, whose text is the claimed one and whose installation uses
 * the claim's model. Rows locked by another transaction are skipped rather than waited for. The condition on the project is
 * repeated for both tables, so that only one shard is asked.
 */
export async function lockHeld(tx: Sql, { token, projectId, modelId }: ModelClaim, keys: readonly JobKey[]) {
  return tx<HeldReview[]>`
    select r.id, r.env, r.language, left(r.text, ${LANGUAGE_SAMPLE}) as beginning
    from index_jobs j join reviews r on r.project_id = j.project_id and r.id = j.review_id
    where j.project_id = ${projectId} and j.review_id = any (${idsOf(keys)}::uuid[]) and j.lease_token = ${token}
      and j.text_version = r.text_version and (select embedding_model_id from installation) = ${modelId}
    order by r.id
    for no key update of j, r skip locked`
}

/** Ends the jobs of reviews locked by {@link lockHeld}. */
export async function completeJobs(tx: Sql, projectId: string, keys: readonly JobKey[]): Promise<void> {
  await tx`delete from index_jobs where project_id = ${projectId} and review_id = any (${idsOf(keys)}::uuid[])`
}
