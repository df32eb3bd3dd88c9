import type { ReviewInput, ReviewStatus, Sentiment, Source } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import type { EnvironmentScope } from '../scope.ts'

/** Identifies a review within an environment. */
export interface ReviewKey {
  source: Source
  external_id: string
}

export interface ExistingReview extends ReviewKey {
  id: string
  textVersion: number
  status: ReviewStatus
  origin: string | null
}

/**
 * The stored reviews with one of the sources and one of the external ids, their rows locked in order of id; a batch that
 * mixes sources may get a few more than it named.
 *
 * Two lists can be conditions of one index scan. A join with the keys became a hash join over the whole project when the
 * table's statistics were fresh: 1 ms at 1,000 reviews, growing with the project.
 */
export async function lockExisting(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  keys: ReviewKey[],
): Promise<ExistingReview[]> {
  return sql<ExistingReview[]>`
    select id, source, external_id, text_version as "textVersion", status, origin from reviews
    where project_id = ${projectId} and env = ${env} and source = any (${[...new Set(keys.map((key) => key.source))]}::text[])
      and external_id = any (${[...new Set(keys.map((key) => key.external_id))]}::text[])
    order by id
    for no key update`
}

export type UpdatedReview = Pick<ExistingReview, 'id' | 'textVersion' | 'status'>

/** Metadata keys with which an import marks a day that its file does not state (`src/importer/rows/row-date.ts`). */
const VAGUE_DAY = ['date_as_written', 'date_given']
/** The metadata key of a vendor's translation of the text. */
const TRANSLATION = ['translation']

/** A review to be written. */
export interface ReviewRow extends ReviewInput {
  id: string
  /** From the stars; null for an unrated review, which the pipeline classifies. */
  sentiment: Sentiment | null
  hidden?: boolean | undefined
  visibility?: 'shown' | 'hidden' | undefined
  /** The export it comes from, if imported. */
  origin?: string | undefined
  /** Its day was counted back or given, if imported. */
  isApproximate?: boolean | undefined
}

/**
 * Selects from the environment's row so that a distributed database inserts where it is: rows that come from elsewhere would
 * be copied there, with every failure reported as an internal error.
 * @throws when the project has no such environment, since nothing would be written
 */
export async function insertReviews(sql: Sql, { projectId, env }: EnvironmentScope, rows: ReviewRow[]): Promise<void> {
  const { count } = await sql`
    insert into reviews (
      project_id, id, env, source, external_id, rating, text, author_name, author_avatar_url, occurred_at, url,
      language, metadata, sentiment, sentiment_source, hidden_at,
      visibility_set_by, origin
    )
    select
      environments.project_id, id, environments.env, source, external_id, rating, text, author_name, author_avatar_url, occurred_at, url,
      language, coalesce(metadata, '{}'), sentiment, case when sentiment is not null then 'rating' end,
      case when hidden then now() end, case when visibility = 'hidden' then 'file' end, origin
    from environments, ${inputRows(sql, rows)}
    where environments.project_id = ${projectId} and environments.env = ${env}`
  if (count !== rows.length) throw new Error(`Of ${rows.length} reviews ${count} were stored: no environment ${env}`)
}

/**
 * Writes only the rows that differ from what is stored. Everything but `metadata` becomes what the row says, a missing field
 * null; without `metadata` the stored value stays, since it has its own route (`PATCH`). `hidden` stays as well, unless
 * `visibility` changes it and nobody decided it by hand, and so does a known day when an import has an approximate one.
 * @returns the changed ones; a higher text version means that the text must be indexed again
 */
export async function updateReviews(sql: Sql, projectId: string, rows: ReviewRow[]): Promise<UpdatedReview[]> {
  const ids = rows.map((row) => row.id)
  return sql`
    with input as (
      select input.*,
        stored.text <> input.text or (stored.rating is not null and input.rating is null) as reindex,
        ${isHiddenNow(sql)} as hides, ${isShownAgain(sql)} as shows, now() as at
      from ${inputRows(sql, rows)}
      join reviews stored on stored.id = input.id
      where stored.project_id = ${projectId} and stored.id = any (${ids}::uuid[])
    )
    update reviews stored set
      rating = input.rating,
      text = input.text,
      text_version = text_version + input.reindex::int,
      author_name = input.author_name,
      author_avatar_url = input.author_avatar_url,
      occurred_at = ${occurredAt(sql)},
      url = input.url,
      language = input.language,
      metadata = ${metadata(sql)},
      sentiment = case when input.rating is not null then input.sentiment when not reindex then stored.sentiment end,
      sentiment_source =
        case when input.rating is not null then 'rating' when not reindex then stored.sentiment_source end,
      hidden_at = case when hides then at when not shows then hidden_at end,
      visibility_set_by = case when hides then 'file' when not shows then visibility_set_by end,
      status = case when reindex then 'indexing' else status end,
      updated_at = now()
    from input
    where stored.project_id = ${projectId} and stored.id = input.id and stored.id = any (${ids}::uuid[])
      and ${differs(sql)}
    returning stored.id, text_version as "textVersion", status`
}

