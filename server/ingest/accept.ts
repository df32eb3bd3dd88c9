import { randomUUID } from 'node:crypto'
import { CodedError } from '../../src/contract/code-of.ts'
import { PLAN_LIMITS, type Plan } from '../../src/contract/limits.ts'
import type { Environment, PushedReview, ReviewInput } from '../../src/contract/review.ts'
import { projectTransaction } from '../db/transaction.ts'
import { inBackground } from '../db/turns.ts'
import type { Pool, Sql } from '../deps.ts'
import { sentimentOfRating } from '../sentiment/sentiment.ts'
import { refreshExcerpts, removeExcerpts } from '../sql/excerpts/refresh-excerpts.ts'
import { bumpRevision } from '../sql/excerpts/search-changes.ts'
import { lockProject, planOf } from '../sql/projects/project-lock.ts'
import type { Project } from '../sql/projects/projects.ts'
import { type Backlog, backlogOfOthers, type IndexingAllowance, isDeferred } from '../sql/queue/deferral.ts'
import { enqueue } from '../sql/queue/enqueue.ts'
import { claimReviews, renameReviews } from '../sql/reviews/earlier-reviews.ts'
import { countReviews } from '../sql/reviews/reviews.ts'
import {
  insertReviews,
  lockExisting,
  type ReviewKey,
  type ReviewRow,
  updateReviews,
} from '../sql/reviews/write-reviews.ts'
import type { EnvironmentScope } from '../sql/scope.ts'
import { queuePush } from './push-queue.ts'

/**
 * A review to store. Imports add: `hidden`, the initial state of a new review (a stored one keeps its state); `visibility`,
 * what the vendor shows now, which a stored review follows unless somebody decided it by hand; `origin`, the export it comes
 * from, the same for all rows except those with an approximate day; `isApproximate`, that the day is approximate; `replaces`,
 * the stored review of which this is a later version.
 */
export type AcceptRow = ReviewInput &
  Pick<ReviewRow, 'hidden' | 'visibility' | 'origin' | 'isApproximate'> & { replaces?: string | undefined }

export interface AcceptedReview extends PushedReview {
  outcome: 'inserted' | 'updated' | 'unchanged'
}

export interface Accepted {
  /** In row order; of a key that occurs several times only the last is kept, in its place. */
  reviews: AcceptedReview[]
  /** Stored, but the operator's limits delay the indexing. */
  deferred: boolean
}

/** The operator's limits on indexing, and caps on reviews per project that override the plan's. */
export interface Allowance extends IndexingAllowance {
  reviewsPerProject?: Partial<Record<Plan, number>>
}

/** How many reviews a project may have in both environments together. */
export function reviewCap(plan: Plan, { reviewsPerProject }: Allowance): number {
  return reviewsPerProject?.[plan] ?? PLAN_LIMITS[plan].reviewsPerProject
}

/** The project was deleted during the request. */
export class ProjectGone extends CodedError<'project_gone'> {
  constructor() {
    super('project_gone', 'The project was deleted')
  }
}

/**
 * The single entry point: stores a batch of validated reviews atomically and queues those that need indexing.
 *
 * Rows with a new key are inserted. A stored review becomes what the row says; if that changes its text or removes its
 * rating, its excerpts are removed and it is indexed again. A row that changes nothing writes nothing.
 * @returns `limit` when the batch would exceed the plan's review cap (both environments count): then nothing was written, and
 * `remaining` more reviews fit
 * @throws {ProjectGone}
 */
export async function accept(
  pool: Pool,
  project: Pick<Project, 'id'>,
  env: Environment,
  rows: AcceptRow[],
  allowance: Allowance,
): Promise<Accepted | { limit: { remaining: number } }> {
  const batch = lastOccurrences(rows)
  if (batch.length === 0) return { reviews: [], deferred: false }
  const scope = { projectId: project.id, env }
  const others = await backlogOfOthers(pool, project.id, allowance)
  return queuePush(pool, project.id, () =>
    projectTransaction(inBackground(pool), project.id, (sql) => acceptBatch(sql, scope, batch, allowance, others)),
  )
}

