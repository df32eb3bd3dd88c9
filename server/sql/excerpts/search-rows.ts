import type { Environment } from '../../../src/contract/review.ts'
import type { Pool, Sql } from '../../deps.ts'
import { type BinaryRow, copyRows } from '../copy-rows.ts'
import type { EnvironmentScope, Scope } from '../scope.ts'
import { isUuid, uuidBytes } from '../uuid.ts'

/** What a search needs of an excerpt. */
export interface SearchRow {
  /** Sixteen bytes each. */
  reviewId: Uint8Array
  id: Uint8Array
  ordinal: number
  rating: number | null
  sentiment: string | null
  /** The review or this excerpt is hidden. */
  hidden: boolean
  /** Negative on its own, or not classified yet. */
  complaint: boolean
  source: string
  /** Milliseconds since 1970. */
  occurredAt: number | null
  /** The text-search configuration and the lexemes that it produced, one per line: words contain no line breaks. */
  config: string
  lexemes: Uint8Array
  /** The review's metadata as JSON; null for none. */
  metadata: string | null
  /** Its own vector and those of its sentences, in the format of `array_send`. */
  vectors: Uint8Array
}

/** An excerpt's position in primary-key order. */
export interface RowPosition {
  reviewId: string
  ordinal: number
}

const FIRST: RowPosition = { reviewId: '00000000-0000-0000-0000-000000000000', ordinal: -1 }

/**
 * The columns of `excerpts e`, all of one project. The review's metadata is looked up per row: a join of the two tables was
 * as fast when PostgreSQL knew their sizes, but when it did not (right after a restore or pg_upgrade) it read all excerpts of
 * the project for each review, 23 s for a page of 2,000.
 * @param project the project's id as a placeholder
 */
const columns = (
  project: string,
) => `e.review_id, e.id, e.ordinal, e.rating, e.sentiment, e.hidden or e.withheld as hidden, e.source,
  round(date_part('epoch', e.occurred_at) * 1000), e.search_config,
  array_to_string(tsvector_to_array(e.lexemes), e'\\n'),
  (select nullif(review.metadata, '{}')::text from reviews review
    where review.project_id = ${project} and review.id = e.review_id),
  array_send(array_prepend(e.embedding, e.sentences)), coalesce(e.verdict, 'negative') = 'negative' as complaint`

/** Consecutive excerpts: those after `after`, up to and including `last`; without it all the rest. */
export interface RowRange {
  after: RowPosition
  last: RowPosition | undefined
}

/**
 * The range of the project's next excerpts, of all its environments and models, from the primary key alone.
 * @param before the previous range; null for the first
 */
export async function nextRowRange(
  sql: Sql,
  { projectId }: Scope,
  before: RowRange | null,
  length: number,
): Promise<RowRange | undefined> {
  const after = before ? before.last : FIRST
  if (!after) return undefined
  const [last] = await sql.unsafe<RowPosition[]>(
    `select review_id as "reviewId", ordinal from excerpts
    where project_id = $1::uuid and (review_id, ordinal) > ($2::uuid, $3::int)
    order by review_id, ordinal offset $4::int limit 1`,
    [projectId, after.reviewId, after.ordinal, length - 1],
    { prepare: true },
  )
  return { after, last }
}

/** Reads the excerpts of a range in order, passing each on as it arrives. @param each must not retain the row */
export async function eachSearchRow(
  sql: Pool,
  { projectId, env, modelId }: Scope,
  { after, last }: RowRange,
  each: (row: SearchRow) => void,
): Promise<void> {
  const ids = [projectId, after.reviewId, last?.reviewId ?? after.reviewId]
  if (!ids.every(isUuid) || !/^[a-z]+$/.test(env)) throw new TypeError('No such place in the excerpts')
  const position = ({ reviewId, ordinal }: RowPosition) => `('${reviewId}', ${Math.trunc(ordinal)})`
  const upTo = last ? `and (e.review_id, e.ordinal) <= ${position(last)}` : ''
  const select = `select ${columns(`'${projectId}'`)} from excerpts e
    where e.project_id = '${projectId}' and e.env = '${env}' and e.embedding_model_id = ${Math.trunc(modelId)}
      and (e.review_id, e.ordinal) > ${position(after)} ${upTo}
    order by e.review_id, e.ordinal`
  await copyRows(sql, select, (values) => each(binaryRow(values)))
}

function binaryRow(row: BinaryRow): SearchRow {
  return {
    reviewId: row.slice(0),
    id: row.slice(1),
    ordinal: row.int32(2) ?? 0,
    rating: row.int16(3),
    sentiment: row.text(4),
    hidden: row.boolean(5),
    complaint: row.boolean(12),
    source: row.text(6) ?? '',
    occurredAt: row.float64(7),
    config: row.text(8) ?? '',
    lexemes: row.slice(9),
    metadata: row.text(10),
    vectors: row.slice(11),
  }
}

