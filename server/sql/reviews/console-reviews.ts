import type { ConsoleReview, ConsoleReviewParameters } from '../../../src/contract/console.ts'
import type { Fragment, Sql } from '../../deps.ts'
import { isoDates, type WithDates } from '../iso-dates.ts'
import type { ListPosition } from '../list-page.ts'
import { normalForms } from '../normal-forms.ts'
import type { EnvironmentScope } from '../scope.ts'

/**
 * How many reviews a statement examines, and how much text, so that it takes about 20 ms of a processor on any database and
 * lets others in between: comparing text is some twenty times as slow as columns (bench/console/find-reviews.ts).
 */
const LOOKED_AT = { text: 2_000, columns: 10_000 }
const LOOKED_AT_BYTES = 800_000

/** Position before the first review without a date; those come last. */
const FIRST_UNDATED: ListPosition = { at: null, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }

/** A page, and where to continue: after its last review, or where the search stopped before the page was full. */
export interface FoundReviews {
  reviews: ConsoleReview[]
  next: ListPosition | undefined
  isBrokenOff: boolean
}

/**
 * Reviews for people, newest first, page by page. A text is searched literally, by walking the environment newest first until
 * the page is full or enough was examined.
 */
export async function findReviews(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  { q, source, stars, state }: Omit<ConsoleReviewParameters, 'after'>,
  limit: number,
  after?: ListPosition,
): Promise<FoundReviews> {
  const like = normalForms(q ?? '').map((form) => `%${form.replace(/[\\%_]/g, '\\$&')}%`)
  // Every table names the project, so that a distributed database runs everything on its server.
  const hiddenExcerpts = sql`(select count(*)::int from excerpts e
    where e.project_id = ${projectId} and e.review_id = r.id and e.withheld)`
  const position =
    after === undefined
      ? sql``
      : after.at === null
        ? sql`and r.occurred_at is null and r.id < ${after.id}`
        : // Without those that have no date: with "or", the index would be walked from its beginning each time.
          sql`and (r.occurred_at, r.id) < (${after.at}, ${after.id})`
  const states = {
    shown: sql`and r.hidden_at is null and r.status = 'indexed'`,
    hidden: sql`and r.hidden_at is not null`,
    indexing: sql`and r.status = 'indexing'`,
    sentence_hidden: sql`and exists (select from excerpts e
      where e.project_id = ${projectId} and e.review_id = r.id and e.withheld)`,
  }
  const newestFirst = sql`order by r.occurred_at desc nulls last, r.id desc`
  const walk = sql`from reviews r where r.project_id = ${projectId} and r.env = ${env} ${position} ${newestFirst}`
  // For columns the number alone is limit enough.
  const part = q === undefined ? undefined : await textPart(sql, walk)
  const most = part?.count ?? LOOKED_AT.columns
  const rows = await sql<WithDates<ConsoleReview, 'occurred_at'>[]>`
    select r.id, r.source, r.metadata->>'platform' as platform, r.rating, r.text, r.author_name, r.occurred_at,
      r.hidden_at is not null as hidden, r.status, r.sentiment, ${hiddenExcerpts} as hidden_excerpts
    from (select r.* ${walk} limit ${most}) r
    where true
      ${q === undefined ? sql`` : sql`and (r.text ilike any (${like}::text[]) or r.author_name ilike any (${like}::text[]))`}
      ${source === undefined ? sql`` : sql`and r.source = ${source}`}
      ${stars === undefined ? sql`` : stars === 0 ? sql`and r.rating is null` : sql`and r.rating = ${stars}`}
      ${state === undefined ? sql`` : states[state]}
    ${newestFirst}
    limit ${limit + 1}`
  const page = rows.slice(0, limit)
  const reviews = page.map(isoDates)
  const last = page.at(-1)
  if (rows.length > limit && last) return { reviews, next: { at: last.occurred_at, id: last.id }, isBrokenOff: false }
  const end = part
    ? part.end
    : (
        await sql<ListPosition[]>`
    select r.occurred_at as "at", r.id ${walk} offset ${most - 1} limit 1`
      )[0]
  const next = end ?? (after?.at ? FIRST_UNDATED : undefined)
  return { reviews, next, isBrokenOff: next !== undefined }
}

/** How many reviews a search for text examines, and the last of them if others follow. */
async function textPart(sql: Sql, walk: Fragment): Promise<{ count: number; end: ListPosition | undefined }> {
  // The length of a text is known without reading it.
  const [row] = await sql<(ListPosition & { count: number; isLast: boolean })[]>`
    select number::int as count, occurred_at as "at", id, following is null as "isLast"
    from (
      select occurred_at, id, row_number() over walked as number, lead(id) over walked as following,
        sum(length) over walked - length as before
      from (select r.occurred_at, r.id, octet_length(r.text) as length ${walk} limit ${LOOKED_AT.text + 1}) r
      window walked as (order by occurred_at desc nulls last, id desc rows unbounded preceding)
    ) r
    where number <= ${LOOKED_AT.text} and before < ${LOOKED_AT_BYTES}::int
    order by number desc limit 1`
  if (!row) return { count: 0, end: undefined }
  return { count: row.count, end: row.isLast ? undefined : { at: row.at, id: row.id } }
}
