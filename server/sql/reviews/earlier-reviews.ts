import type { StoredReview } from '../../../src/contract/review.ts'
import { projectTransaction } from '../../db/transaction.ts'
import type { Pool, Sql } from '../../deps.ts'
import { bumpRevision } from '../excerpts/search-changes.ts'
import type { EnvironmentScope } from '../scope.ts'
import { lockExisting, type ReviewKey } from './write-reviews.ts'

/** Where a review came from, and whether a page may show it. */
export interface ReviewOrigin extends Pick<StoredReview, 'id' | 'source' | 'external_id' | 'author_name' | 'rating'> {
  occurred_at: Date
  origin: string | null
  /** The values of the requested metadata keys. */
  names: (string | null)[]
  /** Visible, and not by a manual decision. */
  isOpen: boolean
}

const PAGE = 2_000

/**
 * A page of the reviews of a period, newest first, of every source and origin, so that a page reads no more than its own
 * rows.
 * @param names metadata keys to return
 * @param after the last review of the previous page
 */
export async function readStoredBetween(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  { from, to, names }: { from: Date; to: Date; names: readonly string[] },
  after?: Pick<ReviewOrigin, 'id' | 'occurred_at'>,
): Promise<{ reviews: ReviewOrigin[]; more: boolean }> {
  const reviews = await sql<ReviewOrigin[]>`
    select id, source, external_id, author_name, occurred_at, rating, origin,
      array(select metadata ->> name from unnest(${names as string[]}::text[]) with ordinality as wanted (name, place) order by place) as names,
      hidden_at is null and visibility_set_by is distinct from 'hand' as "isOpen"
    from reviews
    where project_id = ${projectId} and env = ${env} and occurred_at between ${from} and ${to}
      ${after ? sql`and (occurred_at, id) < (${after.occurred_at}, ${after.id})` : sql``}
    order by occurred_at desc nulls last, id desc
    limit ${PAGE}`
  return { reviews, more: reviews.length === PAGE }
}

/** How many reviews of these exports are later than a time. */
export async function countLater(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  than: Date,
  origins: readonly string[],
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from reviews
    where project_id = ${projectId} and env = ${env} and occurred_at > ${than} and origin = any (${origins as string[]}::uuid[])`
  return row?.count ?? 0
}

/** The reviews with one of the sources and one of the external ids that are not hidden. */
export async function readShown(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  keys: readonly ReviewKey[],
): Promise<ReviewKey[]> {
  return sql<ReviewKey[]>`
    select source, external_id from reviews
    where project_id = ${projectId} and env = ${env} and hidden_at is null
      and source = any (${[...new Set(keys.map((key) => key.source))]}::text[])
      and external_id = any (${keys.map((key) => key.external_id)}::text[])`
}

/** The metadata keys of the reviews with one of the sources and one of the external ids. */
export async function readMetadataKeys(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  keys: readonly ReviewKey[],
): Promise<string[]> {
  const rows = await sql<{ key: string }[]>`
    select distinct key from reviews, jsonb_object_keys(metadata) as key
    where project_id = ${projectId} and env = ${env}
      and source = any (${[...new Set(keys.map((each) => each.source))]}::text[])
      and external_id = any (${keys.map((each) => each.external_id)}::text[])`
  return rows.map(({ key }) => key)
}

/** The reviews with one of the sources and one of the external ids, and their times. */
export async function readStoredDays(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  keys: readonly ReviewKey[],
): Promise<(ReviewKey & { id: string; occurred_at: Date })[]> {
  return sql`
    select id, source, external_id, occurred_at from reviews
    where project_id = ${projectId} and env = ${env} and source = any (${[...new Set(keys.map(({ source }) => source))]}::text[])
      and external_id = any (${keys.map(({ external_id }) => external_id)}::text[])`
}

/** Texts are compared, and shown, up to this length. */
const TEXT_CHARACTERS = 5_000

/** What people recognise reviews by, newest first. */
export async function readEarlierTexts(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  ids: readonly string[],
): Promise<(Pick<StoredReview, 'id' | 'author_name' | 'text'> & { occurred_at: Date })[]> {
  return sql`
    select id, author_name, occurred_at, left(text, ${TEXT_CHARACTERS}) as text from reviews
    where project_id = ${projectId} and env = ${env} and id = any (${ids as string[]}::uuid[])
    order by occurred_at desc nulls last, id desc`
}

/** Hides visible reviews until an import has them again; those shown by hand stay. */
export async function hideMissing(
  pool: Pool,
  { projectId, env }: EnvironmentScope,
  ids: readonly string[],
): Promise<void> {
  await projectTransaction(pool, projectId, async (sql) => {
    const locked = await sql<{ id: string }[]>`
      select id from reviews where project_id = ${projectId} and env = ${env} and id = any (${ids as string[]}::uuid[])
        and hidden_at is null and visibility_set_by is distinct from 'hand'
      order by id
      for no key update`
    if (locked.length === 0) return
    const hidden = locked.map(({ id }) => id)
    await Promise.all([
      sql`update reviews set hidden_at = now(), visibility_set_by = 'missing', updated_at = now()
        where project_id = ${projectId} and id = any (${hidden}::uuid[])`,
      sql`update excerpts set hidden = true where project_id = ${projectId} and review_id = any (${hidden}::uuid[])`,
      bumpRevision(sql, { projectId, env }, hidden),
    ])
  })
}

/** Gives reviews the ids of their newer versions, unless those are taken. */
export async function renameReviews(
  sql: Sql,
  scope: EnvironmentScope,
  rows: (ReviewKey & { replaces?: string | undefined })[],
): Promise<void> {
  const newer = rows.filter(({ replaces }) => replaces !== undefined)
  const taken = await lockExisting(sql, scope, newer)
  const renamed = newer.flatMap(({ replaces: id, source, external_id }) => {
    const isTaken = taken.some((other) => other.source === source && other.external_id === external_id)
    return isTaken ? [] : [{ id, source, external_id }]
  })
  await sql`
    update reviews stored set external_id = input.external_id
    from jsonb_to_recordset(${sql.typed(renamed as never, 3802)}) as input (id uuid, source text, external_id text)
    where stored.project_id = ${scope.projectId} and stored.env = ${scope.env} and stored.source = input.source
      and stored.id = input.id and stored.id = any (${renamed.map(({ id }) => id ?? '')}::uuid[])`
}

/** Records the export of stored reviews that have none yet. */
export async function claimReviews(sql: Sql, projectId: string, origin: string, ids: string[]): Promise<void> {
  await sql`
    update reviews set origin = ${origin}
    where project_id = ${projectId} and id = any (${ids}::uuid[]) and origin is null`
}
