import type { Sql } from '../../deps.ts'
import { type ClaimKey, FAULTS_UNTIL_SET_ASIDE, type JobKey } from './job.ts'
import { releaseReviews } from './lease.ts'

/** A review as it was when it was claimed. */
export interface ClaimedReview extends JobKey {
  text: string
  language: string | null
  rating: number | null
  /** How often the job was claimed, including this time. */
  attempts: number
}

export interface ClaimRequest extends ClaimKey {
  limit: number
  leaseSeconds: number
  /** Nothing is claimed unless this is the installation's vector space. */
  modelId: number
  /** Take the jobs that became due last. */
  newestFirst: boolean
}

export interface Claim {
  /** Whether the installation still uses the claimer's model. */
  modelActive: boolean
  reviews: ClaimedReview[]
  /** Ids of reviews that were set aside instead. */
  setAside: string[]
}

const ABANDONED = 'the server stopped or was blocked each time it indexed this review alone'

/**
 * Claims due jobs of a project for `leaseSeconds`. `run_at` moves to the end of the lease, so that claimed jobs leave the
 * head of the index and an expired lease makes them due again.
 *
 * A job whose lease expired was held by a server that died or was blocked, perhaps because of this very review: from then on
 * it is claimed alone. If that happens twice more, it is set aside: a review that kills every server takes down three at
 * most, the first along with others.
 *
 * Planned anew each time, since a plan kept from a queue that was empty compares every job with every claimed one: 3 s for the
 * first 256 of 5,000, for which everyone else on the embedded database waited. A project that the statistics do not know yet
 * is planned as one of a single row, which took 1.3 s of 4,000; hence the jobs are found again by their place, and the texts
 * by a list.
 */
export async function claimReviews(sql: Sql, request: ClaimRequest): Promise<Claim> {
  const { token, projectId, limit, leaseSeconds, modelId, newestFirst } = request
  const rows = await sql.unsafe<
    (ClaimedReview & { modelActive: boolean; taken: number; setAside: string | null; isStale: boolean | null })[]
  >(newestFirst ? CLAIM_NEWEST : CLAIM_OLDEST, [modelId, projectId, limit, token, leaseSeconds, ABANDONED])
  // A stale text changed between this statement's snapshot and its lock on the job: the next claim sees the new one.
  const stale = rows.filter(({ isStale }) => isStale)
  const reviews = rows.flatMap(({ modelActive: _, taken: __, setAside: ___, isStale, ...review }) =>
    isStale === false ? review : [],
  )
  if (stale.length > 0) await releaseReviews(sql, request, stale)
  const [first] = rows
  // Every one changed between the snapshot and the lock, and has moved.
  if (first && first.taken > 0 && first.isStale === null && first.setAside === null) return claimReviews(sql, request)
  return { modelActive: first?.modelActive ?? false, reviews, setAside: first?.setAside?.split(',') ?? [] }
}

const claimStatement = (order: 'asc' | 'desc') => `
  with installed as (
    select coalesce(embedding_model_id = $1::int, false) as active from installation
  ), due as materialized (
    select ctid as place, review_id, run_at, lease_token is not null as left_behind,
      lease_token is not null or abandoned > 0 as suspect,
      faults + (lease_token is not null and claimed_with = 1)::int as faults
    from index_jobs
    where project_id = $2::uuid and run_at <= now() and set_aside_at is null and (select active from installed)
    order by index_jobs.run_at ${order}
    limit $3::int
    for update skip locked
  ), first as materialized (
    select review_id, suspect from due where faults < ${FAULTS_UNTIL_SET_ASIDE} order by run_at ${order}, review_id limit 1
  ), taken as materialized (
    select due.* from due, first
    where faults < ${FAULTS_UNTIL_SET_ASIDE} and case when first.suspect then due.review_id = first.review_id else not due.suspect end
  ), set_aside as (
    update index_jobs j
    set faults = due.faults, abandoned = abandoned + 1, set_aside_at = now(), run_at = 'infinity', lease_token = null,
      leased_until = null, last_error = $6::text
    from due where due.faults >= ${FAULTS_UNTIL_SET_ASIDE} and j.project_id = $2::uuid and j.ctid = due.place
    returning j.review_id
  ), claimed as (
    update index_jobs j
    set lease_token = $4::uuid, attempts = attempts + 1, faults = taken.faults,
      abandoned = abandoned + taken.left_behind::int, claimed_with = (select count(*) from taken),
      leased_until = now() + $5::float8 * interval '1 second', run_at = now() + $5::float8 * interval '1 second'
    from taken where j.project_id = $2::uuid and j.ctid = taken.place
    returning j.project_id, j.review_id, j.text_version, j.attempts
  ), texts as materialized (
    select id, text, language, rating, text_version from reviews
    where project_id = $2::uuid and id = any (array(select review_id from claimed))
  )
  select installed.active as "modelActive", (select count(*) from taken)::int as taken,
    (select string_agg(review_id::text, ',') from set_aside) as "setAside",
    c.project_id as "projectId", c.review_id as "reviewId", c.attempts, r.text, r.language, r.rating,
    r.text_version <> c.text_version as "isStale"
  from installed left join (claimed c join texts r on r.id = c.review_id) on true`

const CLAIM_OLDEST = claimStatement('asc')
const CLAIM_NEWEST = claimStatement('desc')
