/**
 * Shared parts of the search statements. Policy and filters are in every one of them, so that what may not appear never
 * leaves the database.
 *
 * Statements whose best plan depends on the project are not prepared: a prepared one gets a generic plan after five
 * runs, and then a small project may pay for a scan of its large neighbour, or a large one for a walk of its index.
 * postgres.js prepares every tagged query, so these are composed as text; values only ever appear as placeholders.
 */
import { MOST_SENTENCES } from '../../sql/excerpts/save-excerpts.ts'
import { vectorText } from '../../sql/excerpts/vector-text.ts'
import type { Scope } from '../../sql/scope.ts'
import type { Policy } from '../policy.ts'

type Value = string | number | readonly string[] | readonly number[]
export type Bind = (value: Value) => string
export const UNPREPARED = { prepare: false }
/**
 * For rows by key, where one plan suits all. With the arrays of keys in subqueries the generic plan costs as much as a
 * custom one, and PostgreSQL keeps it. Planning took more than half of the statement's time.
 */
export const PREPARED = { prepare: true }

/** The values of one statement; `bind` adds a value and returns its placeholder. */
export function parameters(): { values: Value[]; bind: Bind } {
  const values: Value[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}

/** The condition on `excerpts e` from the project's policy and the request's filters. */
export function publishable(bind: Bind, scope: Scope, policy: Policy): string {
  return `${publishableReview(bind, scope, policy)} and ${visible('e', policy)}`
}

/** The part of it about the excerpt alone: not hidden, and no complaint where the policy excludes them. */
export function visible(excerpt: string, { withoutComplaints }: Policy): string {
  return `not ${excerpt}.withheld${withoutComplaints ? ` and coalesce(${excerpt}.verdict, 'negative') <> 'negative'` : ''}`
}

/** The part of it that is the same for all excerpts of a review. */
export function publishableReview(bind: Bind, { projectId, env }: Scope, policy: Policy): string {
  const conditions = [
    `e.project_id = ${bind(projectId)}::uuid and e.env = ${bind(env)}::text and not e.hidden`,
    `(e.rating >= ${bind(policy.minRating)}::int or (e.rating is null and e.sentiment <> 'negative'))`,
  ]
  if (policy.sources) conditions.push(`e.source = any (${bind(policy.sources)}::text[])`)
  if (policy.since) conditions.push(`e.occurred_at >= ${bind(policy.since.toISOString())}::text::timestamptz`)
  if (policy.metadata.length > 0) {
    const pairs = bind(JSON.stringify(Object.fromEntries(policy.metadata)))
    conditions.push(`exists (select from reviews r
      where r.project_id = e.project_id and r.id = e.review_id and r.metadata @> ${pairs}::text::jsonb)`)
  }
  return conditions.join(' and ')
}

/**
 * The distance of `excerpts e`: the least of its own vector's and its sentences'. The distance of a missing sentence is
 * null, which `least` ignores.
 */
export function distanceTo(bind: Bind, query: Float32Array, modelId: number): string {
  const { vector, sentences } = distances(bind, query)
  // Vectors of two models may differ in length, which pgvector rejects: only `case` guarantees the order of evaluation.
  return `case when e.embedding_model_id = ${bind(modelId)}::int
    then case when e.sentences is null then e.embedding <=> ${vector}
      else least(e.embedding <=> ${vector}, ${sentences}) end end`
}

/** The distance of each sentence of `excerpts e`, as an array. */
export function sentenceDistances(bind: Bind, query: Float32Array, modelId: number): string {
  const { sentences } = distances(bind, query)
  return `case when e.embedding_model_id = ${bind(modelId)}::int and e.sentences is not null
    then array[${sentences}] end`
}

function distances(bind: Bind, query: Float32Array): { vector: string; sentences: string } {
  const vector = `${bind(vectorText(query))}::text::vector`
  const each = Array.from({ length: MOST_SENTENCES }, (_, i) => `e.sentences[${i + 1}] <=> ${vector}`)
  return { vector, sentences: each.join(', ') }
}
