import type { Sql } from '../../deps.ts'
import { type ClaimKey, idsOf, type JobKey } from './job.ts'

/** Extends a claim's leases; returns how many jobs it still holds. */
export async function extendLease(sql: Sql, { token, projectId }: ClaimKey, leaseSeconds: number): Promise<number> {
  const result = await sql`
    update index_jobs
    set leased_until = now() + ${leaseSeconds} * interval '1 second', run_at = now() + ${leaseSeconds} * interval '1 second'
    where project_id = ${projectId} and lease_token = ${token}`
  return result.count
}

/** Releases jobs of a claim untried, by default all: they are due at once and the attempt does not count. */
export async function releaseReviews(
  sql: Sql,
  { token, projectId }: ClaimKey,
  keys?: readonly JobKey[],
): Promise<void> {
  await sql`
    update index_jobs
    set lease_token = null, leased_until = null, run_at = now(), attempts = greatest(attempts - 1, 0)
    where project_id = ${projectId} and lease_token = ${token}
      ${keys ? sql`and review_id = any (${idsOf(keys)}::uuid[])` : sql``}`
}

/** The jobs that a claim still holds, to tell a save that skipped locked rows from one whose reviews changed. */
export async function heldReviews(sql: Sql, { token, projectId }: ClaimKey): Promise<Set<string>> {
  const rows = await sql<{ review_id: string }[]>`
    select review_id from index_jobs where project_id = ${projectId} and lease_token = ${token}`
  return new Set(rows.map((row) => row.review_id))
}

/**
 * Ends every lease. Only for the embedded database, which a single process uses: any holder of a lease is dead. The tokens
 * stay, so that the next claim counts the interruption against the reviews.
 */
export async function endLeases(sql: Sql): Promise<number> {
  const result = await sql`
    update index_jobs set leased_until = least(leased_until, now()), run_at = least(run_at, now())
    where lease_token is not null`
  return result.count
}
