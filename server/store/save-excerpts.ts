import type { Sentiment } from '../../src/contract/review.ts'
import { transaction } from '../db/transaction.ts'
import type { Pool, Sql } from '../deps.ts'
import { textSearchConfig } from '../search/text-config.ts'
import { withheldAmong } from './hidden-words.ts'
import { type JobKey, keyRows } from './index-jobs.ts'
import { KEPT_REVISIONS } from './search-changes.ts'
import { vectorText } from './vector-text.ts'

/** Vectors of sentences that an excerpt may have: a search compares so many. */
export const MOST_SENTENCES = 6

export interface NewExcerpt {
  id: string
  start: number
  end: number
  text: string
  vector: Float32Array
  /** What it says by itself. */
  verdict: Sentiment
  /** Those of its sentences, and where each begins in `text`; empty when it is one sentence. */
  sentences: { start: number; vector: Float32Array }[]
}

/** What the pipeline made of a claimed review. */
export interface IndexedReview extends JobKey {
  excerpts: NewExcerpt[]
  /** The model's verdict on an unrated review; null for a rated one, whose stars decide. */
  sentiment: Sentiment | null
}

/**
 * Saves the excerpts of claimed reviews in one transaction and ends their jobs.
 *
 * A review is saved only while the claim `token` still holds its job, which a change of the text, the stars or the
 * installation's model takes away; such a review is left alone, its new job will index it. What the excerpts copy from
 * the review (rating, hidden, language …) is read under the review's row lock, so that a change made meanwhile is
 * either in the copies or waits until it can reach them. A review that another transaction has locked is left out
 * rather than waited for, so that no deadlock with a push can arise: the caller tries again.
 *
 * @returns ids of the saved reviews
 */
export async function saveExcerpts(
  sql: Pool,
  claim: { token: string; modelId: number },
  reviews: readonly IndexedReview[],
): Promise<Set<string>> {
  return transaction(sql, async (tx) => {
    const ours = await lockAndClear(tx, claim, reviews)
    const saved = reviews.filter((review) => ours.has(review.reviewId))
    if (saved.length === 0) return new Set<string>()
    // Sent together: the second is the row that every writer of an environment needs, so it is locked last.
    await Promise.all([insert(tx, claim.modelId, saved, ours), growRevisions(tx, saved)])
    return new Set(saved.map((review) => review.reviewId))
  })
}

/** Locks what the claim still holds, drops excerpts of an earlier model, and returns the languages and the hidden words. */
async function lockAndClear(
  tx: Sql,
  claim: { token: string; modelId: number },
  keys: readonly JobKey[],
): Promise<Map<string, { language: string | null; hidden: string[] }>> {
  const rows = await tx<{ id: string; language: string | null; hidden: string[] }[]>`
    with held as (
      select r.project_id, r.id, r.language
      from ${keyRows(tx, keys)} k
      join index_jobs j on j.project_id = k.project_id and j.review_id = k.review_id
      join reviews r on r.project_id = j.project_id and r.id = j.review_id
      where j.lease_token = ${claim.token} and j.text_version = r.text_version
        and (select embedding_model_id from installation) = ${claim.modelId}
      order by r.project_id, r.id
      for no key update of j, r skip locked
    ), cleared as (
      delete from excerpts e using held where e.project_id = held.project_id and e.review_id = held.id
    )
    select id, language, array(
      select words from hidden_excerpts h where h.project_id = held.project_id and h.review_id = held.id
    ) as hidden
    from held`
  return new Map(rows.map((row) => [row.id, row]))
}

async function insert(
  tx: Sql,
  modelId: number,
  reviews: readonly IndexedReview[],
  held: ReadonlyMap<string, { language: string | null; hidden: string[] }>,
): Promise<void> {
  const heads = reviews.map(({ projectId, reviewId, sentiment }, n) => ({
    n,
    project_id: projectId,
    id: reviewId,
    sentiment,
    config: textSearchConfig(held.get(reviewId)?.language),
  }))
  const pieces = reviews.flatMap(({ reviewId, excerpts }, n) => {
    const withheld = withheldAmong(excerpts, held.get(reviewId)?.hidden ?? [])
    return excerpts.map(({ id, start, end, text, vector, verdict, sentences }, ordinal) => ({
      n,
      verdict,
      withheld: withheld[ordinal] ?? false,
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
  })
  await tx`
    with review as (
      select h.n, h.config, r.project_id, r.id, r.env, r.rating, r.source, r.occurred_at, r.hidden_at is not null as hidden,
        case when r.rating is null then coalesce(h.sentiment, r.sentiment) else r.sentiment end as sentiment,
        case when r.rating is null then 'model' else 'rating' end as sentiment_source
      from json_to_recordset(${JSON.stringify(heads)}::text::json)
        as h(n int, project_id uuid, id uuid, sentiment text, config text)
      join reviews r on r.project_id = h.project_id and r.id = h.id
    ), excerpt as (
      insert into excerpts (project_id, review_id, ordinal, id, env, start_offset, end_offset, text, search_config, lexemes,
        embedding_model_id, embedding, sentences, sentence_starts, rating, sentiment, hidden, source, occurred_at,
        verdict, withheld)
      select review.project_id, review.id, p.ordinal, p.id, review.env, p.start_offset, p.end_offset, p.text, review.config,
        excerpt_lexemes(review.config::regconfig, p.text), ${modelId}, p.embedding::vector, string_to_array(p.sentences, ';')::vector[], p.sentence_starts,
        review.rating, review.sentiment, review.hidden, review.source, review.occurred_at,
        p.verdict, p.withheld
      from json_to_recordset(${JSON.stringify(pieces)}::text::json)
        as p(n int, ordinal int, id uuid, start_offset int, end_offset int, text text, embedding text,
          sentences text, sentence_starts int[], verdict text, withheld boolean)
      join review using (n)
    ), job as (
      delete from index_jobs j using review where j.project_id = review.project_id and j.review_id = review.id
    )
    update reviews r set status = 'indexed', sentiment = review.sentiment, sentiment_source = review.sentiment_source
    from review where r.project_id = review.project_id and r.id = review.id`
}

/** Makes cached answers of the touched environments old. Locks in a fixed order, as several servers do this at once. */
async function growRevisions(tx: Sql, keys: readonly JobKey[]): Promise<void> {
  await tx`
    with saved as (
      select r.project_id, r.env, array_agg(r.id) as ids from ${keyRows(tx, keys)} k
      join reviews r on r.project_id = k.project_id and r.id = k.review_id
      group by r.project_id, r.env
    ), touched as (
      select project_id, env from environments
      where (project_id, env) in (select project_id, env from saved)
      order by project_id, env
      for no key update
    ), grown as (
      update environments e set revision = e.revision + 1, stamp = gen_random_uuid()
      from touched where e.project_id = touched.project_id and e.env = touched.env
      returning e.project_id, e.env, e.revision, e.stamp
    ), old as (
      delete from search_changes c using grown
      where c.project_id = grown.project_id and c.env = grown.env and c.revision <= grown.revision - ${KEPT_REVISIONS}::int
    )
    insert into search_changes (project_id, env, revision, stamp, review_ids)
    select grown.project_id, grown.env, grown.revision, grown.stamp, saved.ids
    from grown join saved on saved.project_id = grown.project_id and saved.env = grown.env`
}
