import { pluralize } from '../../contract/counts.ts'
import { type FloorOutcome, floorOutcome, type MeasuredJudgement } from './floors.ts'

/** What judgements must be before they may move a floor: enough, over different queries, of both kinds. */
export const MINIMUM = { judgements: 30, queries: 5, ofEachKind: 5 } as const
/** A better measure than this difference, by at least so many judgements more that come out right. */
const MINIMUM_GAIN = { measure: 0.03, judgements: 3 } as const

export type Verdict =
  /** The suggested floor is better, whichever single query is left out. */
  | { move: true }
  /** `few`: nothing can be said yet; `same`: the present floor does as well, as far as the judgements tell. */
  | { move: false; why: 'few' | 'same'; reason: string }

/** Whether judgements say enough to leave the present floor for the suggested one. */
export function floorVerdict(
  judged: readonly MeasuredJudgement[],
  current: FloorOutcome,
  suggested: FloorOutcome,
): Verdict {
  const missing = missingJudgements(judged)
  if (missing.length > 0) return { move: false, why: 'few', reason: `${missing.join(', ')} more` }
  if (current.floor === suggested.floor) return { move: false, why: 'same', reason: 'it is the best one' }
  const gain = right(suggested, judged) - right(current, judged)
  if (gain < MINIMUM_GAIN.judgements || suggested.measure - current.measure < MINIMUM_GAIN.measure) {
    const better =
      gain > 0 ? `${suggested.floor} would get only ${gain} more of ${judged.length} right` : 'no other gets more right'
    return { move: false, why: 'same', reason: better }
  }
  for (const query of new Set(judged.map((one) => one.query))) {
    const rest = judged.filter((one) => one.query !== query)
    if (floorOutcome(rest, suggested.floor).measure > floorOutcome(rest, current.floor).measure) continue
    return { move: false, why: 'same', reason: `only the query "${query}" speaks for ${suggested.floor}` }
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

/** Fitting reviews that appear and others that do not. */
function right(outcome: FloorOutcome, judged: readonly MeasuredJudgement[]): number {
  const unfit = judged.filter(({ fits }) => !fits).length
  return outcome.kept + unfit - outcome.wrong
}
