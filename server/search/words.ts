import { GENERIC_WORDS, KIND_OF_BUSINESS_WORDS } from './generic-words.ts'

// The same breaks as PostgreSQL's parser makes after `excerpt_lexemes` has cleared what misleads it.
const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** A lone letter or digit of an alphabet says nothing; a lone ideograph is a word. */
const LONE_CHARACTER = /^(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]|\p{N})$/u

/**
 * The words of a query that count as matches in a text: lower-cased, each once, in the order they stand, without generic
 * words (`generic-words.ts`). Empty when the query has none, and then no excerpt matches by words.
 */
export function queryWords(q: string): string[] {
  const all = [...new Set(q.normalize('NFC').toLowerCase().match(WORD) ?? [])]
  const telling = all.filter((word) => !LONE_CHARACTER.test(word) && !GENERIC_WORDS.has(word))
  const specific = telling.filter((word) => !KIND_OF_BUSINESS_WORDS.has(word))
  return specific.length > 0 ? specific : telling
}

/** A query's words as one text-search configuration stems them. */
export interface WordForms {
  config: string
  /** The stem of each word, in order; empty for a stop word of the configuration's language. */
  stems: string[]
}

/** How many different stems an excerpt must contain to match at least half of the words; 0 when there are none. */
export function halfOf({ stems }: WordForms): number {
  return Math.ceil(new Set(stems.filter((stem) => stem !== '')).size / 2)
}
