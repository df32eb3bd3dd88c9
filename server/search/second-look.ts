import { LRUCache } from 'lru-cache'
import { DEFAULT_SIMILARITY_FLOOR } from '../../src/contract/limits.ts'
import type { Sql } from '../deps.ts'
import type { Doubt, Embedder } from '../embed/embedder.ts'
import type { ToneReader } from '../sentiment/sentiment.ts'
import type { Scope } from '../sql/scope.ts'
import { thresholdsOf } from './policy.ts'
import { type Candidate, passes } from './rank.ts'
import { fetchExcerptTexts } from './sql/excerpt-rows.ts'

/** What is kept of an excerpt that was read. */
export interface ReadExcerpt {
  words: Int32Array
  tone: number
}

/** Excerpts that searches have met, by their ids, which are made of the texts. */
export interface KnownExcerpts {
  get(excerptId: string): ReadExcerpt | undefined
  set(excerptId: string, read: ReadExcerpt): unknown
}

const DEFAULT_THRESHOLDS = thresholdsOf(DEFAULT_SIMILARITY_FLOOR)
/** Ten megabytes or so. */
const MOST_KNOWN = 30_000
/** How many of the first candidates are looked at: two pages, so that what a vector put a little too low comes up. */
export const LOOKED_AT = 40

export const createKnownExcerpts = (): KnownExcerpts => new LRUCache({ max: MOST_KNOWN })

/** What a second look found. */
export interface LookedAt {
  /** Those that it was given, with how much of the query they say (`coverage`), in which tone, and what is left of their cosines. */
  candidates: Candidate[]
  /** What lessens every cosine, of those not given as well. */
  doubt: Doubt | undefined
}

/**
 * A closer look at the first candidates of a query, by the words that they were found with. How much of the query each
 * says orders them; the others keep none, so that they stay behind. A query that is no question wishes for one side: what
 * says it in the other tone stands further back. And a query about what none of them says loses on all of its cosines.
 * Nothing of it where the model compares no words.
 *
 * @param ranked the best first, as `fuse` orders them before
 * @param met is told of every excerpt that had to be read
 */
export type SecondLook = (
  scope: Scope,
  ranked: readonly Candidate[],
  met?: (excerptId: string, text: string) => void,
) => Promise<LookedAt>

export interface SecondLookDeps {
  sql: Sql
  embedder: Pick<Embedder, 'coverage'>
  tone: ToneReader
  known: KnownExcerpts
}

export function createSecondLook(q: string, { sql, embedder, tone, known }: SecondLookDeps): SecondLook {
  const { coverage } = embedder
  if (!coverage) return async (_scope, ranked) => ({ candidates: [...ranked], doubt: undefined })
  const asked = coverage.ask(q)
  const wished = asked.isQuestion ? 0 : tone.wishedBy(q)
  return async function look(scope, ranked, met) {
    const first = ranked.slice(0, LOOKED_AT)
    const read = new Map<string, ReadExcerpt>()
    for (const { id } of first) {
      const kept = known.get(id)
      if (kept) read.set(id, kept)
    }
    const strange = first.filter(({ id }) => !read.has(id))
    const texts = strange.length === 0 ? new Map<string, string>() : await fetchExcerptTexts(sql, scope, strange)
    for (const [id, text] of texts) {
      const found = { words: coverage.read(text), tone: tone.of(text) }
      read.set(id, found)
      known.set(id, found)
      met?.(id, text)
    }
    // Those that pass by the default floor, if any do: a lower one lets more in, which is no reason to doubt less.
    const telling = first.filter((candidate) => passes(candidate, DEFAULT_THRESHOLDS))
    const readings = (telling.length > 0 ? telling : first).flatMap(({ id }) => read.get(id)?.words ?? [])
    // What was deleted meanwhile says nothing, and that is no reason to doubt the others.
    const doubt = readings.length === 0 ? undefined : asked.doubt(readings)
    // In the order that they are ranked in, whatever was read before, so that sums are the same to the last bit.
    const there = first.flatMap(({ id }) => {
      const found = read.get(id)
      return found ? { id, ...found } : []
    })
    const said = asked.coverage(there.map(({ words }) => words))
    const looks = new Map(there.map(({ id, tone }, i) => [id, { coverage: said[i] ?? 0, tone: wished * tone }]))
    const candidates = ranked.map((candidate) => {
      const looked = { ...candidate, ...looks.get(candidate.id) }
      return doubt ? { ...looked, cosine: doubt.lessen(candidate.cosine) } : looked
    })
    return { candidates, doubt }
  }
}
