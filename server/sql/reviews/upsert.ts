import type { Environment, ReviewInput, ReviewStatus, Sentiment, Source } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import { growRevision } from '../excerpts/search-changes.ts'
import { textSearchConfig } from '../excerpts/text-config.ts'

/** The statements that `ingest/accept` puts together. They belong in one transaction, in the order of this file. */

/** What makes a review of an environment that review. */
export interface ReviewKey {
  source: Source
  external_id: string
}

/** A review as it will be written. */
export interface ReviewRow extends ReviewInput {
  id: string
  /** From the stars; null for an unrated review, which the pipeline classifies. */
  sentiment: Sentiment | null
  hidden?: boolean | undefined
}

export interface ExistingReview extends ReviewKey {
  id: string
  textVersion: number
  status: ReviewStatus
}

/** Reviews of both environments. A delete that was not committed yet still counts. */
export async function countProjectReviews(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select coalesce(sum(review_count), 0)::int as count from environments where project_id = ${projectId}`
  return row?.count ?? 0
}

/**
 * The stored reviews with one of the sources and one of the external ids, their rows locked in the order of their ids;
 * a batch that mixes sources may thus get a few more than it named.
 *
 * Two lists can be conditions of one index scan. A join with the keys was a hash join over the whole project wherever
 * the table's statistics were young: 1 ms at 1,000 reviews, growing with the project.
 */
export async function lockExisting(
  sql: Sql,
  projectId: string,
  env: Environment,
  keys: ReviewKey[],
): Promise<ExistingReview[]> {
  return sql<ExistingReview[]>`
    select id, source, external_id, text_version as "textVersion", status from reviews
    where project_id = ${projectId} and env = ${env} and source = any (${[...new Set(keys.map((key) => key.source))]}::text[])
      and external_id = any (${[...new Set(keys.map((key) => key.external_id))]}::text[])
    order by id
    for no key update`
}

/** The places in `keys` that hold a stored review. Takes no lock: an answer for a dry run. */
export async function findExisting(
  sql: Sql,
  projectId: string,
  env: Environment,
  keys: ReviewKey[],
): Promise<Set<number>> {
  const rows = await sql<{ place: number }[]>`
    select (key.place - 1)::int as place
    from unnest(${keys.map((key) => key.source)}::text[], ${keys.map((key) => key.external_id)}::text[])
      with ordinality as key (source, external_id, place)
    join reviews review on review.project_id = ${projectId} and review.env = ${env}
      and review.source = key.source and review.external_id = key.external_id`
  return new Set(rows.map((row) => row.place))
}

export async function insertReviews(sql: Sql, projectId: string, env: Environment, rows: ReviewRow[]): Promise<void> {
  await sql`
    insert into reviews (
      project_id, id, env, source, external_id, rating, text, author_name, author_avatar_url, occurred_at, url,
      language, metadata, sentiment, sentiment_source, hidden_at
    )
    select
      ${projectId}, id, ${env}, source, external_id, rating, text, author_name, author_avatar_url, occurred_at, url,
      language, coalesce(metadata, '{}'), sentiment, case when sentiment is not null then 'rating' end,
      case when hidden then now() end
    from ${inputRows(sql, rows)}`
}

/**
 * Writes the rows that differ from what is stored, and touches no other. Everything but `metadata` becomes what the row
 * says, an absent field null; absent `metadata` stays, since it has a route of its own (`PATCH`). `hidden` stays too.
 *
 * @returns the changed ones; a text version above the one before means that the text must be indexed again
 */
export async function updateReviews(
  sql: Sql,
  projectId: string,
  rows: ReviewRow[],
): Promise<{ id: string; textVersion: number; status: ReviewStatus }[]> {
  const ids = rows.map((row) => row.id)
  return sql`
    with input as (
      select input.*,
        stored.text <> input.text or (stored.rating is not null and input.rating is null) as reindex
      from ${inputRows(sql, rows)}
      join reviews stored on stored.id = input.id
      where stored.project_id = ${projectId} and stored.id = any (${ids}::uuid[])
    )
    update reviews set
      rating = input.rating,
      text = input.text,
      text_version = text_version + input.reindex::int,
      author_name = input.author_name,
      author_avatar_url = input.author_avatar_url,
      occurred_at = input.occurred_at,
      url = input.url,
      language = input.language,
      metadata = coalesce(input.metadata, reviews.metadata),
      sentiment = case when input.rating is not null then input.sentiment when not reindex then reviews.sentiment end,
      sentiment_source =
        case when input.rating is not null then 'rating' when not reindex then reviews.sentiment_source end,
      status = case when reindex then 'indexing' else status end,
      updated_at = now()
    from input
    where reviews.project_id = ${projectId} and reviews.id = input.id and reviews.id = any (${ids}::uuid[])
      and (
        reviews.rating, reviews.text, reviews.author_name, reviews.author_avatar_url, reviews.occurred_at, reviews.url,
        reviews.language, reviews.metadata
      ) is distinct from (
        input.rating, input.text, input.author_name, input.author_avatar_url, input.occurred_at, input.url,
        input.language, coalesce(input.metadata, reviews.metadata)
      )
    returning reviews.id, text_version as "textVersion", status`
}

/** Puts reviews into the queue; a job that stands there already, claimed or not, begins anew. */
export async function enqueue(sql: Sql, projectId: string, ids: string[]): Promise<void> {
  await sql`
    insert into index_jobs (project_id, review_id, text_version)
    select project_id, id, text_version from reviews
    where project_id = ${projectId} and id = any (${ids}::uuid[])
    order by id
    on conflict (project_id, review_id) do update set
      text_version = excluded.text_version, attempts = 0, claimed_with = 0, abandoned = 0, faults = 0, set_aside_at = null,
      run_at = excluded.run_at, lease_token = null, leased_until = null, last_error = null`
}

/** Takes reviews out of every search at once: an excerpt is always a slice of the current text. */
export async function removeExcerpts(sql: Sql, projectId: string, ids: string[]): Promise<void> {
  await sql`delete from excerpts where project_id = ${projectId} and review_id = any (${ids}::uuid[])`
}

/** Brings the excerpts' copies of the reviews' columns up to date, where they differ. */
export async function refreshExcerpts(
  sql: Sql,
  projectId: string,
  rows: Pick<ReviewRow, 'id' | 'language'>[],
): Promise<void> {
  const ids = rows.map((row) => row.id)
  const configs = new Map<string, string[]>()
  for (const { id, language } of rows) {
    const config = textSearchConfig(language)
    configs.set(config, [...(configs.get(config) ?? []), id])
  }
  await Promise.all([
    sql`
      update excerpts set rating = review.rating, sentiment = review.sentiment, occurred_at = review.occurred_at
      from reviews review
      where review.project_id = ${projectId} and review.id = any (${ids}::uuid[])
        and excerpts.project_id = ${projectId} and excerpts.review_id = review.id
        and (excerpts.rating, excerpts.sentiment, excerpts.occurred_at)
          is distinct from (review.rating, review.sentiment, review.occurred_at)`,
    // A statement for each configuration: the name of one becomes it by a look into the catalog, which a distributed
    // database does for values only.
    ...Array.from(
      configs,
      ([config, of]) => sql`
        update excerpts set search_config = ${config}, lexemes = excerpt_lexemes(${config}::text::regconfig, text)
        where project_id = ${projectId} and review_id = any (${of}::uuid[]) and search_config <> ${config}`,
    ),
  ])
}

/** Ends a write: caches miss from now on. It comes last, since every write of the environment waits for this row. */
export async function finishWrite(
  sql: Sql,
  projectId: string,
  env: Environment,
  inserted: number,
  touched: readonly string[],
): Promise<void> {
  await growRevision(sql, projectId, env, touched, inserted)
}

/** A batch as one parameter. Absent fields are null. */
function inputRows(sql: Sql, rows: ReviewRow[]) {
  // JSON.stringify keeps an own `__proto__` key, and jsonb takes it for a key like any other.
  return sql`jsonb_to_recordset(${sql.typed(rows as never, 3802)}) as input (
    id uuid, source text, external_id text, rating smallint, text text, author_name text, author_avatar_url text,
    occurred_at timestamptz(3), url text, language text, metadata jsonb, sentiment text, hidden boolean
  )`
}
