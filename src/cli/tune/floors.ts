import * as v from 'valibot'
import type { ExplainedExcerpt } from '../../contract/explain.ts'
import { WORD_TIER_BELOW_FLOOR } from '../../contract/limits.ts'

/** What a person says about a review that came near a query: a line of the file of judgements. */
export const judgement = v.strictObject({ query: v.string(), review: v.string(), fits: v.boolean() })
export type Judgement = v.InferOutput<typeof judgement>

/** Tells judgements about the same query and review. */
export function judgementKey({ query, review }: Pick<Judgement, 'query' | 'review'>): string {
  return JSON.stringify([query, review])
}

/** How near a judged review comes to a query, by its nearest excerpt. */
export interface MeasuredJudgement extends Judgement {
  /** Cosines and words of its excerpts. */
  excerpts: { cosine: number; matchesHalf: boolean }[]
}

/** What decides whether the excerpt appears; nothing when it has no vector yet. */
export function measureExcerpt({
  cosine,
  words_matched,
  words_needed,
}: ExplainedExcerpt): MeasuredJudgement['excerpts'] {
  if (cosine === null) return []
  return [{ cosine, matchesHalf: words_needed > 0 && words_matched.length >= words_needed }]
}

export interface FloorOutcome {
  floor: number
  /** Fitting reviews that appear, and that do not. */
  kept: number
  lost: number
  /** Reviews that do not fit and appear anyway. */
  wrong: number
  /** F-measure that weighs precision twice as much as recall: an empty list beats an irrelevant one. */
  measure: number
}

const LOWEST = 0.4
const HIGHEST = 0.9
const STEP = 0.01

/** What each floor from 0.40 to 0.90 keeps and loses of the judged reviews. */
export function floorOutcomes(judged: readonly MeasuredJudgement[]): FloorOutcome[] {
  const outcomes: FloorOutcome[] = []
  for (let i = 0; i <= Math.round((HIGHEST - LOWEST) / STEP); i++) {
    outcomes.push(floorOutcome(judged, Number((LOWEST + i * STEP).toFixed(2))))
  }
  return outcomes
}

export function floorOutcome(judged: readonly MeasuredJudgement[], floor: number): FloorOutcome {
  const appears = ({ excerpts }: MeasuredJudgement) =>
    excerpts.some(
      ({ cosine, matchesHalf }) => cosine >= floor || (matchesHalf && cosine >= floor - WORD_TIER_BELOW_FLOOR - 1e-9),
    )
  const kept = judged.filter((one) => one.fits && appears(one)).length
  const lost = judged.filter((one) => one.fits && !appears(one)).length
  const wrong = judged.filter((one) => !one.fits && appears(one)).length
  // F with beta 0.5 (van Rijsbergen, "Information Retrieval", 1979): (1 + b²) p r / (b² p + r), in counts.
  const measure = kept === 0 ? 0 : (1.25 * kept) / (1.25 * kept + 0.25 * lost + wrong)
  return { floor, kept, lost, wrong, measure }
}

/**
 * The floor with the best measure. Where many floors are equal, the middle of the stretch that begins highest: it is
 * farthest from the judgements on both sides.
 */
export function suggestedFloor(outcomes: readonly FloorOutcome[]): FloorOutcome | undefined {
  const best = Math.max(...outcomes.map(({ measure }) => measure))
  const last = outcomes.findLastIndex(({ measure }) => measure === best)
  let first = last
  while (first > 0 && outcomes[first - 1]?.measure === best) first--
  return outcomes[Math.floor((first + last) / 2)]
}
