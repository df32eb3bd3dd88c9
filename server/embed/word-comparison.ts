import { isMostlyKnown } from './builtin/word-numbers.ts'
import type { Embedder, WordComparison } from './embedder.ts'

/**
 * A model of another provider, whose candidates are compared with the query word by word by the built-in model. Texts in
 * languages that it does not know are neither raised nor lowered: the provider's model may know them, and two words that
 * are spelled differently may mean the same. There is no doubt about a query, which only the built-in model's vectors have.
 */
export function addWordComparison(embedder: Embedder, builtin: Pick<Embedder, 'coverage' | 'warm'>): Embedder {
  return { ...embedder, coverage: builtin.coverage && comparedWhereKnown(builtin.coverage), warm: builtin.warm }
}

function comparedWhereKnown(words: WordComparison): WordComparison {
  return {
    read: words.read,
    ask(query, languages) {
      const asked = words.ask(query, languages)
      const isKnown = isMostlyKnown(words.read(query))
      return {
        isQuestion: asked.isQuestion,
        coverage(texts) {
          const known = isKnown ? texts.filter(isMostlyKnown) : []
          const covered = asked.coverage(known)
          const mean = covered.reduce((sum, one) => sum + one, 0) / Math.max(1, covered.length)
          const each = covered.values()
          return texts.map((text) => (isKnown && isMostlyKnown(text) ? (each.next().value ?? 0) : mean))
        },
        doubt: () => undefined,
      }
    },
  }
}
