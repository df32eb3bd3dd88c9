import { randomUUID } from 'node:crypto'
import { CodedError } from '../../src/contract/code-of.ts'
import { PLAN_LIMITS, type Plan } from '../../src/contract/limits.ts'
import type { Environment, PushedReview, ReviewInput } from '../../src/contract/review.ts'
import { projectTransaction } from '../db/transaction.ts'
import { inBackground } from '../db/turns.ts'
import type { Pool, Sql } from '../deps.ts'
import { sentimentOfRating } from '../sentiment/sentiment.ts'
import { hideWords } from '../sql/excerpts/hidden-excerpts.ts'
import { refreshExcerpts, removeExcerpts } from '../sql/excerpts/refresh-excerpts.ts'
import { bumpRevision } from '../sql/excerpts/search-changes.ts'
import { lockProject, planOf } from '../sql/projects/project-lock.ts'
import type { Project } from '../sql/projects/projects.ts'
import { type Backlog, backlogOfOthers, type IndexingAllowance, isDeferred } from '../sql/queue/deferral.ts'
import { enqueue } from '../sql/queue/enqueue.ts'
import { claimReviews, renameReviews } from '../sql/reviews/earlier-reviews.ts'
import { countReviews } from '../sql/reviews/reviews.ts'
import {
  type ExistingReview,
  insertReviews,
  lockExisting,
  type ReviewKey,
  type ReviewRow,
  type UpdatedReview,
  updateReviews,
} from '../sql/reviews/write-reviews.ts'
import type { EnvironmentScope } from '../sql/scope.ts'
import { queuePush } from './push-queue.ts'

/**
 * A review to store. Imports add: `hidden`, the initial state of a new review (a stored one keeps its state); `visibility`,
 * what the vendor shows now, which a stored review follows unless somebody decided it by hand; `origin`, the export it comes
 * from, the same for all rows except those with an approximate day; `isApproximate`, that the day is approximate; `replaces`,
 * the stored review of which this is a later version; `hiddenWords`, the sentences of a new review that do not appear.
 */
export type AcceptRow = ReviewInput &
  Pick<ReviewRow, 'hidden' | 'visibility' | 'origin' | 'isApproximate'> & {
    replaces?: string | undefined
    hiddenWords?: readonly string[] | undefined
  }

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
): Promise<Accepted | { limit: { remaining: number } }> {
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
  const entries = entriesOf(batch, stored)
  const toInsert = entries.filter(({ existing }) => existing === undefined).map(({ row }) => row)
  const toCompare = entries.filter(({ existing }) => existing !== undefined).map(({ row }) => row)
  const remaining = remainingOf(plan, counts, allowance)
  if (toInsert.length > remaining) return { limit: { remaining } }

  const [updates] = await Promise.all([
    toCompare.length > 0 ? updateReviews(sql, projectId, toCompare) : [],
    toInsert.length > 0 ? insertReviews(sql, scope, toInsert) : undefined,
  ])
  const updated = new Map(updates.map((review) => [review.id, review]))
  const reviews = entries.map((entry) => acceptedReview(entry, updated))
  const changes = changesOf(entries, updated)
  const hidden = entries.flatMap(({ row: { id, hiddenWords: words }, existing }) =>
    existing === undefined && words !== undefined ? [{ id, words }] : [],
  )
  const queued = [...changes.inserted, ...changes.rewritten]
  const [, deferred] = await Promise.all([
    queued.length > 0 ? enqueue(sql, projectId, queued) : undefined,
    // Includes reviews waiting from before, for a client that resends because the response was lost.
    reviews.some(({ status }) => status === 'indexing') && isDeferred(sql, projectId, allowance, others),
    claimForOrigin(sql, projectId, entries),
    hidden.length > 0 ? hideWords(sql, scope, hidden) : undefined,
    // Last, since every write of the environment waits for the row of its revision.
    updateSearched(sql, scope, changes),
  ])
  return { reviews, deferred }
}

/** A row to store, and the review with its key, if one is stored. */
interface Entry {
  row: ReviewRow & Pick<AcceptRow, 'hiddenWords'>
  existing: ExistingReview | undefined
}

function entriesOf(batch: AcceptRow[], stored: ExistingReview[]): Entry[] {
  const storedByKey = new Map(stored.map((review) => [keyOf(review), review]))
  return batch.map((input) => {
    const existing = storedByKey.get(keyOf(input))
    const sentiment = typeof input.rating === 'number' ? sentimentOfRating(input.rating) : null
    return { row: { ...input, sentiment, id: existing?.id ?? randomUUID() }, existing }
  })
}

function acceptedReview({ row, existing }: Entry, updated: Map<string, UpdatedReview>): AcceptedReview {
  const { id, external_id, source } = row
  if (!existing) return { id, external_id, source, status: 'indexing', outcome: 'inserted' }
  const change = updated.get(id)
  if (!change) return { id, external_id, source, status: existing.status, outcome: 'unchanged' }
  return { id, external_id, source, status: change.status, outcome: 'updated' }
}

/** Stored reviews without an export are of the batch's from now on. */
async function claimForOrigin(sql: Sql, projectId: string, entries: Entry[]): Promise<void> {
  // Rows with an approximate day have no export, next to others of their file that do.
  const origin = entries.find(({ row }) => row.origin !== undefined)?.row.origin
  const unclaimed = entries.filter(({ row, existing }) => existing?.origin === null && row.origin !== undefined)
  const ids = unclaimed.map(({ row }) => row.id)
  if (origin !== undefined && ids.length > 0) await claimReviews(sql, projectId, origin, ids)
}

/** The written reviews by what follows from it. */
interface Changes {
  inserted: string[]
  /** To be indexed again. */
  rewritten: string[]
  /** Their excerpts stay, with what they repeat of the review. */
  retouched: ReviewRow[]
}

function changesOf(entries: Entry[], updated: Map<string, UpdatedReview>): Changes {
  const changes: Changes = { inserted: [], rewritten: [], retouched: [] }
  for (const { row, existing } of entries) {
    const change = updated.get(row.id)
    if (existing === undefined) changes.inserted.push(row.id)
    else if (change === undefined) continue
    else if (change.textVersion > existing.textVersion) changes.rewritten.push(row.id)
    else changes.retouched.push(row)
  }
  return changes
}

/** What is searched of the written reviews: their excerpts, and the revision by which caches miss from now on. */
async function updateSearched(
  sql: Sql,
  scope: EnvironmentScope,
  { inserted, rewritten, retouched }: Changes,
): Promise<void> {
  const touched = [...rewritten, ...retouched.map(({ id }) => id)]
  await Promise.all([
    rewritten.length > 0 ? removeExcerpts(sql, scope.projectId, rewritten) : undefined,
    retouched.length > 0 ? refreshExcerpts(sql, scope.projectId, retouched) : undefined,
    inserted.length + touched.length > 0 ? bumpRevision(sql, scope, touched, inserted.length) : undefined,
  ])
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
