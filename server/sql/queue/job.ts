import type { Fragment, Sql } from '../../deps.ts'

/** Names a claimed review in the calls that end its claim. */
export interface JobKey {
  projectId: string
  reviewId: string
}

/**
 * Names a claim: only its holder can save, extend or release. All of its jobs are of one project, so that every statement
 * about them asks for that project's rows alone.
 */
export interface ClaimKey {
  token: string
  projectId: string
}

/** The same of a claim whose reviews are embedded in this vector space. */
export interface ModelClaim extends ClaimKey {
  modelId: number
}

/** A review that failed so often by its own fault is set aside. */
export const FAULTS_UNTIL_SET_ASIDE = 2
export const LONGEST_RETRY_SECONDS = 3600

/**
 * What an update sets to make a job new: untried and in nobody's hands.
 *
 * @param runAt when it is due: a distributed database refuses `now()` in what a conflict sets
 */
export function resetColumns(sql: Sql, runAt: Fragment) {
  return sql`attempts = 0, claimed_with = 0, abandoned = 0, faults = 0, set_aside_at = null, run_at = ${runAt},
    lease_token = null, leased_until = null, last_error = null`
}

export function idsOf(keys: readonly JobKey[]): string[] {
  return keys.map(({ reviewId }) => reviewId)
}
