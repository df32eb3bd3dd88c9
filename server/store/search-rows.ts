import type { Environment, Sentiment } from '../../src/contract/review.ts'
import type { Sql } from '../deps.ts'

/** Whose excerpts an index holds. */
export interface RowScope {
  projectId: string
  env: Environment
  modelId: number
}

/** What a search needs of an excerpt, but its words. */
export interface SearchRow {
  reviewId: string
  ordinal: number
  id: string
  rating: number | null
  sentiment: Sentiment | null
  /** The review, or this excerpt alone. */
  hidden: boolean
  /** Negative by itself, or not judged yet. */
  complaint: boolean
  source: string
  /** Milliseconds since 1970. */
  occurredAt: number | null
  /** Its own vector and those of its sentences, as pgvector writes them, one after another. */
  vectors: string
}

const COLUMNS = `e.review_id as "reviewId", e.ordinal, e.id, e.rating, e.sentiment, e.hidden or e.withheld as hidden,
  coalesce(e.verdict, 'negative') = 'negative' as complaint, e.source,
  (extract(epoch from e.occurred_at) * 1000)::float8 as "occurredAt",
  e.embedding::text || coalesce(e.sentences::text, '') as vectors`

export async function environmentRevision(sql: Sql, projectId: string, env: Environment): Promise<string | undefined> {
  const [row] = await sql<{ revision: string }[]>`
    select revision from environments where project_id = ${projectId} and env = ${env}`
  return row?.revision
}

/** A page of excerpts in the order of the primary key, after a position. */
export async function searchRows(
  sql: Sql,
  { projectId, env, modelId }: RowScope,
  after: Pick<SearchRow, 'reviewId' | 'ordinal'> | undefined,
  limit: number,
): Promise<SearchRow[]> {
  const { reviewId, ordinal } = after ?? { reviewId: '00000000-0000-0000-0000-000000000000', ordinal: -1 }
  const rows = await sql.unsafe<SearchRow[]>(
    `select ${COLUMNS} from excerpts e
    where e.project_id = $1::uuid and (e.review_id, e.ordinal) > ($2::uuid, $3::int)
      and e.env = $4 and e.embedding_model_id = $5
    order by e.review_id, e.ordinal limit $6`,
    [projectId, reviewId, ordinal, env, modelId, limit],
  )
  return [...rows]
}

export interface Changes {
  revision: string
  /** The reviews touched since, each once. */
  reviewIds: string[]
  /** Their excerpts as they are at `revision`. */
  rows: SearchRow[]
}

/**
 * What changed after a revision, all of one moment.
 *
 * @returns `undefined` when it cannot be told: a revision left no row, more than `most` reviews were touched, or there is
 * no such environment
 */
export async function changesSince(
  sql: Sql,
  scope: RowScope,
  revision: string,
  most: number,
): Promise<Changes | undefined> {
  const { projectId, env, modelId } = scope
  const [row] = await sql.unsafe<
    { revision: string; complete: boolean; ids: string[] | null; rows: SearchRow[] | null }[]
  >(
    `with now as (select revision from environments where project_id = $1::uuid and env = $2),
    log as (
      select c.review_ids from search_changes c, now
      where c.project_id = $1::uuid and c.env = $2 and c.revision > $3::bigint and c.revision <= now.revision
    ),
    touched as (select distinct id from log, unnest(review_ids) as id),
    small as (select count(*) <= $5::int as yes from touched)
    select now.revision, (select count(*) from log) = now.revision - $3::bigint and small.yes as complete,
      case when small.yes then (select array_agg(id) from touched) end as ids,
      case when small.yes then (
        select json_agg(r) from (
          select ${COLUMNS} from touched join excerpts e on e.project_id = $1::uuid and e.review_id = touched.id
          where e.env = $2 and e.embedding_model_id = $4
        ) r
      ) end as rows
    from now, small`,
    [projectId, env, revision, modelId, most],
  )
  if (!row?.complete) return undefined
  return { revision: row.revision, reviewIds: row.ids ?? [], rows: row.rows ?? [] }
}
