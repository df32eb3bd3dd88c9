import type { Bars } from './policy.ts'

/** An excerpt that may be a match. */
export interface Candidate {
  /** The excerpt's id. */
  id: string
  reviewId: string
  /** Position of the excerpt in its review. */
  ordinal: number
  /** Cosine similarity to the query. */
  cosine: number
  /** Whether it matches at least half of the query's words, generic words not counted. */
  matchesHalf: boolean
  /** Full-text rank; null when it matches none of the query's words. Only its order means something. */
  textRank: number | null
}

export interface Ranked extends Candidate {
  fused: number
}

/**
 * The constant of reciprocal-rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): the larger, the less a first place
 * counts against a tenth. Their 60, with both lists counting the same, was worse than the vectors alone on the
 * development sets (`bench/relevance`): DSTC MAP .667 against .738, because few words match in texts of one sentence.
 */
export const RRF_CONSTANT = 10
/** What a place by words counts against one by meaning: with 10 and 0.1, DSTC MAP .739, SubjQA MRR .496 for .491. */
export const TEXT_WEIGHT = 0.1
/**
 * How many places of each list count. Among the first 20 results, the longest page, nothing could stand that is below
 * place 100 in both lists: 1.1 / (10 + 101) is less than 1 / (10 + 20).
 */
export const LIST_LENGTH = 100

/**
 * Fuses the order by meaning with the order by words, and keeps what is relevant.
 *
 * An excerpt passes at the floor, or at the word tier when it matches half of the query's words. Those that pass stand
 * in a list by cosine, and those of them that match any word in a list by full-text rank; each place `p` of the first
 * {@link LIST_LENGTH} adds `1 / (RRF_CONSTANT + p)`, by words that times {@link TEXT_WEIGHT}. Equal values share a place, so that many excerpts with the same
 * words gain the same. The fused sum orders the result; ties go to the higher cosine, then to the lower review id and
 * the earlier excerpt, so that a repeated query returns the same order.
 *
 * @param options.onePerReview keeps each review's best excerpt only
 * @returns at most `options.limit` excerpts, best first; never padded
 */
export function rank(
  candidates: readonly Candidate[],
  bars: Bars,
  options: { limit: number; onePerReview: boolean },
): Ranked[] {
  const passing = candidates.filter((candidate) => passes(candidate, bars))
  const byCosine = places(passing, (candidate) => candidate.cosine)
  const byText = places(passing, (candidate) => candidate.textRank)
  const fused = passing
    .map((candidate) => ({
      ...candidate,
      fused: share(byCosine.get(candidate)) + TEXT_WEIGHT * share(byText.get(candidate)),
    }))
    .sort((a, b) => b.fused - a.fused || byCosineThenId(a, b))
  return (options.onePerReview ? firstOfEachReview(fused) : fused).slice(0, options.limit)
}

/** Whether an excerpt is a match at all. */
export function passes(candidate: Pick<Candidate, 'cosine' | 'matchesHalf'>, bars: Bars): boolean {
  return candidate.cosine >= bars.floor || (candidate.matchesHalf && candidate.cosine >= bars.wordTier)
}

const DECIMALS = 1e6

/**
 * The cosine as the API shows it: within [0, 1], six decimals, and never rounded below the bar it had to clear.
 */
export function scoreOf(cosine: number, bars: Bars): number {
  const bar = cosine >= bars.floor ? bars.floor : bars.wordTier
  return Math.min(1, Math.max(0, bar, Math.round(cosine * DECIMALS) / DECIMALS))
}

function share(place: number | undefined): number {
  return place === undefined ? 0 : 1 / (RRF_CONSTANT + place)
}

/** Places from 1 in descending order of `value`, equal values sharing one; candidates without a value have no place. */
function places(
  candidates: readonly Candidate[],
  value: (candidate: Candidate) => number | null,
): Map<Candidate, number> {
  const list = candidates.flatMap((candidate) => {
    const of = value(candidate)
    return of === null ? [] : [{ candidate, of }]
  })
  list.sort((a, b) => b.of - a.of || byCosineThenId(a.candidate, b.candidate))
  const found = new Map<Candidate, number>()
  let place = 1
  for (const [i, { candidate, of }] of list.slice(0, LIST_LENGTH).entries()) {
    if (of !== list[i - 1]?.of) place = i + 1
    found.set(candidate, place)
  }
  return found
}

function byCosineThenId(a: Candidate, b: Candidate): number {
  if (a.cosine !== b.cosine) return b.cosine - a.cosine
  if (a.reviewId !== b.reviewId) return a.reviewId < b.reviewId ? -1 : 1
  return a.ordinal - b.ordinal
}

function firstOfEachReview(ranked: Ranked[]): Ranked[] {
  const seen = new Set<string>()
  return ranked.filter(({ reviewId }) => !seen.has(reviewId) && seen.add(reviewId))
}
