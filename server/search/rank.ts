import type { Thresholds } from './policy.ts'

/** An excerpt that may be a match. */
export interface Candidate {
  id: string
  reviewId: string
  /** Position of the excerpt in its review. */
  ordinal: number
  /** Cosine similarity to the query. */
  cosine: number
  /** Whether it contains at least half of the query's words, not counting generic words. */
  matchesHalf: boolean
  /**
   * Full-text rank in (0, 1]: the share of the query's words that it contains, each weighted by its rarity among the
   * excerpts nearest to the query. Null when it contains none.
   */
  textRank: number | null
  /** How much of the query it covers, word by word, from 0 to 1; only for those that got a second look (`second-look.ts`). */
  coverage?: number
  /** How well its tone agrees with the query's, from -1 (opposite) to 1; for the same ones. */
  tone?: number
}

export interface Ranked extends Candidate {
  fused: number
}

/** What is subtracted from an excerpt's fused rank: for its `tone` of {@link fusedParts}, and for its language. */
export type Penalty = (candidate: Candidate) => { tone: number; language: number }

export const NO_PENALTY = { tone: 0, language: 0 }

/**
 * Weight of the full-text rank: all of the query's words lift an excerpt past another whose cosine is 0.02 higher. A
 * weighted sum keeps what reciprocal rank fusion discards, how much nearer one excerpt is than the next (Bruch, Gai and
 * Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023). On the development sets
 * (`bench/relevance`) reciprocal ranks were at best level with the vectors alone; this is ahead on all of them.
 */
export const TEXT_WEIGHT = 0.02
/**
 * Weight of full coverage of the query. Questions about one business, titles of held-out trades and other languages
 * gain up to .5 and beyond, SubjQA's questions lose from .25 on: here each is within .005 of its best.
 */
const COVERAGE_WEIGHT = 0.35
/**
 * Bonus for the tone that a query asks for in an excerpt that covers all of it, and penalty for the opposite tone; scaled
 * by coverage, since the tone of a partial match may be about something else. Halves of the judged businesses gain up
 * to .4, titles lose from .3 on (`bench/RESULTS.md`). Below the weight of coverage, so that nothing falls behind
 * excerpts without a second look.
 */
export const TONE_WEIGHT = 0.25
/** Exponent of a word's inverse document frequency: a word that half of the nearest excerpts have hardly counts. */
export const IDF_POWER = 3
/** How many excerpts are ranked: enough for a page of 20 with several excerpts of one review. */
export const CANDIDATE_LIMIT = 100
/**
 * How many of the nearest excerpts by cosine are examined for the query's words; a word is rare when few of these have it.
 */
export const NEAREST_LIMIT = 1_000

const sum = ({ tone, language }: ReturnType<Penalty>) => tone + language

type Fused = Pick<Candidate, 'cosine' | 'textRank' | 'coverage' | 'tone'>

/** Cosine, words and tone in one number, the sort key of a search. */
export function fuse(candidate: Fused): number {
  const { words, coverage, tone } = fusedParts(candidate)
  return candidate.cosine + words + coverage + tone
}

/** What its words, coverage and tone add to its cosine. */
export function fusedParts({ textRank, coverage = 0, tone = 0 }: Omit<Fused, 'cosine'>) {
  return {
    words: TEXT_WEIGHT * (textRank ?? 0),
    coverage: COVERAGE_WEIGHT * coverage,
    tone: TONE_WEIGHT * coverage * tone,
  }
}

/**
 * Keeps the excerpts that pass and sorts them by fused rank less penalty. A penalty excludes nothing.
 *
 * An excerpt passes at the floor, or at the word tier when it has half of the query's words. Ties go to the higher cosine,
 * then to the lower review id and the earlier excerpt, so that a repeated query returns the same order.
 * @param options.onePerReview keeps only each review's best excerpt
 * @returns at most `options.limit` excerpts, best first; never padded
 */
export function rank(
  candidates: readonly Candidate[],
  thresholds: Thresholds,
  options: { limit: number; onePerReview: boolean; penalty?: Penalty | undefined },
): Ranked[] {
  const { penalty = () => NO_PENALTY } = options
  const fused = candidates
    .filter((candidate) => passes(candidate, thresholds))
    .map((candidate) => ({ ...candidate, fused: fuse(candidate) - sum(penalty(candidate)) }))
    .sort((a, b) => b.fused - a.fused || byCosineThenId(a, b))
  return (options.onePerReview ? firstOfEachReview(fused) : fused).slice(0, options.limit)
}

/**
 * Whether no excerpt up to the horizon, the highest cosine that an unexamined excerpt can have, could be among these:
 * the page is full, and its last is ahead of an excerpt at the horizon with all of the words. A tie counts as settled,
 * since the examined excerpts win it.
 */
export function isSettled(ranked: readonly Ranked[], limit: number, horizon: number | null): boolean {
  if (horizon === null) return true
  const last = ranked[limit - 1]
  return last !== undefined && last.fused >= fuse({ cosine: horizon, textRank: 1 })
}

/** Whether an excerpt is a match at all. */
export function passes(candidate: Pick<Candidate, 'cosine' | 'matchesHalf'>, thresholds: Thresholds): boolean {
  return candidate.cosine >= thresholds.floor || (candidate.matchesHalf && candidate.cosine >= thresholds.wordTier)
}

const DECIMALS = 1e6

/** The cosine as the API shows it: within [0, 1], six decimals, and never rounded below the threshold it had to clear. */
export function apiScore(cosine: number, thresholds: Thresholds): number {
  const threshold = cosine >= thresholds.floor ? thresholds.floor : thresholds.wordTier
  return Math.min(1, Math.max(0, threshold, Math.round(cosine * DECIMALS) / DECIMALS))
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