async function acceptBatch(
  sql: Sql,
  scope: EnvironmentScope,
  batch: AcceptRow[],
  allowance: Allowance,
  others: Backlog | undefined,
) {
  const { projectId } = scope
  if (batch.some(({ replaces }) => replaces !== undefined)) {
    await lockProject(sql, projectId)
    await renameReviews(sql, scope, batch)
  }
  // Four statements in one round trip. The lock comes first, so that the others see what it waited for.
  const [, plan, counts, stored] = await Promise.all([
    lockProject(sql, projectId),
    planOf(sql, projectId),
    countReviews(sql, projectId),
    lockExisting(sql, scope, batch),
  ])
  if (plan === undefined) throw new ProjectGone()
  const storedByKey = new Map(stored.map((review) => [keyOf(review), review]))

  const toInsert: ReviewRow[] = []
  const toCompare: ReviewRow[] = []
  const entries = batch.map((input) => {
    const existing = storedByKey.get(keyOf(input))
    const sentiment = typeof input.rating === 'number' ? sentimentOfRating(input.rating) : null
    const row = { ...input, sentiment, id: existing?.id ?? randomUUID() }
    if (existing) toCompare.push(row)
    else toInsert.push(row)
    return { row, existing }
  })
  const remaining = remainingOf(plan, counts, allowance)
  if (toInsert.length > remaining) return { limit: { remaining } }

  const [updates] = await Promise.all([
    toCompare.length > 0 ? updateReviews(sql, projectId, toCompare) : [],
    toInsert.length > 0 ? insertReviews(sql, scope, toInsert) : undefined,
  ])
  const updated = new Map(updates.map((review) => [review.id, review]))

  const reviews = entries.map(({ row, existing }): AcceptedReview => {
    const { id, external_id, source } = row
    if (!existing) return { id, external_id, source, status: 'indexing', outcome: 'inserted' }
    const change = updated.get(id)
    if (!change) return { id, external_id, source, status: existing.status, outcome: 'unchanged' }
    return { id, external_id, source, status: change.status, outcome: 'updated' }
  })
  const rewritten = stored.filter(({ id, textVersion }) => (updated.get(id)?.textVersion ?? 0) > textVersion)
  const rewrittenIds = new Set(rewritten.map(({ id }) => id))
  const retouched = toCompare.filter(({ id }) => updated.has(id) && !rewrittenIds.has(id))
  // Rows with an approximate day have no export, next to others of their file that do.
  const origin = batch.find((row) => row.origin !== undefined)?.origin
  const unclaimed = entries.filter(({ row, existing }) => existing?.origin === null && row.origin !== undefined)
  const queued = [...toInsert.map(({ id }) => id), ...rewrittenIds]

  const [, deferred] = await Promise.all([
    queued.length > 0 ? enqueue(sql, projectId, queued) : undefined,
    // Includes reviews waiting from before, for a client that resends because the response was lost.
    reviews.some(({ status }) => status === 'indexing') && isDeferred(sql, projectId, allowance, others),
    origin !== undefined && unclaimed.length > 0
      ? claimReviews(
          sql,
          projectId,
          origin,
          unclaimed.map(({ row }) => row.id),
        )
      : undefined,
    rewritten.length > 0 ? removeExcerpts(sql, projectId, [...rewrittenIds]) : undefined,
    retouched.length > 0 ? refreshExcerpts(sql, projectId, retouched) : undefined,
    // Last, since every write of the environment waits for this row. From now on caches miss.
    queued.length + retouched.length > 0 ? bumpRevision(sql, scope, [...updated.keys()], toInsert.length) : undefined,
  ])
  return { reviews, deferred }
}

export async function remainingCapacity(
  sql: Sql,
  project: Pick<Project, 'id' | 'plan'>,
  allowance: Allowance,
): Promise<number> {
  return remainingOf(project.plan, await countReviews(sql, project.id), allowance)
}

function remainingOf(plan: Plan, stored: { live: number; test: number }, allowance: Allowance): number {
  return Math.max(0, reviewCap(plan, allowance) - stored.live - stored.test)
}

function lastOccurrences(rows: AcceptRow[]): AcceptRow[] {
  const lastPlace = new Map(rows.map((row, place) => [keyOf(row), place]))
  return rows.filter((row, place) => lastPlace.get(keyOf(row)) === place)
}

function keyOf(key: ReviewKey): string {
  return `${key.source} ${key.external_id}`
}
