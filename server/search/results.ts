import type { QueryResult } from '../../src/contract/query.ts'
import type { Thresholds } from './policy.ts'
import { apiScore, type Ranked } from './rank.ts'
import type { ExcerptRow } from './sql/excerpt-rows.ts'

/** A row as a result that matched the query. */
export function matched(row: ExcerptRow, winners: readonly Ranked[], thresholds: Thresholds): QueryResult {
  const winner = winners.find(({ id }) => id === row.id)
  if (!winner) throw new Error('A row was read that nobody asked for')
  const { from, text } = shownText(row)
  // If part of the review may not appear, the excerpt may be all that is left.
  const isAll = row.whole || text === row.excerpt
  const highlight = isAll ? null : { start: row.start - from, end: row.end - from }
  return { ...unmatched(row), score: apiScore(winner.cosine, thresholds), matched: true, highlight }
}

/** A row as a result that was not compared with a query. */
export function unmatched(row: ExcerptRow): QueryResult {
  const { text } = shownText(row)
  return {
    score: null,
    matched: false,
    excerpt: row.excerpt,
    excerpt_id: row.id,
    highlight: null,
    review: {
      id: row.reviewId,
      rating: row.rating,
      author_name: row.authorName,
      author_avatar_url: row.authorAvatarUrl,
      source: row.source,
      occurred_at: row.occurredAt?.toISOString() ?? null,
      url: row.url,
      metadata: row.metadata,
      ...(text === undefined ? {} : { text }),
    },
  }
}

/**
 * The part of a review's text around its excerpt that contains nothing hidden and no complaint that may not appear; normally
 * all of it. What an operator has hidden never appears in any response.
 * @returns where it begins in the full text; `text` is undefined when it was not requested
 */
function shownText({ text, from, to }: ExcerptRow): { from: number; text: string | undefined } {
  if (text === null) return { from, text: undefined }
  if (from === 0 && to === null) return { from, text }
  const part = text.slice(from, to ?? text.length)
  const begun = part.trimStart()
  return { from: from + part.length - begun.length, text: begun.trimEnd() }
}
