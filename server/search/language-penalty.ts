import type { LRUCache } from 'lru-cache'
import type { Sql } from '../deps.ts'
import type { Embedder } from '../embed/embedder.ts'
import { recentlyUsed } from '../recently-used.ts'
import type { Scope } from '../sql/scope.ts'
import {
  CANDIDATE_LIMIT,
  type Candidate,
  fuse,
  fusedParts,
  NO_PENALTY,
  type Penalty,
  type Ranked,
  TONE_WEIGHT,
} from './rank.ts'
import { fetchExcerptTexts } from './sql/excerpt-rows.ts'

/** The possible languages of excerpts seen by searches, keyed by excerpt id, which is derived from the text. */
export type LanguageCache = Pick<LRUCache<string, number>, 'get' | 'set' | 'has'>

/** At most about eight megabytes. */
const MOST_KNOWN = 50_000

export const createLanguageCache = (): LanguageCache => recentlyUsed(MOST_KNOWN)

/** Tells which excerpts are in another language than the query; none when the model compares all languages alike. */
export interface LanguageComparison {
  /** @param text if omitted, only a cached language counts */
  isOther(excerptId: string, text?: string): boolean
  /**
   * What excerpts in another language than the query lose in the ranking: the model's margin and any bonus for tone, which is
   * read from the English words that theirs map to (a tone penalty stays). Their score is unchanged, so they pass as before
   * and appear when nothing else fits. The languages of the best {@link CANDIDATE_LIMIT} are checked; those behind them are
   * penalised as well.
   * @param ranked best first
   * @param full the full page that they make without the penalty: only what can still reach it is checked
   */
  penalty(scope: Scope, ranked: readonly Candidate[], full?: readonly Ranked[]): Promise<Penalty>
}

export function compareLanguages(
  q: string,
  { sql, embedder, languageCache }: { sql: Sql; embedder: Pick<Embedder, 'languages'>; languageCache: LanguageCache },
): LanguageComparison {
  const { languages } = embedder
  if (!languages) return { isOther: () => false, penalty: async () => () => NO_PENALTY }
  const { margin } = languages
  const asked = languages.possible(q)
  const isOther = (id: string, text?: string) => {
    let possible = languageCache.get(id)
    if (possible === undefined && text !== undefined) {
      possible = languages.possible(text)
      languageCache.set(id, possible)
    }
    return possible !== undefined && (asked & possible) === 0
  }
  async function penalty(scope: Scope, ranked: readonly Candidate[], full: readonly Ranked[] = []): Promise<Penalty> {
    const least = (full.at(-1)?.fused ?? Number.NEGATIVE_INFINITY) - margin - TONE_WEIGHT
    const near = ranked.slice(0, CANDIDATE_LIMIT).filter((candidate) => fuse(candidate) >= least)
    const strange = near.filter(({ id }) => !languageCache.has(id))
    const texts = await fetchExcerptTexts(sql, scope, strange)
    const own = new Set(near.flatMap(({ id }) => (isOther(id, texts.get(id)) ? [] : id)))
    return (candidate) =>
      own.has(candidate.id) ? NO_PENALTY : { tone: Math.max(0, fusedParts(candidate).tone), language: margin }
  }
  return { isOther, penalty }
}
