import type { Fragment, Sql } from '../../deps.ts'

/** Identifies a claimed review in the calls that end its claim. */
export interface JobKey {
  projectId: string
  reviewId: string
}

/**
 * Identifies a claim: only its holder can save, extend or release. All its jobs are of one project, so that every statement
 * about them touches only that project's rows.
 */
export interface ClaimKey {
  token: string
  projectId: string
}

/** A claim whose reviews are embedded in this vector space. */
export interface ModelClaim extends ClaimKey {
  modelId: number
}

/** A review that failed this often through its own fault is set aside. */
export const FAULTS_UNTIL_SET_ASIDE = 2
export const LONGEST_RETRY_SECONDS = 3600

/**
 * The `set` clause that makes a job new: untried and unclaimed.
 * @param runAt when it is due: a distributed database rejects `now()` in the `set` of a conflict
 */
export function resetColumns(sql: Sql, runAt: Fragment) {
  return sql`attempts = 0, claimed_with = 0, abandoned = 0, faults = 0, set_aside_at = null, run_at = ${runAt},
    lease_token = null, leased_until = null, last_error = null`
}

export function idsOf(keys: readonly JobKey[]): string[] {
  return keys.map(({ reviewId }) => reviewId)
}
