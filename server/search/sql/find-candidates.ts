import type { Sql } from '../../deps.ts'
import type { Scope } from '../../sql/scope.ts'
import type { CandidateQuery, Candidates } from '../candidates.ts'
import { type Candidate, IDF_POWER, NEAREST_LIMIT, TEXT_WEIGHT } from '../rank.ts'
import { maxDistance } from '../words.ts'
import { distanceTo, parameters, publishable, UNPREPARED } from './statement.ts'
import { wordMatches } from './word-matches.ts'

/**
 * The excerpts that pass the thresholds, best first by fused rank (see `fuse`).
 *
 * One exact pass over the scope's vectors. Words are checked only in the nearest excerpts, so that a query costs hardly
 * more than the pass: of 241,000 excerpts 5,000 to 150,000 reach the word tier, and checking each of them for each word
 * doubled the cost. With depth `all`, words are checked wherever the cosine reaches the word tier. A word's weight is
 * the same either way: its rarity among the nearest.
 */
export async function findCandidates(
  sql: Sql,
  scope: Scope,
  { vector, forms, policy, thresholds, depth }: CandidateQuery,
): Promise<Candidates> {
  const { values, bind } = parameters()
  const words = wordMatches(bind, forms)
  const floor = `${bind(thresholds.floor)}::float8`
  const farthest = () => `${bind(maxDistance(forms, thresholds))}::float8`
  const has = words.each.map((_, i) => `has_${i}`)
  const weights = has.map((word, i) => {
    const count = `count(*) filter (where ${word})`
    return `power(ln((1 + (count(*) - ${count} + 0.5) / (${count} + 0.5))::float8), ${IDF_POWER}) as weight_${i}`
  })
  const sum = (terms: string[]) => (terms.length === 0 ? '0' : terms.join(' + '))
  const rank = `nullif((${sum(has.map((word, i) => `case when ${word} then weight_${i} else 0 end`))})
    / nullif(${sum(has.map((_, i) => `weight_${i}`))}, 0), 0)`
  const best = `cosine + ${TEXT_WEIGHT} * coalesce("textRank", 0) desc, cosine desc, "reviewId", ordinal`
  function nearFromTable(): string {
    const distance = distanceTo(bind, vector, scope.modelId)
    return `select e.id, e.review_id, e.ordinal, e.search_config, e.lexemes, ${distance} as distance
      from excerpts e
      where ${publishable(bind, scope, policy)} and e.embedding_model_id = ${bind(scope.modelId)}::int
        -- On the distance, because the cosine of a null vector is NaN, which is greater than any number.
        and ${distance} <= ${farthest()}
      ${depth.among === 'all' ? '' : `order by distance, e.review_id, e.ordinal limit ${NEAREST_LIMIT}`}`
  }
  const rows = await sql.unsafe<(Candidate & { looked: number; farthest: number | null })[]>(
    `with near as (${nearFromTable()}),
    matched as materialized (
      select e.id, e.review_id, e.ordinal, 1 - e.distance as cosine, ${words.needed} as needed
        ${words.each.map((match, i) => `, ${match} as ${has[i]}`).join('')}
      from near e
    ),
    nearest as (select * from matched order by cosine desc, review_id, ordinal limit ${NEAREST_LIMIT}),
    idf as (
      select count(*)::int as looked, min(cosine) as farthest ${weights.map((weight) => `, ${weight}`).join('')} from nearest
    ),
    ranked as (
      select id, review_id as "reviewId", ordinal, cosine, ${words.half(has)} as "matchesHalf", ${rank}::float8 as "textRank"
      from matched, idf
    ),
    passing as (
      select * from ranked where cosine >= ${floor} or "matchesHalf"
      order by ${best}
      limit ${bind(depth.limit)}::int
    )
    select passing.*, looked, farthest from idf left join passing on true
    order by ${best}`,
    values,
    UNPREPARED,
  )
  const [first] = rows
  const cut = depth.among === 'nearest' && first?.looked === NEAREST_LIMIT
  // Without a candidate there is one row, which has only the summary.
  const passing = rows.flatMap(({ looked, farthest, ...row }) => (row.id === null ? [] : [row]))
  return { passing, horizon: cut ? (first?.farthest ?? 1) : null }
}
