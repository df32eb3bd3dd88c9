import type { Pool, Sql } from '../../deps.ts'
import { type BinaryRow, copyRows } from '../copy-rows.ts'
import type { EnvironmentScope, Scope } from '../scope.ts'
import { isUuid, readUuid, uuidBytes } from '../uuid.ts'

/** What a search needs of an excerpt. */
export interface SearchRow {
  /** The sixteen bytes of each. */
  reviewId: Uint8Array
  id: Uint8Array
  ordinal: number
  rating: number | null
  sentiment: string | null
  /** The review, or this excerpt alone. */
  hidden: boolean
  /** Negative by itself, or not classified yet. */
  complaint: boolean
  source: string
  /** Milliseconds since 1970. */
  occurredAt: number | null
  /** The text-search configuration, and what it made of the text, a line each: words hold no line ends. */
  config: string
  lexemes: string
  /** The review's, as JSON; null for none. */
  metadata: string | null
  /** Its own vector and those of its sentences, as `array_send` makes them. */
  vectors: Uint8Array
}

/** An excerpt's place in the order of the primary key. */
export interface RowPosition {
  reviewId: string
  ordinal: number
}

const FIRST: RowPosition = { reviewId: '00000000-0000-0000-0000-000000000000', ordinal: -1 }

const COLUMNS = `e.review_id, e.id, e.ordinal, e.rating, e.sentiment, e.hidden or e.withheld as hidden, e.source,
  (extract(epoch from e.occurred_at) * 1000)::float8, e.search_config,
  array_to_string(tsvector_to_array(e.lexemes), e'\\n'), nullif(review.metadata, '{}')::text,
  array_send(array_prepend(e.embedding, e.sentences)), coalesce(e.verdict, 'negative') = 'negative' as complaint`
const TABLES = 'excerpts e join reviews review on review.project_id = e.project_id and review.id = e.review_id'

/**
 * Reads the excerpts behind a position, in order, and hands each over as it arrives.
 *
 * @param each keeps nothing of the row
 * @returns where the last one stands; `undefined` when these were all
 */
export async function eachSearchRow(
  sql: Pool,
  { projectId, env, modelId }: Scope,
  after: RowPosition | undefined,
  limit: number,
  each: (row: SearchRow) => void,
): Promise<RowPosition | undefined> {
  const { reviewId, ordinal } = after ?? FIRST
  if (![projectId, reviewId].every(isUuid) || !/^[a-z]+$/.test(env))
    throw new TypeError('No such place in the excerpts')
  const numbers = [modelId, ordinal, limit].map((value) => Math.trunc(value))
  let count = 0
  let last = FIRST
  // The place is said of both tables, or the join would walk the reviews from the project's first one, page by page.
  const select = `select ${COLUMNS} from ${TABLES}
    where e.project_id = '${projectId}' and e.env = '${env}' and e.embedding_model_id = ${numbers[0]}
      and (e.review_id, e.ordinal) > ('${reviewId}', ${numbers[1]}) and review.id >= '${reviewId}'
    order by e.review_id, e.ordinal limit ${numbers[2]}`
  await copyRows(sql, select, (values) => {
    const row = binaryRow(values)
    each(row)
    if (++count === limit) last = { reviewId: readUuid(row.reviewId), ordinal: row.ordinal }
  })
  return count === limit ? last : undefined
}

function binaryRow(values: BinaryRow): SearchRow {
  const text = (column: number) => values[column]?.toString() ?? null
  return {
    reviewId: values[0] ?? NOTHING,
    id: values[1] ?? NOTHING,
    ordinal: values[2]?.readInt32BE() ?? 0,
    rating: values[3]?.readInt16BE() ?? null,
    sentiment: text(4),
    hidden: values[5]?.[0] === 1,
    complaint: values[12]?.[0] === 1,
    source: text(6) ?? '',
    occurredAt: values[7]?.readDoubleBE() ?? null,
    config: text(8) ?? '',
    lexemes: text(9) ?? '',
    metadata: text(10),
    vectors: values[11] ?? NOTHING,
  }
}

/** The excerpts of these reviews. */
export async function searchRowsOf(sql: Sql, scope: Scope, reviewIds: readonly string[]): Promise<SearchRow[]> {
  const { projectId, env, modelId } = scope
  const rows = await sql
    .unsafe(
      `select ${COLUMNS} from ${TABLES}
      where e.project_id = $1::uuid and e.env = $2 and e.embedding_model_id = $3 and e.review_id = any ($4::uuid[])`,
      [projectId, env, modelId, [...reviewIds]],
      // A few rows by their keys: one plan is good for all, and planning took longer than the rest.
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
    lexemes: text(9) ?? '',
    metadata: text(10),
    // Behind `\\x`.
    vectors: Buffer.from(row[11]?.toString('latin1', 2) ?? '', 'hex'),
  }
}

const NOTHING = Buffer.alloc(16)

/** An environment's revision, by which caches and indexes know what they are of; undefined when there is none. */
export async function environmentRevision(sql: Sql, { projectId, env }: EnvironmentScope): Promise<string | undefined> {
  const [row] = await sql<{ revision: string }[]>`
    select ${revisionOf(sql)} as revision from environments where project_id = ${projectId} and env = ${env}`
  return row?.revision
}

/**
 * What tells one state of an environment from all others: the number of its writes, and a stamp of the last one. After an
 * earlier backup was restored the numbers come again, the stamps do not.
 */
export function revisionOf(sql: Sql) {
  return sql`environments.revision || ':' || environments.stamp`
}

/** Of these projects those that are still there. */
export async function existingProjects(sql: Sql, projectIds: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`select id from projects where id = any (${[...projectIds]}::uuid[])`
  return new Set(rows.map(({ id }) => id))
}

export interface Changes {
  revision: string
  /** The reviews touched since, each once. */
  reviewIds: string[]
}

/**
 * What changed after a revision.
 *
 * @returns `undefined` when that is unknown: the database was never at that revision, a later one left no row, more than
 * `most` reviews were touched, or there is no such environment
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
