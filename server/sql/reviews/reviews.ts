import type { Metadata } from '../../../src/contract/metadata.ts'
import type { Environment, ListRequest, ReviewPatch, StoredReview } from '../../../src/contract/review.ts'
import { projectTransaction } from '../../db/transaction.ts'
import type { Pool, Sql } from '../../deps.ts'
import { bumpRevision } from '../excerpts/search-changes.ts'
import { isoDates, type WithDates } from '../iso-dates.ts'
import type { ListPosition } from '../list-page.ts'
import type { EnvironmentScope } from '../scope.ts'
import { isUuid } from '../uuid.ts'

/** @returns undefined when the environment has no such review, or the id is no UUID */
export async function getReview(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  id: string,
): Promise<StoredReview | undefined> {
  if (!isUuid(id)) return undefined
  const [row] = await sql<ReviewColumns[]>`
    select ${columns(sql)} from reviews where project_id = ${projectId} and env = ${env} and id = ${id}`
  return row && isoDates(row)
}

/**
 * One page, newest first: `occurred_at` descending with nulls last, then `id` descending. The page begins after a position
 * rather than at an offset, so that insertions and deletions before it shift nothing.
 */
export async function listReviews(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  request: Omit<ListRequest, 'cursor'>,
  after?: ListPosition,
): Promise<{ reviews: StoredReview[]; more: boolean }> {
  const page = (position: ReturnType<typeof sql>, limit: number) => sql<ReviewColumns[]>`
    select ${columns(sql)} from reviews
    where project_id = ${projectId} and env = ${env} ${filters(sql, request)} ${position}
    order by occurred_at desc nulls last, id desc
    limit ${limit}`
  const wanted = request.limit + 1
  let rows: ReviewColumns[]
  if (after === undefined) {
    rows = await page(sql``, wanted)
  } else if (after.at === null) {
    rows = await page(sql`and occurred_at is null and id < ${after.id}`, wanted)
  } else {
    // A row comparison walks the index from the position on, which "or occurred_at is null" would prevent.
    rows = await page(sql`and (occurred_at, id) < (${after.at}, ${after.id})`, wanted)
    if (rows.length < wanted) rows = [...rows, ...(await page(sql`and occurred_at is null`, wanted - rows.length))]
  }
  return { reviews: rows.slice(0, request.limit).map(isoDates), more: rows.length > request.limit }
}

function filters(sql: Sql, request: Omit<ListRequest, 'cursor'>) {
  const { source, min_rating, hidden, since, indexed } = request
  return sql`
    ${source === undefined ? sql`` : sql`and source = ${source}`}
    ${min_rating === undefined ? sql`` : sql`and rating >= ${min_rating}`}
    ${hidden === 'all' ? sql`` : hidden === 'true' ? sql`and hidden_at is not null` : sql`and hidden_at is null`}
    ${since === undefined ? sql`` : sql`and occurred_at >= ${since}`}
    ${
      // A literal: for a parameter the planner does not use the partial index.
      indexed === undefined ? sql`` : indexed === 'true' ? sql`and status = 'indexed'` : sql`and status = 'indexing'`
    }`
}

/** Applies the patch. One that changes nothing touches neither the row nor the revision. */
export async function patchReview(
  sql: Pool,
  { projectId, env }: EnvironmentScope,
  id: string,
  { hidden, metadata }: ReviewPatch,
): Promise<StoredReview | undefined> {
  if (!isUuid(id)) return undefined
  return projectTransaction(sql, projectId, async (tx) => {
    const [before] = await tx<ReviewColumns[]>`
      select ${columns(tx)} from reviews where project_id = ${projectId} and env = ${env} and id = ${id}
      for no key update`
    if (!before) return undefined
    const [after] = await tx<ReviewColumns[]>`
      update reviews set
        hidden_at = ${hidden === undefined || (hidden && before.hidden) ? tx`hidden_at` : hidden ? tx`now()` : null},
        visibility_set_by = ${hidden === undefined ? tx`visibility_set_by` : 'hand'},
        metadata = ${metadata === undefined ? tx`metadata` : asJson(tx, metadata)},
        updated_at = now()
      where project_id = ${projectId} and id = ${id} and (
        ${hidden === undefined ? tx`false` : tx`(hidden_at is not null) <> ${hidden}`}
        or ${metadata === undefined ? tx`false` : tx`metadata <> ${asJson(tx, metadata)}`}
      )
      returning ${columns(tx)}`
    if (!after) {
      if (hidden !== undefined) await decideByHand(tx, projectId, id)
      return isoDates(before)
    }
    if (after.hidden !== before.hidden) {
      await tx`
        update excerpts set hidden = ${after.hidden} where project_id = ${projectId} and review_id = ${id}`
    }
    await bumpRevision(tx, { projectId, env }, [id])
    return isoDates(after)
  })
}

/** From now on no import changes whether a review is hidden. */
async function decideByHand(sql: Sql, projectId: string, id: string): Promise<void> {
  await sql`
    update reviews set visibility_set_by = 'hand'
    where project_id = ${projectId} and id = ${id} and visibility_set_by is distinct from 'hand'`
}

/** Removes a review with its excerpts and its job. @returns whether there was one */
export async function deleteReview(sql: Pool, { projectId, env }: EnvironmentScope, id: string): Promise<boolean> {
  if (!isUuid(id)) return false
  return projectTransaction(sql, projectId, async (tx) => {
    const { count } = await tx`delete from reviews where project_id = ${projectId} and env = ${env} and id = ${id}`
    if (count > 0) await bumpRevision(tx, { projectId, env }, [id], -count)
    return count > 0
  })
}

/**
 * Exact, without counting rows: the transactions that add and remove reviews maintain the numbers. An uncommitted delete
 * still counts.
 */
export async function countReviews(sql: Sql, projectId: string): Promise<ReviewCounts> {
  return (await countReviewsOfAll(sql, [projectId])).get(projectId) ?? { live: 0, test: 0 }
}

export type ReviewCounts = Record<Environment, number>

/** The same for several projects, by id. */
export async function countReviewsOfAll(sql: Sql, projectIds: string[]): Promise<Map<string, ReviewCounts>> {
  const rows = await sql<{ id: string; env: Environment; count: number }[]>`
    select project_id as id, env, review_count as count from environments where project_id = any (${projectIds}::uuid[])`
  const counts = new Map(projectIds.map((id) => [id, { live: 0, test: 0 }]))
  for (const { id, env, count } of rows) Object.assign(counts.get(id) ?? {}, { [env]: count })
  return counts
}

type ReviewColumns = WithDates<StoredReview, 'occurred_at' | 'created_at' | 'updated_at'>

function columns(sql: Sql) {
  return sql`id, external_id, source, rating, text, author_name, author_avatar_url, occurred_at, url, language,
    metadata, sentiment, coalesce(sentiment_source, 'model') as sentiment_source, hidden_at is not null as hidden, status,
    created_at, updated_at`
}

/** The cast is explicit, or a string value would be taken for encoded JSON. */
function asJson(sql: Sql, value: Metadata) {
  return sql`${sql.json(value)}::jsonb`
}
