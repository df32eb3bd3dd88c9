import { type FloorOutcome, type Judged, outcomeOf } from './floors.ts'

/** What judgements must be before they may move a floor: enough, over different queries, of both kinds. */
export const ENOUGH = { judgements: 30, queries: 5, ofEachKind: 5 } as const
/** A better measure than this difference, by at least so many judgements more that come out right. */
export const MATTERS = { measure: 0.03, judgements: 3 } as const

export type Verdict =
  /** The suggested floor is better, whichever single query is left out. */
  | { move: true }
  /** `few`: nothing can be said yet; `same`: the present floor does as well, as far as the judgements tell. */
  | { move: false; why: 'few' | 'same'; reason: string }

/** Whether judgements say enough to leave the present floor for the suggested one. */
export function verdictOn(judged: readonly Judged[], current: FloorOutcome, suggested: FloorOutcome): Verdict {
  const lacking = lackOf(judged)
  if (lacking.length > 0) return { move: false, why: 'few', reason: `${lacking.join(', ')} more` }
  if (current.floor === suggested.floor) return { move: false, why: 'same', reason: 'it is the best one' }
  const gain = right(suggested, judged) - right(current, judged)
  if (gain < MATTERS.judgements || suggested.measure - current.measure < MATTERS.measure) {
    const better =
      gain > 0 ? `${suggested.floor} would get only ${gain} more of ${judged.length} right` : 'no other gets more right'
    return { move: false, why: 'same', reason: better }
  }
  for (const query of new Set(judged.map((one) => one.query))) {
    const rest = judged.filter((one) => one.query !== query)
    if (outcomeOf(rest, suggested.floor).measure > outcomeOf(rest, current.floor).measure) continue
    return { move: false, why: 'same', reason: `only the query "${query}" speaks for ${suggested.floor}` }
  }
  return { move: true }
}

function lackOf(judged: readonly Judged[]): string[] {
  const fitting = judged.filter(({ fits }) => fits).length
  const lacks: [missing: number, one: string, many: string][] = [
    [ENOUGH.judgements - judged.length, 'judgement', 'judgements'],
    [ENOUGH.queries - new Set(judged.map(({ query }) => query)).size, 'query', 'queries'],
    [ENOUGH.ofEachKind - fitting, 'review that fits', 'reviews that fit'],
    [ENOUGH.ofEachKind - (judged.length - fitting), 'review that does not fit', 'reviews that do not fit'],
  ]
  return lacks.flatMap(([missing, one, many]) => (missing > 0 ? [`${missing} ${missing === 1 ? one : many}`] : []))
}

/** Fitting reviews that appear and others that do not. */
function right(outcome: FloorOutcome, judged: readonly Judged[]): number {
  const unfit = judged.filter(({ fits }) => !fits).length
  return outcome.kept + unfit - outcome.wrong
}