/**
 * What a push of these reviews would do, without locking or writing: for a dry run, and for the cap before an import. A
 * review without `metadata` keeps the stored value.
 * @returns one outcome per review, in order; `replaced` where an update keeps only the id of the stored one
 */
export async function compareReviews(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  reviews: readonly (ReviewInput & Pick<ReviewRow, 'visibility' | 'origin' | 'isApproximate'>)[],
): Promise<('inserted' | 'updated' | 'unchanged' | 'replaced')[]> {
  const rows = reviews.map((review, place) => ({ ...review, place }))
  const compared = await sql<{ place: number; outcome: 'updated' | 'unchanged' | 'replaced' }[]>`
    select input.place, case when not ${differs(sql)} then 'unchanged'
      when stored.author_name <> input.author_name and stored.occurred_at <> input.occurred_at and stored.text <> input.text
      then 'replaced' else 'updated' end as outcome from ${inputRows(sql, rows)}
    join reviews stored on stored.project_id = ${projectId} and stored.env = ${env}
      and stored.source = input.source and stored.external_id = input.external_id
      and stored.source = any (${[...new Set(reviews.map((review) => review.source))]}::text[])
      and stored.external_id = any (${[...new Set(reviews.map((review) => review.external_id))]}::text[])`
  const outcomes = new Map(compared.map((row) => [row.place, row.outcome]))
  return reviews.map((_, place) => outcomes.get(place) ?? 'inserted')
}

/**
 * Whether a vendor now hides a review that is visible and was not shown by hand; or one that was hidden because it was
 * missing.
 */
function isHiddenNow(sql: Sql) {
  return sql`(coalesce(input.visibility, '') = 'hidden' and (stored.hidden_at is null or coalesce(stored.visibility_set_by, '') = 'missing')
    and stored.visibility_set_by is distinct from 'hand')`
}

/** Whether a vendor shows a review that an earlier file hid, or again has one that was missing. */
function isShownAgain(sql: Sql) {
  return sql`(stored.hidden_at is not null and (
      coalesce(input.visibility, '') = 'shown' and coalesce(stored.visibility_set_by, '') in ('file', 'missing')
      or coalesce(input.visibility, 'shown') = 'shown' and input.origin is not null and coalesce(stored.visibility_set_by, '') = 'missing'
    ))`
}

/** Whether a push changes the row `stored` of `reviews`; without `metadata` the stored value stays. */
function differs(sql: Sql) {
  return sql`(${isHiddenNow(sql)} or ${isShownAgain(sql)} or (
      stored.rating, stored.text, stored.author_name, stored.author_avatar_url, stored.occurred_at, stored.url,
      stored.language, stored.metadata
    ) is distinct from (
      input.rating, input.text, input.author_name, input.author_avatar_url, ${occurredAt(sql)}, input.url,
      input.language, ${metadata(sql)}
    ))`
}

/** The day to store: an import's approximate one ("3 months ago") does not replace a known one. */
function occurredAt(sql: Sql) {
  return sql`case when ${keepsKnownDay(sql)} then stored.occurred_at else input.occurred_at end`
}

/**
 * The metadata to store: an import's mark of an approximate day only if its day is used. A file with nothing besides that
 * mark keeps the stored metadata, without the translation of a text that has changed.
 */
function metadata(sql: Sql) {
  const kept = sql`(stored.metadata - case when stored.text <> input.text then ${TRANSLATION}::text[] else '{}' end)`
  return sql`case when ${keepsKnownDay(sql)} then coalesce(nullif(input.metadata - ${VAGUE_DAY}::text[], '{}'), ${kept})
    when input."isApproximate" and input.metadata - ${VAGUE_DAY}::text[] = '{}' then (${kept} - ${VAGUE_DAY}::text[]) || input.metadata
    when input.metadata is null and input.origin is not null then ${kept} - ${VAGUE_DAY}::text[]
    else coalesce(input.metadata, stored.metadata) end`
}

function keepsKnownDay(sql: Sql) {
  return sql`(coalesce(input."isApproximate", false) and stored.occurred_at is not null
    and not stored.metadata ?| ${VAGUE_DAY}::text[])`
}

/** A batch as one parameter. Missing fields are null. */
function inputRows(sql: Sql, rows: readonly (ReviewInput & Partial<ReviewRow> & { place?: number })[]) {
  // JSON.stringify keeps an own `__proto__` key, and for jsonb it is a key like any other.
  return sql`jsonb_to_recordset(${sql.typed(rows as never, 3802)}) as input (
    place int, id uuid, source text, external_id text, rating smallint, text text, author_name text, author_avatar_url text,
    occurred_at timestamptz(3), url text, language text, metadata jsonb, sentiment text, hidden boolean, visibility text, origin uuid, "isApproximate" boolean
  )`
}
