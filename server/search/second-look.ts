import { LRUCache } from 'lru-cache'
import type { Sql } from '../deps.ts'
import type { Embedder } from '../embed/embedder.ts'
import type { Scope } from '../sql/scope.ts'
import type { Candidate } from './rank.ts'
import { fetchExcerptTexts } from './sql/excerpt-rows.ts'

/** The words of excerpts that searches have met, by the excerpts' ids, which are made of the texts. */
export interface KnownWords {
  get(excerptId: string): Int32Array | undefined
  set(excerptId: string, words: Int32Array): unknown
}

/** Ten megabytes or so. */
const MOST_KNOWN = 30_000
/** How many of the first candidates are looked at: two pages, so that what a vector put a little too low comes up. */
export const LOOKED_AT = 40

export const createKnownWords = (): KnownWords => new LRUCache({ max: MOST_KNOWN })

/**
 * A closer look at the first candidates of a query, by the words that they were found with: how much of the query each
 * says (`coverage`). The others keep none, so that they stay behind. All of them where the model compares no words.
 *
 * @param ranked the best first, as `fuse` orders them before
 * @param met is told of every excerpt that had to be read
 */
export type SecondLook = (
  scope: Scope,
  ranked: readonly Candidate[],
  met?: (excerptId: string, text: string) => void,
) => Promise<Candidate[]>

export function createSecondLook(
  q: string,
  { sql, embedder, known }: { sql: Sql; embedder: Pick<Embedder, 'coverage'>; known: KnownWords },
): SecondLook {
  const { coverage } = embedder
  if (!coverage) return async (_scope, ranked) => [...ranked]
  const coverageOf = coverage.ask(q)
  return async function look(scope, ranked, met) {
    // Alone it can lose its place to none.
    const first = ranked.length > 1 ? ranked.slice(0, LOOKED_AT) : []
    const words = new Map<string, Int32Array>()
    for (const { id } of first) {
      const read = known.get(id)
      if (read) words.set(id, read)
    }
    const strange = first.filter(({ id }) => !words.has(id))
    const texts = strange.length === 0 ? new Map<string, string>() : await fetchExcerptTexts(sql, scope, strange)
    for (const [id, text] of texts) {
      const read = coverage.read(text)
      words.set(id, read)
      known.set(id, read)
      met?.(id, text)
    }
    return ranked.map((candidate) => {
      const read = words.get(candidate.id)
      return read ? { ...candidate, coverage: coverageOf(read) } : candidate
    })
  }
}
