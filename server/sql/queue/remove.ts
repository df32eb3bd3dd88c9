import type { Environment } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'

/**
 * Removes the jobs of a project, or of one of its environments, in bulk: the cascade from its reviews, which goes row by
 * row, then finds nothing left.
 */
export async function removeJobs(tx: Sql, projectId: string, env?: Environment): Promise<void> {
  await tx`delete from index_jobs job using reviews review
    where job.project_id = ${projectId} and review.project_id = ${projectId} and job.review_id = review.id
      ${env === undefined ? tx`` : tx`and review.env = ${env}`}`
}
