import { DEFAULT_SIMILARITY_FLOOR } from '../../src/contract/limits.ts'
import type { Sql } from '../deps.ts'
import type { Doubt, Embedder } from '../embed/embedder.ts'
import { recentlyUsed } from '../recently-used.ts'
import type { ToneReader } from '../sentiment/sentiment.ts'
import type { Scope } from '../sql/scope.ts'
import { thresholdsOf } from './policy.ts'
import { type Candidate, passes } from './rank.ts'
import { fetchExcerptTexts } from './sql/excerpt-rows.ts'

/** What is cached of an excerpt. */
export interface ReadExcerpt {
  words: Int32Array
  tone: number
}

/** Excerpts seen by searches, keyed by id, which is derived from the text. */
export interface ExcerptCache {
  get(excerptId: string): ReadExcerpt | undefined
  set(excerptId: string, read: ReadExcerpt): unknown
}

const DEFAULT_THRESHOLDS = thresholdsOf(DEFAULT_SIMILARITY_FLOOR)
/** At most about ten megabytes. */
const MOST_KNOWN = 30_000
/**
 * How many of the first candidates get a second look: two pages, so that one whose vector scored a little too low can rise.
 */
export const SECOND_LOOK_LIMIT = 40

export const createExcerptCache = (): ExcerptCache => recentlyUsed<ReadExcerpt>(MOST_KNOWN)

/** The result of a second look. */
export interface SecondLookResult {
  /** The given candidates with `coverage` and `tone`, and reduced cosines. */
  candidates: Candidate[]
  /** What reduces every cosine, also of excerpts that were not given. */
  doubt: Doubt | undefined
}

/**
 * A closer look at the first candidates, word by word. They are ordered by how much of the query each covers; the others have
 * no coverage and stay behind. A query that is not a question takes a side: excerpts about it in the opposite tone rank
 * lower. If none of them mentions what the query is about, all cosines are reduced. Does nothing when the model does not
 * compare words.
 * @param ranked best first, in the order of `fuse`
 * @param met called for every excerpt that had to be fetched
 */
export type SecondLook = (
  scope: Scope,
  ranked: readonly Candidate[],
  met?: (excerptId: string, text: string) => void,
) => Promise<SecondLookResult>

export interface SecondLookDeps {
  sql: Sql
  embedder: Pick<Embedder, 'coverage'>
  tone: ToneReader
  excerptCache: ExcerptCache
}

/** @param languages those of the excerpts, see `Embedder.embed` */
export function createSecondLook(
  q: string,
  languages: readonly string[],
  { sql, embedder, tone, excerptCache }: SecondLookDeps,
): SecondLook {
  const { coverage } = embedder
  if (!coverage) return async (_scope, ranked) => ({ candidates: [...ranked], doubt: undefined })
  const asked = coverage.ask(q, languages)
  const wished = asked.isQuestion ? 0 : tone.wishedBy(q)
  return async function look(scope, ranked, met) {
    const first = ranked.slice(0, SECOND_LOOK_LIMIT)
    const read = new Map<string, ReadExcerpt>()
    for (const { id } of first) {
      const kept = excerptCache.get(id)
      if (kept) read.set(id, kept)
    }
    const strange = first.filter(({ id }) => !read.has(id))
    const texts = await fetchExcerptTexts(sql, scope, strange)
    for (const [id, text] of texts) {
      const found = { words: coverage.read(text), tone: tone.of(text) }
      read.set(id, found)
      excerptCache.set(id, found)
      met?.(id, text)
    }
    // Those that pass at the default floor, if any: a lower floor lets more in, which is no reason to doubt less.
    const telling = first.filter((candidate) => passes(candidate, DEFAULT_THRESHOLDS))
    const readings = (telling.length > 0 ? telling : first).flatMap(({ id }) => read.get(id)?.words ?? [])
    // Excerpts deleted meanwhile have no text, which is no reason to doubt the others.
    const doubt = readings.length === 0 ? undefined : asked.doubt(readings)
    // In rank order whatever was cached, so that sums are the same to the last bit.
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
