import type { Sql } from '../../deps.ts'

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

/**
 * Names a claim: only its holder can save, extend or release. All of its jobs are of one project, so that every statement
 * about them asks for that project's rows alone.
 */
export interface ClaimKey {
  token: string
  projectId: string
}

export interface ClaimRequest extends ClaimKey {
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
  /** Ids of those that were set aside instead. */
  setAside: string[]
}

/** A review that failed so often by its own fault is set aside. */
const MOST_FAULTS = 2
const ABANDONED = 'the server stopped or was blocked each time it indexed this review alone'

/** A project that has jobs which are due. */
export interface DueProject {
  projectId: string
  /** When the first of them became due. */
  since: Date
}

/**
 * The projects that have due jobs. An index is asked once a project, however long their queues are, and a distributed
 * database asks its servers side by side.
 */
export async function dueProjects(sql: Sql): Promise<DueProject[]> {
  const rows = await sql<DueProject[]>`
    select e.project_id as "projectId", (
        select min(j.run_at) from index_jobs j where j.project_id = e.project_id and j.run_at <= now() and j.set_aside_at is null
      ) as since
    from environments e
    where e.env = 'live' and exists (
      select from index_jobs j where j.project_id = e.project_id and j.run_at <= now() and j.set_aside_at is null)`
  return [...rows]
}

/**
 * Takes due jobs of a project for `leaseSeconds`. `run_at` moves to the lease's end with it, so that claimed jobs leave the head of
 * the index and an expired lease is due again by itself.
 *
 * A job whose lease ran out was in the hands of a server that died or was blocked, perhaps by this very review: it is
 * claimed alone from then on. When that ends in the same way twice, it is set aside instead: so a review that ends every
 * server takes three of them at most, the first with others beside it.
 */
