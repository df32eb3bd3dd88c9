import type { Sql } from '../../deps.ts'

/** What the operator grants the pipeline; no limit unless set. */
export interface IndexingAllowance {
  /** Texts embedded for reviews in a UTC day, by all servers together. */
  dailyEmbeddings?: number | undefined
  /** Reviews that may wait; past it the answer to a push says that its reviews are indexed later. */
  queueDepth?: number | undefined
}

/**
 * Whether `added` reviews, queued just before in the same transaction, will be indexed later than "within seconds": the
 * queue is past its depth with them, or today's allowance is spent before their turn. A review counts as one text here,
 * since its excerpts are not known yet.
 */
export async function isDeferred(sql: Sql, allowance: IndexingAllowance, added: number): Promise<boolean> {
  const { dailyEmbeddings, queueDepth } = allowance
  if (added === 0 || (dailyEmbeddings === undefined && queueDepth === undefined)) return false
  // Counting further than the larger limit would only cost time.
  const enough = Math.max(dailyEmbeddings ?? 0, queueDepth ?? 0) + 1
  const [row] = await sql<{ queued: number; untaken: number; texts: string }[]>`
    select count(*)::int as queued, (count(*) filter (where leased_until is null or leased_until < now()))::int as untaken,
      coalesce((select texts from embedding_usage where day = (now() at time zone 'utc')::date), 0) as texts
    from (select leased_until from index_jobs where set_aside_at is null limit ${enough}) j`
  if (!row) return false
  if (queueDepth !== undefined && row.queued > queueDepth) return true
  // Claimed reviews have taken their texts from the allowance already.
  return dailyEmbeddings !== undefined && Number(row.texts) + row.untaken > dailyEmbeddings
}
