import { LRUCache } from 'lru-cache'
import { DEFAULT_SIMILARITY_FLOOR } from '../../src/contract/limits.ts'
import type { Sql } from '../deps.ts'
import type { Doubt, Embedder } from '../embed/embedder.ts'
import type { Scope } from '../sql/scope.ts'
import { thresholdsOf } from './policy.ts'
import { type Candidate, passes } from './rank.ts'
import { fetchExcerptTexts } from './sql/excerpt-rows.ts'

/** The words of excerpts that searches have met, by the excerpts' ids, which are made of the texts. */
export interface KnownWords {
  get(excerptId: string): Int32Array | undefined
  set(excerptId: string, words: Int32Array): unknown
}

const DEFAULT_THRESHOLDS = thresholdsOf(DEFAULT_SIMILARITY_FLOOR)
/** Ten megabytes or so. */
const MOST_KNOWN = 30_000
/** How many of the first candidates are looked at: two pages, so that what a vector put a little too low comes up. */
export const LOOKED_AT = 40

export const createKnownWords = (): KnownWords => new LRUCache({ max: MOST_KNOWN })

/** What a second look found. */
export interface LookedAt {
  /** Those that it was given, with how much of the query they say (`coverage`) and what is left of their cosines. */
  candidates: Candidate[]
  /** What lessens every cosine, of those not given as well. */
  doubt: Doubt | undefined
}

/**
 * A closer look at the first candidates of a query, by the words that they were found with. How much of the query each
 * says orders them; the others keep none, so that they stay behind. And a query about what none of them says loses on all
 * of its cosines. Nothing of it where the model compares no words.
 *
 * @param ranked the best first, as `fuse` orders them before
 * @param met is told of every excerpt that had to be read
 */
export type SecondLook = (
  scope: Scope,
  ranked: readonly Candidate[],
  met?: (excerptId: string, text: string) => void,
) => Promise<LookedAt>

export function createSecondLook(
  q: string,
  { sql, embedder, known }: { sql: Sql; embedder: Pick<Embedder, 'coverage'>; known: KnownWords },
): SecondLook {
  const { coverage } = embedder
  if (!coverage) return async (_scope, ranked) => ({ candidates: [...ranked], doubt: undefined })
  const asked = coverage.ask(q)
  return async function look(scope, ranked, met) {
    const first = ranked.slice(0, LOOKED_AT)
    const words = new Map<string, Int32Array>()
    for (const { id } of first) {
      const kept = known.get(id)
      if (kept) words.set(id, kept)
    }
    const strange = first.filter(({ id }) => !words.has(id))
    const texts = strange.length === 0 ? new Map<string, string>() : await fetchExcerptTexts(sql, scope, strange)
    for (const [id, text] of texts) {
      const found = coverage.read(text)
      words.set(id, found)
      known.set(id, found)
      met?.(id, text)
    }
    // Those that pass by the default floor, if any do: a lower one lets more in, which is no reason to doubt less.
    const telling = first.filter((candidate) => passes(candidate, DEFAULT_THRESHOLDS))
    const readings = (telling.length > 0 ? telling : first).flatMap(({ id }) => words.get(id) ?? [])
    // What was deleted meanwhile says nothing, and that is no reason to doubt the others.
    const doubt = readings.length === 0 ? undefined : asked.doubt(readings)
    // In the order that they are ranked in, whatever was read before, so that sums are the same to the last bit.
    const read = first.flatMap(({ id }) => words.get(id) ?? [])
    const said = asked.coverage(read)
    const covered = new Map(first.filter(({ id }) => words.has(id)).map(({ id }, i) => [id, said[i]]))
    const candidates = ranked.map((candidate) => {
      const coverage = covered.get(candidate.id)
      const looked = coverage === undefined ? candidate : { ...candidate, coverage }
      return doubt ? { ...looked, cosine: doubt.lessen(candidate.cosine) } : looked
    })
    return { candidates, doubt }
  }
}
