import type { Sentiment } from '../../../src/contract/review.ts'
import { projectTransaction } from '../../db/transaction.ts'
import type { Pool, Sql } from '../../deps.ts'
import { completeJobs, type HeldReview, lockHeld } from '../queue/complete.ts'
import { idsOf, type JobKey, type ModelClaim } from '../queue/job.ts'
import { VERDICT_MODEL } from './excerpt-verdicts.ts'
import { withheldAmong } from './hidden-words.ts'
import { removeExcerpts } from './refresh-excerpts.ts'
import { bumpRevisions } from './search-changes.ts'
import { textSearchConfig } from './text-config.ts'
import { vectorText } from './vector-text.ts'

/** Sentence vectors per excerpt; a search compares as many. */
export const MOST_SENTENCES = 6

export interface NewExcerpt {
  id: string
  start: number
  end: number
  text: string
  vector: Float32Array
  /** Its sentiment on its own. */
  verdict: Sentiment
  /** Its sentence vectors, and where each sentence begins in `text`; empty when it is one sentence. */
  sentences: { start: number; vector: Float32Array }[]
}

/** The pipeline's result for a claimed review. */
export interface IndexedReview extends JobKey {
  excerpts: NewExcerpt[]
  /** The model's verdict on an unrated review; null for a rated one, whose stars decide. */
  sentiment: Sentiment | null
}

/** With its serialised excerpt rows. */
export interface SerializedReview extends IndexedReview {
  /** Comma-separated JSON objects. */
  rows: string
}

/**
 * Serialises a review's rows, a tenth of a millisecond: before the transaction, because everyone else waits for the embedded
 * database's only connection until it ends.
 */
export function serializeRows(review: IndexedReview): SerializedReview {
  const rows = review.excerpts.map(({ id, start, end, text, vector, verdict, sentences }, ordinal) => ({
    review_id: review.reviewId,
    classified: review.sentiment,
    verdict,
    ordinal,
    id,
    start_offset: start,
    end_offset: end,
    text,
    embedding: vectorText(vector),
    ...(sentences.length > 0 && {
      sentences: sentences.map((sentence) => vectorText(sentence.vector)).join(';'),
      sentence_starts: sentences.map((sentence) => sentence.start),
    }),
  }))
  return { ...review, rows: rows.map((row) => JSON.stringify(row)).join() }
}

/**
 * Saves the excerpts of claimed reviews in one transaction and ends their jobs.
 *
 * A review is saved only while the claim `token` still holds its job, which a change of the text, the stars or the
 * installation's model takes away; its new job then indexes it. The columns that excerpts copy from the review (rating,
 * hidden, language …) are read under the review's row lock, so that a concurrent change is either in the copies or waits
 * until it can update them. A review locked by another transaction is skipped rather than waited for, which rules out a
 * deadlock with a push: the caller retries.
 * @returns ids of the saved reviews
 */
export async function saveExcerpts(
  sql: Pool,
  claim: ModelClaim,
  reviews: readonly SerializedReview[],
): Promise<Set<string>> {
  return projectTransaction(sql, claim.projectId, async (tx) => {
    const ours = await lock(tx, claim, reviews)
    const saved = reviews.filter((review) => ours.has(review.reviewId))
    if (saved.length === 0) return new Set<string>()
    // Pipelined. The rows that every writer of an environment needs are locked last, in a fixed order.
    await Promise.all([
      // Those of an earlier model.
      removeExcerpts(tx, claim.projectId, idsOf(saved)),
      insert(tx, claim, saved, ours),
      completeJobs(tx, claim.projectId, saved),
      markIndexed(tx, claim.projectId, saved),
      bumpRevisions(tx, claim.projectId, [...ours.values()]),
    ])
    return new Set(saved.map((review) => review.reviewId))
  })
}

interface Held extends HeldReview {
  /** Words that an operator hid. */
  hidden: string[]
}

async function lock(tx: Sql, claim: ModelClaim, reviews: readonly JobKey[]): Promise<Map<string, Held>> {
  // Pipelined, and executed in order: words hidden before the lock was granted are included.
  const [locked, words] = await Promise.all([
    lockHeld(tx, claim, reviews),
    tx<{ id: string; words: string }[]>`
      select review_id as id, words from hidden_excerpts
      where project_id = ${claim.projectId} and review_id = any (${idsOf(reviews)}::uuid[])`,
  ])
  const held = new Map(locked.map((review): [string, Held] => [review.id, { ...review, hidden: [] }]))
  for (const { id, words: hidden } of words) held.get(id)?.hidden.push(hidden)
  return held
}

async function insert(
  tx: Sql,
  { projectId, modelId }: ModelClaim,
  reviews: readonly SerializedReview[],
  held: ReadonlyMap<string, Held>,
): Promise<void> {
  const configs = reviews.map(({ reviewId }) => {
    const review = held.get(reviewId)
    return textSearchConfig(review?.language, review?.beginning)
  })
  const withheld = reviews.flatMap(({ reviewId, excerpts }) =>
    withheldAmong(excerpts, held.get(reviewId)?.hidden ?? []).flatMap((is, ordinal) =>
      is ? { reviewId, ordinal } : [],
    ),
  )
  await tx`
    insert into excerpts (project_id, review_id, ordinal, id, env, start_offset, end_offset, text, search_config, lexemes,
      embedding_model_id, embedding, sentences, sentence_starts, rating, sentiment, hidden, source, occurred_at, verdict,
      verdict_model, withheld)
    select r.project_id, r.id, p.ordinal, p.id, r.env, p.start_offset, p.end_offset, p.text, held.config,
      excerpt_lexemes(held.config::regconfig, p.text), ${modelId}, p.embedding::vector,
      string_to_array(p.sentences, ';')::vector[], p.sentence_starts, r.rating,
      case when r.rating is null then coalesce(p.classified, r.sentiment) else r.sentiment end, r.hidden_at is not null,
      r.source, r.occurred_at, p.verdict, ${VERDICT_MODEL},
      (p.review_id, p.ordinal) in (
        select * from unnest(${withheld.map(({ reviewId }) => reviewId)}::uuid[], ${withheld.map(({ ordinal }) => ordinal)}::int[]))
    from json_to_recordset(${`[${reviews.flatMap(({ rows }) => rows || []).join()}]`}::text::json)
      as p(review_id uuid, classified text, ordinal int, id uuid, start_offset int, end_offset int, text text,
        embedding text, sentences text, sentence_starts int[], verdict text)
    join unnest(${idsOf(reviews)}::uuid[], ${configs}::text[]) as held (review_id, config) on held.review_id = p.review_id
    join reviews r on r.project_id = ${projectId} and r.id = p.review_id
    where r.id = any (${idsOf(reviews)}::uuid[])`
}

async function markIndexed(tx: Sql, projectId: string, reviews: readonly IndexedReview[]): Promise<void> {
  await tx`
    update reviews r set status = 'indexed',
      sentiment = case when r.rating is null then coalesce(done.classified, r.sentiment) else r.sentiment end,
      sentiment_source = case when r.rating is null then 'model' else 'rating' end
    from unnest(${idsOf(reviews)}::uuid[], ${reviews.map(({ sentiment }) => sentiment)}::text[]) as done (id, classified)
    where r.project_id = ${projectId} and r.id = done.id and r.id = any (${idsOf(reviews)}::uuid[])`
}
