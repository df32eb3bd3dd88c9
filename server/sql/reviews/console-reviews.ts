import type { ConsoleReview, ConsoleReviewParameters } from '../../../src/contract/console.ts'
import type { Sql } from '../../deps.ts'
import { isoDates, type WithDates } from '../iso-dates.ts'
import type { ListPosition } from '../list-page.ts'
import type { EnvironmentScope } from '../scope.ts'

/**
 * Reviews for people, newest first, page by page. Text is looked for as it stands: a walk through the environment, with the
 * newest first, that ends when the page is full.
 */
export async function findReviews(
  sql: Sql,
  { projectId, env }: EnvironmentScope,
  { q, source, stars, state }: Omit<ConsoleReviewParameters, 'after'>,
  limit: number,
  after?: ListPosition,
): Promise<{ reviews: ConsoleReview[]; next: ListPosition | undefined }> {
  const like = q === undefined ? undefined : `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const hiddenExcerpts = sql`(select count(*)::int from excerpts e
    where e.project_id = r.project_id and e.review_id = r.id and e.withheld)`
  const position =
    after === undefined
      ? sql``
      : after.at === null
        ? sql`and r.occurred_at is null and r.id < ${after.id}`
        : sql`and (r.occurred_at is null or (r.occurred_at, r.id) < (${after.at}, ${after.id}))`
  const states = {
    shown: sql`and r.hidden_at is null and r.status = 'indexed'`,
    hidden: sql`and r.hidden_at is not null`,
    indexing: sql`and r.status = 'indexing'`,
    sentence_hidden: sql`and exists (select from excerpts e
      where e.project_id = r.project_id and e.review_id = r.id and e.withheld)`,
  }
  const rows = await sql<WithDates<ConsoleReview, 'occurred_at'>[]>`
    select r.id, r.source, r.rating, r.text, r.author_name, r.occurred_at, r.hidden_at is not null as hidden, r.status,
      r.sentiment, ${hiddenExcerpts} as hidden_excerpts
    from reviews r
    where r.project_id = ${projectId} and r.env = ${env} ${position}
      ${like === undefined ? sql`` : sql`and (r.text ilike ${like} or r.author_name ilike ${like})`}
      ${source === undefined ? sql`` : sql`and r.source = ${source}`}
      ${stars === undefined ? sql`` : stars === 0 ? sql`and r.rating is null` : sql`and r.rating = ${stars}`}
      ${state === undefined ? sql`` : states[state]}
    order by r.occurred_at desc nulls last, r.id desc
    limit ${limit + 1}`
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    reviews: page.map(isoDates),
    next: rows.length > limit && last ? { at: last.occurred_at, id: last.id } : undefined,
  }
}
