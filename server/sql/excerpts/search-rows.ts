import type { Sql } from '../../deps.ts'
import type { EnvironmentScope, Scope } from '../scope.ts'

/** What a search needs of an excerpt. */
export interface SearchRow {
  reviewId: string
  id: string
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
  /** Its own vector and those of its sentences, as `array_send` makes them, in hexadecimal digits after `\x`. */
  vectors: Uint8Array
}

export type RowPosition = Pick<SearchRow, 'reviewId' | 'ordinal'>

/** Whose rows are read: those after a position, in the order of the primary key, or these reviews'. */
export type RowSelection = { after: RowPosition | undefined; limit: number } | { reviewIds: readonly string[] }

const FIRST: RowPosition = { reviewId: '00000000-0000-0000-0000-000000000000', ordinal: -1 }

/**
 * Reads excerpts. Their vectors are left as they come over the wire: as text, PostgreSQL would format each number, and
 * here each value would be made a string first, which took five times as long.
 */
export async function searchRows(sql: Sql, scope: Scope, which: RowSelection): Promise<SearchRow[]> {
  const { projectId, env, modelId } = scope
  const { reviewId, ordinal } = ('after' in which && which.after) || FIRST
  const [picked, values, end] =
    'reviewIds' in which
      ? ['e.review_id = any ($4::uuid[])', [[...which.reviewIds]], '']
      : [
          // Said of both tables, or the join would walk the reviews from the project's first one, page by page.
          '(e.review_id, e.ordinal) > ($4::uuid, $5::int) and review.id >= $4::uuid',
          [reviewId, ordinal, which.limit],
          'order by e.review_id, e.ordinal limit $6',
        ]
  const rows = await sql
    .unsafe(
      `select e.review_id, e.id, e.ordinal, e.rating, e.sentiment, e.hidden or e.withheld, e.source,
        (extract(epoch from e.occurred_at) * 1000)::float8, e.search_config,
        array_to_string(tsvector_to_array(e.lexemes), e'\\n'), nullif(review.metadata, '{}'),
        array_send(array_prepend(e.embedding, e.sentences)), coalesce(e.verdict, 'negative') = 'negative'
      from excerpts e join reviews review on review.project_id = e.project_id and review.id = e.review_id
      where e.project_id = $1::uuid and e.env = $2 and e.embedding_model_id = $3 and ${picked} ${end}`,
      [projectId, env, modelId, ...values],
      // A few rows by their keys: one plan is good for all, and planning took longer than the rest.
      { prepare: 'reviewIds' in which },
    )
    .raw()
  return rows.map((row) => searchRow(row as Buffer[]))
}

function searchRow(row: readonly (Buffer | null | undefined)[]): SearchRow {
  const text = (column: number) => row[column]?.toString() ?? null
  const number = (column: number) => (row[column] ? Number(row[column].toString()) : null)
  return {
    reviewId: text(0) ?? '',
    id: text(1) ?? '',
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
    vectors: row[11] ?? NOTHING,
  }
}

const NOTHING = new Uint8Array()

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
