import * as v from 'valibot'
import { pluralize } from '../../contract/counts.ts'
import type { ExplainedExcerpt } from '../../contract/explain.ts'
import { WORD_TIER_BELOW_FLOOR } from '../../contract/limits.ts'
import { floorText } from '../../contract/score-text.ts'
import { stars } from '../output/format.ts'
import { table } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'

/** A relevance judgement: whether a review near a query fits it. One line of the judgements file. */
export const judgement = v.strictObject({ query: v.string(), review: v.string(), fits: v.boolean() })
export type Judgement = v.InferOutput<typeof judgement>

/** Identifies the query and review of a judgement. */
export function judgementKey({ query, review }: Pick<Judgement, 'query' | 'review'>): string {
  return JSON.stringify([query, review])
}

/** A judgement with the scores of the review's excerpts. */
export interface MeasuredJudgement extends Judgement {
  /** Cosine to the query, and whether half of the query's words match. */
  excerpts: { cosine: number; matchesHalf: boolean }[]
}

/** What decides whether the excerpt appears; empty when it has no vector yet. */
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

/** Range of floors, in hundredths. */
const LOWEST = 40
const HIGHEST = 90

/** The outcome of each floor from 0.40 to 0.90 on the judged reviews. */
export function floorOutcomes(judged: readonly MeasuredJudgement[]): FloorOutcome[] {
  const floors = Array.from({ length: HIGHEST - LOWEST + 1 }, (_, i) => (LOWEST + i) / 100)
  return floors.map((floor) => floorOutcome(judged, floor))
}

/** Which of the judged reviews would appear at a floor, and how good that is. */
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
 * The floor with the best measure. Of equal floors, the middle of the highest contiguous run, which is farthest from the
 * judgements on both sides.
 */
export function suggestedFloor(outcomes: readonly FloorOutcome[]): FloorOutcome | undefined {
  const best = Math.max(...outcomes.map(({ measure }) => measure))
  const last = outcomes.findLastIndex(({ measure }) => measure === best)
  let first = last
  while (first > 0 && outcomes[first - 1]?.measure === best) first--
  return outcomes[Math.floor((first + last) / 2)]
}

/** The judgements needed to change a floor. */
export const MINIMUM = { judgements: 30, queries: 5, ofEachKind: 5 } as const
/** The improvement needed: in the measure, and in judgements that come out right. */
const MINIMUM_GAIN = { measure: 0.03, judgements: 3 } as const

export type Verdict =
  /** The suggested floor is better, whichever single query is left out. */
  | { move: true }
  /** `few`: not enough judgements yet; `same`: by the judgements the current floor does as well. */
  | { move: false; why: 'few' | 'same'; reason: string }

/** Whether the judgements justify moving from the current floor to the suggested one. */
export function floorVerdict(
  judged: readonly MeasuredJudgement[],
  current: FloorOutcome,
  suggested: FloorOutcome,
): Verdict {
  const missing = missingJudgements(judged)
  if (missing.length > 0) return { move: false, why: 'few', reason: `${missing.join(', ')} more` }
  if (current.floor === suggested.floor) return { move: false, why: 'same', reason: 'it is the best one' }
  const gain = correctCount(suggested, judged) - correctCount(current, judged)
  if (gain < MINIMUM_GAIN.judgements || suggested.measure - current.measure < MINIMUM_GAIN.measure) {
    const better =
      gain > 0
        ? `${suggested.floor} would get only ${gain} more of ${judged.length} right`
        : 'no other floor gets more right'
    return { move: false, why: 'same', reason: better }
  }
  for (const query of new Set(judged.map((one) => one.query))) {
    const rest = judged.filter((one) => one.query !== query)
    if (floorOutcome(rest, suggested.floor).measure > floorOutcome(rest, current.floor).measure) continue
    return { move: false, why: 'same', reason: `only the query "${query}" supports ${suggested.floor}` }
  }
  return { move: true }
}

function missingJudgements(judged: readonly MeasuredJudgement[]): string[] {
  const fitting = judged.filter(({ fits }) => fits).length
  const missing: [count: number, noun: string, plural?: string][] = [
    [MINIMUM.judgements - judged.length, 'judgement'],
    [MINIMUM.queries - new Set(judged.map(({ query }) => query)).size, 'query', 'queries'],
    [MINIMUM.ofEachKind - fitting, 'review that fits', 'reviews that fit'],
    [MINIMUM.ofEachKind - (judged.length - fitting), 'review that does not fit', 'reviews that do not fit'],
  ]
  return missing.flatMap(([count, ...nouns]) => (count > 0 ? [pluralize(count, ...nouns)] : []))
}

/** Fitting reviews that appear plus unfit reviews that do not. */
function correctCount(outcome: FloorOutcome, judged: readonly MeasuredJudgement[]): number {
  const unfit = judged.filter(({ fits }) => !fits).length
  return outcome.kept + unfit - outcome.wrong
}

/** A table of outcomes for floors in steps of 0.05, plus the current and the suggested one. */
export function floorTable(
  outcomes: readonly FloorOutcome[],
  current: FloorOutcome,
  suggested: FloorOutcome | undefined,
  terminal: Terminal,
): string {
  const shown = outcomes.filter(({ floor }) => Math.round(floor * 100) % 5 === 0 || floor === suggested?.floor)
  const rows = [...new Map([...shown, current].map((one) => [one.floor, one])).values()]
  rows.sort((a, b) => a.floor - b.floor)
  const mark = ({ floor }: FloorOutcome) =>
    [floor === suggested?.floor && 'suggested', floor === current.floor && 'now'].filter(Boolean).join(', ')
  return table(
    rows,
    [
      { heading: 'FLOOR', value: ({ floor }) => floorText(floor) },
      { heading: 'KEEPS', value: ({ kept }) => String(kept), align: 'right' },
      { heading: 'LOSES', value: ({ lost }) => String(lost), align: 'right' },
      { heading: 'WRONG', value: ({ wrong }) => String(wrong), align: 'right' },
      { heading: 'MEASURE', value: ({ measure }) => stars(Math.round(measure * 5)) },
      { heading: '', value: mark },
    ],
    terminal,
  )
}
