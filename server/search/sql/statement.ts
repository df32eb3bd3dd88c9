/**
 * What the statements of a search share. Policy and filters stand in every one of them, so that what may not appear
 * never leaves the database.
 *
 * Statements whose best plan depends on the project are not prepared: a prepared one gets a generic plan after five
 * runs, and then a small project may pay for a scan of its large neighbour, or a large one for a walk of its index.
 * postgres.js prepares every tagged query, so these are composed as text; a value stands in it only as a placeholder.
 */
import { MOST_SENTENCES } from '../../sql/excerpts/save-excerpts.ts'
import { vectorText } from '../../sql/excerpts/vector-text.ts'
import type { Scope } from '../../sql/scope.ts'
import type { Policy } from '../policy.ts'

type Value = string | number | readonly string[] | readonly number[]
export type Bind = (value: Value) => string
export const UNPREPARED = { prepare: false }
/**
 * For rows by their keys: one plan is good for all. Where the arrays of keys come from subqueries, the generic plan costs as
 * much as one for these very values, and PostgreSQL keeps it. Planning took more than half of the statement's time.
 */
export const PREPARED = { prepare: true }

/** The values of one statement; `bind` keeps a value and returns the placeholder that stands for it. */
export function parameters(): { values: Value[]; bind: Bind } {
  const values: Value[] = []
  return { values, bind: (value) => `$${values.push(value)}` }
}

/** The condition on `excerpts e` that the project's policy and the request's filters make. */
export function publishable(bind: Bind, scope: Scope, policy: Policy): string {
  return `${publishableReview(bind, scope, policy)} and ${visible('e', policy)}`
}

/** The part of it that is about the excerpt alone: nobody hid it, and it is no complaint where none are wanted. */
export function visible(excerpt: string, { withoutComplaints }: Policy): string {
  return `not ${excerpt}.withheld${withoutComplaints ? ` and coalesce(${excerpt}.verdict, 'negative') <> 'negative'` : ''}`
}

/** The part that is the same for all excerpts of a review. */
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
 * The distance of `excerpts e`: the least of its own vector's and its sentences'. A sentence that it has not got is null,
 * and so is its distance, which `least` passes over.
 */
export function distanceTo(bind: Bind, query: Float32Array, modelId: number): string {
  const { vector, sentences } = distances(bind, query)
  // Vectors of two models may differ in length, which pgvector refuses: only a case is sure to be evaluated in order.
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
