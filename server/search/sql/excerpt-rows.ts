import type { Metadata } from '../../../src/contract/metadata.ts'
import type { Source } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import type { Scope } from '../../sql/scope.ts'
import type { Policy } from '../policy.ts'
import type { Candidate } from '../rank.ts'
import { type Bind, PREPARED, parameters, publishable, publishableReview, UNPREPARED, visible } from './statement.ts'

/** An excerpt and its review, as shown in a result. */
export interface ExcerptRow {
  id: string
  excerpt: string
  /** UTF-16 offsets into the review's text, end exclusive. */
  start: number
  end: number
  /** Whether the excerpt is the whole review. */
  whole: boolean
  /** The range of the text around the excerpt that contains nothing hidden; `to` is null for the end of the text. */
  from: number
  to: number | null
  reviewId: string
  rating: number | null
  authorName: string | null
  authorAvatarUrl: string | null
  source: Source
  occurredAt: Date | null
  url: string | null
  metadata: Metadata
  /** The review's text; null when it was not requested. */
  text: string | null
}

/** The rows of these excerpts, in order, without those that have changed or may no longer appear. */
export async function fetchExcerpts(
  sql: Sql,
  scope: Scope,
  policy: Policy,
  keys: readonly Pick<Candidate, 'id' | 'reviewId' | 'ordinal'>[],
  withText: boolean,
): Promise<ExcerptRow[]> {
  const { values, bind } = parameters()
  const reviewIds = bind(keys.map((key) => key.reviewId))
  const ordinals = bind(keys.map((key) => key.ordinal))
  const ids = bind(keys.map((key) => key.id))
  return sql.unsafe<ExcerptRow[]>(
    `select ${columns(bind, scope, policy, withText)}
    from unnest((select ${reviewIds}::uuid[]), (select ${ordinals}::int[]), (select ${ids}::uuid[]))
      with ordinality as wanted (review_id, ordinal, id, position)
    join excerpts e on e.review_id = wanted.review_id and e.ordinal = wanted.ordinal and e.id = wanted.id
    join reviews review on review.project_id = e.project_id and review.id = e.review_id
    where ${publishable(bind, scope, policy)}
    order by wanted.position`,
    values,
    PREPARED,
  )
}

/** The texts of these excerpts by id, without those that no longer exist. */
export async function fetchExcerptTexts(
  sql: Sql,
  { projectId }: Scope,
  keys: readonly Pick<Candidate, 'id' | 'reviewId' | 'ordinal'>[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await sql<{ id: string; text: string }[]>`
    select e.id, e.text
    from unnest(${keys.map(({ reviewId }) => reviewId)}::uuid[], ${keys.map(({ ordinal }) => ordinal)}::int[])
      as wanted (review_id, ordinal)
    join excerpts e on e.project_id = ${projectId} and e.review_id = wanted.review_id and e.ordinal = wanted.ordinal`
  return new Map(rows.map(({ id, text }) => [id, text]))
}

/** The newest publishable reviews, one row each, with their first excerpt that may appear. */
export async function fetchNewest(
  sql: Sql,
  scope: Scope,
  policy: Policy,
  limit: number,
  withText: boolean,
): Promise<ExcerptRow[]> {
  const { values, bind } = parameters()
  return sql.unsafe<ExcerptRow[]>(
    `with newest as materialized (
      select shown.* from excerpts e
      cross join lateral (
        select x.* from excerpts x
        where x.project_id = ${bind(scope.projectId)}::uuid and x.review_id = e.review_id and ${visible('x', policy)}
        order by x.ordinal limit 1
      ) shown
      where ${publishableReview(bind, scope, policy)} and e.ordinal = 0
      order by e.occurred_at desc nulls last, e.review_id desc limit ${bind(limit)}::int
    )
    select ${columns(bind, scope, policy, withText)}
    from newest e
    join reviews review on review.project_id = ${bind(scope.projectId)}::uuid and review.id = e.review_id
    order by e.occurred_at desc nulls last, e.review_id desc`,
    values,
    UNPREPARED,
  )
}

function columns(bind: Bind, { projectId }: Scope, policy: Policy, withText: boolean): string {
  // Excerpts of the same review on either side of this one. The project is a parameter so that a cluster asks one
  // server.
  const hidden = (
    side: string,
  ) => `excerpts b where b.project_id = ${bind(projectId)}::uuid and b.review_id = e.review_id
    and ${side} and not (${visible('b', policy)})`
  return `coalesce((select max(b.end_offset) from ${hidden('b.ordinal < e.ordinal')}), 0) as "from",
    (select min(b.start_offset) from ${hidden('b.ordinal > e.ordinal')}) as "to",
    e.id, e.text as excerpt, e.start_offset as start, e.end_offset as end, e.text = review.text as whole,
    review.id as "reviewId", review.rating, review.author_name as "authorName",
    review.author_avatar_url as "authorAvatarUrl", review.source, review.occurred_at as "occurredAt", review.url,
    review.metadata, ${withText ? 'review.text' : 'null'} as text`
}