/** The excerpts of these reviews. */
export async function searchRowsOf(sql: Sql, scope: Scope, reviewIds: readonly string[]): Promise<SearchRow[]> {
  const { projectId, env, modelId } = scope
  const rows = await sql
    .unsafe(
      `select ${columns('$1::uuid')} from excerpts e
      where e.project_id = $1::uuid and e.env = $2 and e.embedding_model_id = $3 and e.review_id = any ($4::uuid[])`,
      [projectId, env, modelId, [...reviewIds]],
      // A few rows by key, where one plan suits all; planning took longer than the rest.
      { prepare: true },
    )
    .raw()
  return rows.map((row) => textRow(row as Buffer[]))
}

function textRow(row: readonly (Buffer | null | undefined)[]): SearchRow {
  const text = (column: number) => row[column]?.toString() ?? null
  const number = (column: number) => (row[column] ? Number(row[column].toString()) : null)
  return {
    reviewId: uuidBytes(text(0) ?? ''),
    id: uuidBytes(text(1) ?? ''),
    ordinal: number(2) ?? 0,
    rating: number(3),
    sentiment: text(4),
    hidden: text(5) === 't',
    complaint: text(12) === 't',
    source: text(6) ?? '',
    occurredAt: number(7),
    config: text(8) ?? '',
    lexemes: row[9] ?? NOTHING,
    metadata: text(10),
    // After `\\x`.
    vectors: Buffer.from(row[11]?.toString('latin1', 2) ?? '', 'hex'),
  }
}

const NOTHING = Buffer.alloc(0)

/** An environment's revision, which versions caches and indexes; undefined when the environment does not exist. */
export async function environmentRevision(sql: Sql, { projectId, env }: EnvironmentScope): Promise<string | undefined> {
  const [row] = await sql<{ revision: string }[]>`
    select ${revisionOf(sql)} as revision from environments where project_id = ${projectId} and env = ${env}`
  return row?.revision
}

/**
 * Distinguishes one state of an environment from all others: the number of its writes, and a stamp of the last one. After a
 * restore of an earlier backup the numbers recur, the stamps do not.
 */
export function revisionOf(sql: Sql) {
  return sql`environments.revision || ':' || environments.stamp`
}

/** The environment with the most reviews; undefined when there is no review. */
export async function largestEnvironment(sql: Sql): Promise<EnvironmentScope | undefined> {
  const [row] = await sql<{ project_id: string; env: Environment }[]>`
    select project_id, env from environments where review_count > 0 order by review_count desc, project_id limit 1`
  return row && { projectId: row.project_id, env: row.env }
}

/** Those of these projects that still exist. */
export async function existingProjects(sql: Sql, projectIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from projects where id = any (${[...projectIds]}::uuid[]) and deleted_at is null`
  return new Set(rows.map(({ id }) => id))
}

export interface Changes {
  revision: string
  /** The reviews changed since, each once. */
  reviewIds: string[]
}

/**
 * What changed after a revision.
 * @returns undefined when that is unknown: the database was never at that revision, a later one has no row, more than `most`
 * reviews changed, or the environment does not exist
 */
export async function changesSince(
  sql: Sql,
  { projectId, env }: Scope,
  revision: string,
  most: number,
): Promise<Changes | undefined> {
  const [number = '', stamp = ''] = revision.split(':')
  const [row] = await sql.unsafe<{ revision: string; complete: boolean; ids: string[] | null }[]>(
    `with now as (select revision, stamp from environments where project_id = $1::uuid and env = $2),
    log as (
      select c.revision, c.stamp, c.review_ids from search_changes c, now
      where c.project_id = $1::uuid and c.env = $2 and c.revision >= $3::bigint and c.revision <= now.revision
    ),
    touched as (select distinct id from log, unnest(review_ids) as id where log.revision > $3::bigint limit $5::int + 1)
    select now.revision || ':' || now.stamp as revision,
      (select count(*) from log where log.revision > $3::bigint) = now.revision - $3::bigint
        and (now.revision = $3::bigint and now.stamp = $4::uuid
          or exists (select from log where log.revision = $3::bigint and log.stamp = $4::uuid))
        and (select count(*) from touched) <= $5::int as complete,
      (select array_agg(id) from touched) as ids
    from now`,
    [projectId, env, number, stamp, most],
    { prepare: true },
  )
  return row?.complete ? { revision: row.revision, reviewIds: row.ids ?? [] } : undefined
}
