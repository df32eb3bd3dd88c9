import { isGrammar, piecesOf, UNSPACED_RUN } from '../unspaced-scripts.ts'
import { markNames } from './business-names.ts'
import { GENERIC_WORDS, KIND_OF_BUSINESS_WORDS, SETTING_WORDS } from './generic-words.ts'
import type { Thresholds } from './policy.ts'

// The same breaks as `excerpt_lexemes` makes, by its own rules and by PostgreSQL's parser.
const WORD = new RegExp(`${UNSPACED_RUN}|(?:(?!${UNSPACED_RUN})[\\p{L}\\p{M}\\p{N}])+`, 'gu')
/** A lone letter or digit of an alphabet says nothing; a lone ideograph is a word. */
const LONE_CHARACTER = /^(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]|\p{N})$/u
/** Each word costs a look at every near excerpt; a question of more words than these is an essay. */
const MOST_WORDS = 32
/** "check-in", "check in" and "checkin" are one topic, which the text search knows as "check"; alone "check" is a request. */
const CHECK_IN = /\bcheck(?:(?:ed|ing)?[ \u00a0\u2010-\u2013-](?:in|out)s?|ins?)\b/giu
/** As `excerpt_lexemes` joins it. */
const WI_FI = /\bwi[ /\\._@<>&~\u00a0\u2010-\u2013-]fi\b/giu
/** A kind of business in a topic's words. */
const BED_AND_BREAKFAST = /\bbed (?:and|&|n) breakfasts?\b/giu

export interface QueryWord {
  /** Lower-cased. */
  text: string
  /** Whether it counts towards the half of the words that opens the word tier; the others help to rank only. */
  counts: boolean
}

/**
 * The words of a query that tell something: each once, in the order they stand, without generic words
 * (`generic-words.ts`) and names, {@link MOST_WORDS} at most. Empty when the query has none, and then no excerpt matches by words.
 */
export function queryWords(q: string): QueryWord[] {
  const plain = q.normalize('NFC').replace(BED_AND_BREAKFAST, 'guesthouse')
  const composed = plain.replace(CHECK_IN, 'check').replace(WI_FI, 'wifi')
  const placed = [...composed.matchAll(WORD)].flatMap(({ 0: run, index }) =>
    piecesOf(run).map((typed) => ({ typed, lower: typed.toLowerCase(), start: index })),
  )
  const names = markNames(composed, placed, (word) => KIND_OF_BUSINESS_WORDS.has(word))
  const telling = unique(placed.map(({ lower }) => lower)).filter((word) => isInformative(word))
  const common = new Set(placed.flatMap(({ lower }, i) => (names[i] ? [] : [lower])))
  const specific = telling.filter((word) => !KIND_OF_BUSINESS_WORDS.has(word))
  const unnamed = specific.filter((word) => common.has(word))
  const [words = []] = [unnamed, specific, telling].filter((some) => some.length > 0)
  const checksIn = words.length > 0 && q.search(CHECK_IN) >= 0
  const allGrammar = words.every((word) => isGrammar(word))
  const counts = (word: string) =>
    (!SETTING_WORDS.has(word) || (checksIn && word === 'check')) && (allGrammar || !isGrammar(word))
  return words.slice(0, MOST_WORDS).map((text) => ({ text, counts: counts(text) }))
}

function isInformative(word: string): boolean {
  return !LONE_CHARACTER.test(word) && !GENERIC_WORDS.has(word)
}

/** A query's words as one text-search configuration stems them. */
export interface WordForms {
  config: string
  /** The stem of each word, in order; empty for a stop word of the configuration's language. */
  stems: string[]
  /** Which of the words count. */
  counts: boolean[]
}

/** The stems, each where it stands first; empty in other places. */
function distinctStems({ stems }: Pick<WordForms, 'stems'>): string[] {
  return stems.map((stem, i) => (stems.indexOf(stem) === i ? stem : ''))
}

/** Places of the words that some configuration does not leave out, and which of these count; the forms with distinct stems. */
export function queryPositions(every: readonly WordForms[]) {
  const forms = every.map((form) => ({ ...form, stems: distinctStems(form) }))
  const positions = (forms[0]?.stems ?? []).flatMap((_, i) => (forms.some(({ stems }) => stems[i] !== '') ? [i] : []))
  return { forms, positions, counted: positions.flatMap((position, i) => (every[0]?.counts[position] ? [i] : [])) }
}

/** How many different stems of words that count an excerpt must contain to match at least half; 0 when there are none. */
export function requiredMatches(form: WordForms): number {
  return Math.ceil(distinctStems(form).filter((stem, i) => stem !== '' && form.counts[i]).length / 2)
}

/** The largest distance at which an excerpt may pass. */
export function maxDistance(forms: readonly WordForms[], thresholds: Thresholds): number {
  const hasWords = forms.some((form) => distinctStems(form).some((stem) => stem !== ''))
  return 1 - (hasWords ? thresholds.wordTier : thresholds.floor)
}

const unique = (words: readonly string[]): string[] => [...new Set(words)]