export async function claimReviews(sql: Sql, request: ClaimRequest): Promise<Claim> {
  const { token, projectId, limit, leaseSeconds, modelId, newestFirst } = request
  const order = newestFirst ? sql`desc` : sql`asc`
  const rows = await sql<
    {
      model_active: boolean
      set_aside: string | null
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
      select project_id, review_id, run_at, lease_token is not null as left_behind,
        lease_token is not null or abandoned > 0 as suspect,
        faults + (lease_token is not null and claimed_with = 1)::int as faults
      from index_jobs
      where project_id = ${projectId} and run_at <= now() and set_aside_at is null and (select active from installed)
      order by index_jobs.run_at ${order}
      limit ${limit}
      for update skip locked
    ), first as (
      select review_id, suspect from due where faults < ${MOST_FAULTS} order by run_at ${order}, review_id limit 1
    ), taken as materialized (
      select due.* from due, first
      where faults < ${MOST_FAULTS} and case when first.suspect then due.review_id = first.review_id else not due.suspect end
    ), set_aside as (
      update index_jobs j
      set faults = due.faults, abandoned = abandoned + 1, set_aside_at = now(), run_at = 'infinity', lease_token = null,
        leased_until = null, last_error = ${ABANDONED}
      from due where due.faults >= ${MOST_FAULTS} and j.project_id = ${projectId} and j.review_id = due.review_id
      returning j.review_id
    ), claimed as (
      update index_jobs j
      set lease_token = ${token}, attempts = attempts + 1, faults = taken.faults,
        abandoned = abandoned + taken.left_behind::int, claimed_with = (select count(*) from taken),
        leased_until = now() + ${leaseSeconds} * interval '1 second', run_at = now() + ${leaseSeconds} * interval '1 second'
      from taken where j.project_id = ${projectId} and j.review_id = taken.review_id
      returning j.project_id, j.review_id, j.text_version, j.attempts
    )
    select installed.active as model_active, (select string_agg(review_id::text, ',') from set_aside) as set_aside, c.project_id, c.review_id, c.attempts,
      r.text, r.language, r.rating, r.text_version <> c.text_version as stale
    from installed
    left join (claimed c join reviews r on r.project_id = ${projectId} and r.id = c.review_id) on true`
  const reviews: ClaimedReview[] = []
  const stale: JobKey[] = []
  for (const row of rows) {
    if (row.project_id === null) continue
    const key = { projectId: row.project_id, reviewId: row.review_id }
    // The text changed between this statement's snapshot and its lock on the job: the next claim sees the new one.
    if (row.stale) stale.push(key)
    else reviews.push({ ...key, text: row.text, language: row.language, rating: row.rating, attempts: row.attempts })
  }
  if (stale.length > 0) await releaseReviews(sql, request, stale)
  const [first] = rows
  return { modelActive: first?.model_active ?? false, reviews, setAside: first?.set_aside?.split(',') ?? [] }
}

/** Moves the end of a claim's leases; returns how many jobs it still holds. */
export async function extendLease(sql: Sql, { token, projectId }: ClaimKey, leaseSeconds: number): Promise<number> {
  const result = await sql`
    update index_jobs
    set leased_until = now() + ${leaseSeconds} * interval '1 second', run_at = now() + ${leaseSeconds} * interval '1 second'
    where project_id = ${projectId} and lease_token = ${token}`
  return result.count
}

/** Gives jobs back untried: they are due at once and the attempt does not count. */
export async function releaseReviews(sql: Sql, { token, projectId }: ClaimKey, keys: readonly JobKey[]): Promise<void> {
  await sql`
    update index_jobs
    set lease_token = null, leased_until = null, run_at = now(), attempts = greatest(attempts - 1, 0)
    where project_id = ${projectId} and review_id = any (${idsOf(keys)}::uuid[]) and lease_token = ${token}`
}

/** Gives back whatever a claim still holds, as {@link releaseReviews} does. */
export async function releaseClaim(sql: Sql, { token, projectId }: ClaimKey): Promise<void> {
  await sql`
    update index_jobs
    set lease_token = null, leased_until = null, run_at = now(), attempts = greatest(attempts - 1, 0)
    where project_id = ${projectId} and lease_token = ${token}`
}

export const LONGEST_RETRY_SECONDS = 3600
/** Between the clocks of a claim and of a look, or of two servers of a database cluster. */
const CLOCK_SLACK_SECONDS = 5

/**
 * Makes due what lies further in the future than a lease or a retry ever sets it: the database's clock was set back, and
 * it would wait until that has caught up. Whoever holds such a lease, if anybody, finds its claim gone when it saves.
 *
 * @param leaseSeconds the longest lease of any server
 * @returns how many reviews
 */
export async function bringForward(sql: Sql, leaseSeconds: number): Promise<number> {
  const { count } = await sql`
    update index_jobs set run_at = now(), leased_until = null, lease_token = null
    where set_aside_at is null
      and nullif(run_at, 'infinity'::timestamptz) - now() > interval '1 second' * (${CLOCK_SLACK_SECONDS}::int + case when lease_token is not null
        then ${leaseSeconds}::float8 else 1.25 * least(${LONGEST_RETRY_SECONDS}::int, power(2, least(attempts, 20))) end)`
  return count
}

/**
 * Records a failure. The next try waits 2, 4, 8 … seconds, an hour at most, spread by a quarter either way.
 *
 * @param ownFault whether it was the review and neither the embedding service nor the database: the second time it is
 * set aside, and no server claims it again before its text changes or somebody has it tried again (set-aside.ts)
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
    // In a statement of its own, rather than as a case: a distributed database refuses `now()` inside one.
    await sql`
      update index_jobs
      set lease_token = null, leased_until = null, last_error = left(${error}, 500), faults = faults + 1,
        set_aside_at = now(), run_at = 'infinity'
      where ${held} and faults + 1 >= ${MOST_FAULTS}`
  }
  const rest = await sql<{ attempts: number; ids: string[] }[]>`
    select attempts, array_agg(review_id) as ids from index_jobs where ${held} group by attempts`
  for (const { attempts, ids } of rest) {
    const seconds = Math.min(LONGEST_RETRY_SECONDS, 2 ** Math.min(attempts, 20)) * (0.75 + Math.random() / 2)
    // One wait a statement, which is a value: a distributed database refuses one made of columns, and random ones.
    await sql`
      update index_jobs
      set lease_token = null, leased_until = null, last_error = left(${error}, 500), faults = faults + ${ownFault ? 1 : 0},
        run_at = now() + ${seconds}::float8 * interval '1 second'
      where project_id = ${projectId} and review_id = any (${ids}::uuid[]) and lease_token = ${token}`
  }
}

/** The jobs of a claim that is still held: what a lock kept a save from, rather than a change. */
export async function heldReviews(sql: Sql, { token, projectId }: ClaimKey): Promise<Set<string>> {
  const rows = await sql<{ review_id: string }[]>`
    select review_id from index_jobs where project_id = ${projectId} and lease_token = ${token}`
  return new Set(rows.map((row) => row.review_id))
}

/**
 * Ends every lease. For the embedded database only, which one process has to itself: whoever held a lease is dead. The
 * tokens stay, so that the next claim counts the end against the reviews.
 */
export async function freeLeases(sql: Sql): Promise<number> {
  const result = await sql`
    update index_jobs set leased_until = least(leased_until, now()), run_at = least(run_at, now())
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
  /** Beside those: reviews that nothing indexes before their text changes or somebody has them tried again. */
  setAside: number
  oldestSeconds: number
}

export async function queueCounts(sql: Sql): Promise<QueueCounts> {
  const [row] = await sql<{ queued: number; running: number; failing: number; set_aside: number; oldest: number }[]>`
    select (count(*) filter (where set_aside_at is null))::int as queued,
      (count(*) filter (where leased_until > now()))::int as running,
      (count(*) filter (where last_error is not null and set_aside_at is null))::int as failing,
      count(set_aside_at)::int as set_aside,
      coalesce(extract(epoch from now() - (min(created_at) filter (where set_aside_at is null))), 0)::float8 as oldest
    from index_jobs`
  return {
    queued: row?.queued ?? 0,
    running: row?.running ?? 0,
    failing: row?.failing ?? 0,
    setAside: row?.set_aside ?? 0,
    oldestSeconds: row?.oldest ?? 0,
  }
}

/** Of one project: reviews that wait to be indexed, and those that were set aside. */
export async function projectQueue(sql: Sql, projectId: string): Promise<{ waiting: number; set_aside: number }> {
  const [row] = await sql<{ waiting: number; set_aside: number }[]>`
    select (count(*) filter (where set_aside_at is null))::int as waiting, count(set_aside_at)::int as set_aside
    from index_jobs where project_id = ${projectId}`
  return row ?? { waiting: 0, set_aside: 0 }
}

function idsOf(keys: readonly JobKey[]): string[] {
  return keys.map(({ reviewId }) => reviewId)
}
