import type { Sentiment } from '../../../src/contract/review.ts'
import type { Sql } from '../../deps.ts'
import type { Scope } from '../../sql/scope.ts'
import type { Candidate } from '../rank.ts'
import type { WordForms } from '../words.ts'
import { distanceTo, parameters, sentenceDistances, UNPREPARED } from './statement.ts'
import { wordMatches } from './word-matches.ts'

/** An excerpt with everything that decides its rank, whether or not it may appear. */
export interface ScoredExcerpt extends Omit<Candidate, 'textRank'> {
  excerpt: string
  /** Where the sentences with their own vectors begin in the excerpt; null when there are none. */
  starts: number[] | null
  /** The cosine distances of those sentences, then nulls. */
  distances: (number | null)[] | null
  /** Its cosine; null when its vector is from another model. */
  measured: number | null
  config: string
  lexemes: string[]
  /** It was hidden on its own. */
  withheld: boolean
  verdict: Sentiment | null
}

/** All excerpts of these reviews, without policy and thresholds, for an explanation. */
export async function scoreExcerpts(
  sql: Sql,
  scope: Scope,
  query: { vector: Float32Array; forms: readonly WordForms[] },
  reviewIds: readonly string[],
): Promise<ScoredExcerpt[]> {
  const { values, bind } = parameters()
  const cosine = `1 - ${distanceTo(bind, query.vector, scope.modelId)}`
  const words = wordMatches(bind, query.forms)
  return sql.unsafe<ScoredExcerpt[]>(
    `select e.id, e.review_id as "reviewId", e.ordinal, e.text as excerpt, e.sentence_starts as starts, ${cosine} as measured,
      ${sentenceDistances(bind, query.vector, scope.modelId)} as distances,
      coalesce(${cosine}, 0) as cosine, ${words.half(words.each.map((_, i) => `e.has_${i}`))} as "matchesHalf",
      e.search_config as config, tsvector_to_array(e.lexemes) as lexemes, e.withheld, e.verdict
    from (
      -- All words, even those that do not count: PostgreSQL rejects a parameter that the statement does not use.
      select e.*, ${words.needed} as needed ${words.each.map((match, i) => `, ${match} as has_${i}`).join('')}
      from excerpts e
    ) e
    where e.project_id = ${bind(scope.projectId)}::uuid and e.env = ${bind(scope.env)}::text
      and e.review_id = any (${bind(reviewIds)}::uuid[])
    order by measured desc nulls last, e.review_id, e.ordinal`,
    values,
    UNPREPARED,
  )
}
