import type { Sql } from '../deps.ts'
import type { Embedder } from '../embed/embedder.ts'
import { CANDIDATE_LIMIT, type Candidate, type Penalty } from './rank.ts'
import type { Scope } from './scope.ts'
import { fetchExcerptTexts } from './sql/excerpt-rows.ts'

/** Tells whether a text is in another language than the query; never so where the model compares all languages alike. */
export function otherLanguageThan(q: string, { languages }: Pick<Embedder, 'languages'>): (text: string) => boolean {
  if (!languages) return () => false
  const asked = languages.possible(q)
  return (text) => (asked & languages.possible(text)) === 0
}

/**
 * What excerpts in another language than the query's lose in a ranking: the model's margin. Their score stays what it is, so
 * that they pass as before and appear where nothing else fits. The languages of the best {@link CANDIDATE_LIMIT} are looked
 * at, and those behind them lose it as well.
 *
 * @param ranked the best first
 * @returns undefined when none of them loses anything
 */
export async function languagePenalty(
  { sql, embedder }: { sql: Sql; embedder: Pick<Embedder, 'languages'> },
  scope: Scope,
  ranked: readonly Candidate[],
  inOtherLanguage: (text: string) => boolean,
): Promise<Penalty | undefined> {
  const { languages } = embedder
  if (!languages || ranked.length === 0) return undefined
  const texts = await fetchExcerptTexts(sql, scope, ranked.slice(0, CANDIDATE_LIMIT))
  const own = new Set([...texts].flatMap(([id, text]) => (inOtherLanguage(text) ? [] : id)))
  return own.size === texts.size ? undefined : (id) => (own.has(id) ? 0 : languages.margin)
}
