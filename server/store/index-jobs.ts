import type { Sql } from '../deps.ts'

/** Names a claimed review in the calls that end its claim. */
export interface JobKey {
  projectId: string
  reviewId: string
}

/** A review as it stood when it was claimed. */
export interface ClaimedReview extends JobKey {
  text: string
  language: string | null
  rating: number | null
  /** How often the job was claimed, this time included. */
  attempts: number
}

export interface ClaimRequest {
  /** Names this claim: only its holder can save, extend or release. */
  token: string
  limit: number
  leaseSeconds: number
  /** Nothing is claimed unless this is the installation's vector space. */
  modelId: number
  /** Take the jobs that became due last, rather than first. */
  newestFirst: boolean
}

export interface Claim {
  /** Whether the installation still uses the claimer's model. */
  modelActive: boolean
  reviews: ClaimedReview[]
}

/**
 * Takes due jobs for `leaseSeconds`. `run_at` moves to the lease's end with it, so that claimed jobs leave the head of
 * the index and an expired lease is due again by itself.
 */
export async function claimReviews(sql: Sql, request: ClaimRequest): Promise<Claim> {
  const { token, limit, leaseSeconds, modelId, newestFirst } = request
  const rows = await sql<
    {
      model_active: boolean
      project_id: string | null
      review_id: string
      text: string
      language: string | null
      rating: number | null
      attempts: number
      stale: boolean
    }[]
  >`
    with installed as (
      select coalesce(embedding_model_id = ${modelId}, false) as active from installation
    ), due as materialized (
      select project_id, review_id from index_jobs
      where run_at <= now() and (select active from installed)
      order by run_at ${newestFirst ? sql`desc` : sql`asc`}
      limit ${limit}
      for update skip locked
    ), claimed as (
      update index_jobs j
      set lease_token = ${token}, attempts = attempts + 1,
        leased_until = now() + ${leaseSeconds} * interval '1 second', run_at = now() + ${leaseSeconds} * interval '1 second'
      from due where j.project_id = due.project_id and j.review_id = due.review_id
      returning j.project_id, j.review_id, j.text_version, j.attempts
    )
    select installed.active as model_active, c.project_id, c.review_id, c.attempts,
      r.text, r.language, r.rating, r.text_version <> c.text_version as stale
    from installed
    left join (claimed c join reviews r on r.project_id = c.project_id and r.id = c.review_id) on true`
  const reviews: ClaimedReview[] = []
  const stale: JobKey[] = []
  for (const row of rows) {
    if (row.project_id === null) continue
    const key = { projectId: row.project_id, reviewId: row.review_id }
    // The text changed between this statement's snapshot and its lock on the job: the next claim sees the new one.
    if (row.stale) stale.push(key)
    else reviews.push({ ...key, text: row.text, language: row.language, rating: row.rating, attempts: row.attempts })
  }
  if (stale.length > 0) await releaseReviews(sql, token, stale)
  return { modelActive: rows[0]?.model_active ?? false, reviews }
}

/** Moves the end of a claim's leases; returns how many jobs it still holds. */
export async function extendLease(sql: Sql, token: string, leaseSeconds: number): Promise<number> {
  const result = await sql`
    update index_jobs
    set leased_until = now() + ${leaseSeconds} * interval '1 second', run_at = now() + ${leaseSeconds} * interval '1 second'
    where lease_token = ${token}`
  return result.count
}

/** Gives jobs back untried: they are due at once and the attempt does not count. */
export async function releaseReviews(sql: Sql, token: string, keys: readonly JobKey[]): Promise<void> {
  await sql`
    update index_jobs j
    set lease_token = null, leased_until = null, run_at = now(), attempts = greatest(j.attempts - 1, 0)
    from ${keyRows(sql, keys)} k
    where j.project_id = k.project_id and j.review_id = k.review_id and j.lease_token = ${token}`
}

export const LONGEST_RETRY_SECONDS = 3600

/** Records a failure. The next try waits 2, 4, 8 … seconds, an hour at most, spread by a quarter either way. */
export async function failReviews(sql: Sql, token: string, keys: readonly JobKey[], error: string): Promise<void> {
  await sql`
    update index_jobs j
    set lease_token = null, leased_until = null, last_error = left(${error}, 500),
      run_at = now() + interval '1 second' * (0.75 + random() / 2)
        * least(${LONGEST_RETRY_SECONDS}, power(2, least(j.attempts, 20)))
    from ${keyRows(sql, keys)} k
    where j.project_id = k.project_id and j.review_id = k.review_id and j.lease_token = ${token}`
}

/** The jobs of a claim that is still held: what a lock kept a save from, rather than a change. */
export async function heldReviews(sql: Sql, token: string): Promise<Set<string>> {
  const rows = await sql<{ review_id: string }[]>`select review_id from index_jobs where lease_token = ${token}`
  return new Set(rows.map((row) => row.review_id))
}

/**
 * Frees every lease. For the embedded database only, which one process has to itself: whoever held a lease is dead.
 */
export async function freeLeases(sql: Sql): Promise<number> {
  const result = await sql`
    update index_jobs set lease_token = null, leased_until = null, run_at = least(run_at, now())
    where lease_token is not null`
  return result.count
}

export interface QueueCounts {
  /** Reviews that wait for the pipeline or are in it. */
  queued: number
  /** Of those, the ones a server works on. */
  running: number
  /** Of those, the ones whose last try failed. */
  failing: number
  oldestSeconds: number
}

export async function queueCounts(sql: Sql): Promise<QueueCounts> {
  const [row] = await sql<{ queued: number; running: number; failing: number; oldest: number }[]>`
    select count(*)::int as queued,
      (count(*) filter (where leased_until > now()))::int as running,
      (count(*) filter (where last_error is not null))::int as failing,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
    from index_jobs`
  return {
    queued: row?.queued ?? 0,
    running: row?.running ?? 0,
    failing: row?.failing ?? 0,
    oldestSeconds: row?.oldest ?? 0,
  }
}

/** Keys as a table expression. One JSON parameter, since it needs no array type and knows no limit on its length. */
export function keyRows(sql: Sql, keys: readonly JobKey[]) {
  const json = JSON.stringify(keys.map((key) => ({ project_id: key.projectId, review_id: key.reviewId })))
  return sql`(select * from json_to_recordset(${json}::text::json) as k(project_id uuid, review_id uuid))`
}
