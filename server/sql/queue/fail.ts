import type { Sql } from '../../deps.ts'
import { type ClaimKey, FAULTS_UNTIL_SET_ASIDE, idsOf, type JobKey, LONGEST_RETRY_SECONDS } from './job.ts'

/**
 * Records a failure. The next attempt follows after 2, 4, 8 … seconds, at most an hour, with a jitter of a quarter.
 * @param ownFault whether the review was to blame and not the embedding service or the database: the second time it is set
 * aside, and no server claims it before its text changes or somebody retries it (set-aside.ts)
 */
export async function failReviews(
  sql: Sql,
  { token, projectId }: ClaimKey,
  keys: readonly JobKey[],
  error: string,
  ownFault = false,
): Promise<void> {
  const held = sql`project_id = ${projectId} and review_id = any (${idsOf(keys)}::uuid[]) and lease_token = ${token}`
  if (ownFault) {
    // A separate statement rather than a `case`: a distributed database rejects `now()` inside one.
    await sql`
      update index_jobs
      set lease_token = null, leased_until = null, last_error = left(${error}, 500), faults = faults + 1,
        set_aside_at = now(), run_at = 'infinity'
      where ${held} and faults + 1 >= ${FAULTS_UNTIL_SET_ASIDE}`
  }
  const rest = await sql<{ attempts: number; ids: string[] }[]>`
    select attempts, array_agg(review_id) as ids from index_jobs where ${held} group by attempts`
  for (const { attempts, ids } of rest) {
    const seconds = Math.min(LONGEST_RETRY_SECONDS, 2 ** Math.min(attempts, 20)) * (0.75 + Math.random() / 2)
    // One delay per statement, as a parameter: a distributed database rejects one computed from columns or at random.
    await sql`
      update index_jobs
      set lease_token = null, leased_until = null, last_error = left(${error}, 500), faults = faults + ${ownFault ? 1 : 0},
        run_at = now() + ${seconds}::float8 * interval '1 second'
      where project_id = ${projectId} and review_id = any (${ids}::uuid[]) and lease_token = ${token}`
  }
}
