import { LRUCache } from 'lru-cache'
import type { Sql } from '../deps.ts'
import type { Embedder } from '../embed/embedder.ts'
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

/** The languages of excerpts that searches have met, by their ids, which are made of the texts. */
export type KnownLanguages = Pick<LRUCache<string, number>, 'get' | 'set' | 'has'>

/** Eight megabytes or so. */
const MOST_KNOWN = 50_000

export const createKnownLanguages = (): KnownLanguages => new LRUCache({ max: MOST_KNOWN })

/** Tells which excerpts are in another language than a query; none where the model compares all languages alike. */
export interface LanguageComparison {
  /** @param text without it only what is known already counts */
  isOther(excerptId: string, text?: string): boolean
  /**
   * What excerpts in another language than the query's lose in a ranking: the model's margin, and what their tone adds, which is
   * read from English words that theirs stand for; what it takes off stays off. Their score stays what it is, so
   * that they pass as before and appear where nothing else fits. The languages of the best {@link CANDIDATE_LIMIT} are looked
   * at, and those behind them lose it as well.
   *
   * @param ranked the best first
   * @param full the page that they make without it: only what can still reach it is looked at
   */
  penalty(scope: Scope, ranked: readonly Candidate[], full?: readonly Ranked[]): Promise<Penalty>
}

export function compareLanguages(
  q: string,
  { sql, embedder, known }: { sql: Sql; embedder: Pick<Embedder, 'languages'>; known: KnownLanguages },
): LanguageComparison {
  const { languages } = embedder
  if (!languages) return { isOther: () => false, penalty: async () => () => NO_PENALTY }
  const { margin } = languages
  const asked = languages.possible(q)
  const isOther = (id: string, text?: string) => {
    let possible = known.get(id)
    if (possible === undefined && text !== undefined) {
      possible = languages.possible(text)
      known.set(id, possible)
    }
    return possible !== undefined && (asked & possible) === 0
  }
  async function penalty(scope: Scope, ranked: readonly Candidate[], full: readonly Ranked[] = []): Promise<Penalty> {
    const least = (full.at(-1)?.fused ?? Number.NEGATIVE_INFINITY) - margin - TONE_WEIGHT
    const near = ranked.slice(0, CANDIDATE_LIMIT).filter((candidate) => fuse(candidate) >= least)
    const strange = near.filter(({ id }) => !known.has(id))
    const texts = strange.length === 0 ? new Map<string, string>() : await fetchExcerptTexts(sql, scope, strange)
    const own = new Set(near.flatMap(({ id }) => (isOther(id, texts.get(id)) ? [] : id)))
    return (candidate) =>
      own.has(candidate.id) ? NO_PENALTY : { tone: Math.max(0, fusedParts(candidate).tone), language: margin }
  }
  return { isOther, penalty }
}
