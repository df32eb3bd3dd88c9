import type { EmbeddingLanguages } from '../embed/embedder.ts'
import { POINTS } from '../points.ts'
import { languagesOfConfig } from '../sql/excerpts/text-config.ts'
import { isGrammar, piecesOf, UNSPACED_RUN } from '../unspaced-scripts.ts'
import { markNames } from './business-names.ts'
import { GENERIC_WORDS, KIND_OF_BUSINESS_WORDS, SETTING_WORDS } from './generic-words.ts'
import type { Thresholds } from './policy.ts'

// The same word boundaries as in `excerpt_lexemes`, which come from its own rules and PostgreSQL's parser.
const WORD = new RegExp(`${UNSPACED_RUN}|(?:(?!${UNSPACED_RUN})[\\p{L}\\p{M}\\p{N}])+`, 'gu')
/** A lone letter of an alphabet or a lone digit says nothing; a lone ideograph is a word. */
const LONE_CHARACTER = /^(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]|\p{N})$/u
/** Each word costs a check of every near excerpt; a question of more words is an essay. */
const MOST_WORDS = 32
/**
 * Of translated words more than half must match from here on: "charging station for electric cars" found a guest who was fetched
 * from the station by car. Of three half is two; with both of two, MAP across languages fell from .65 to .47.
 */
const SEVERAL = 4
/** "check-in", "check in" and "checkin" are one topic, which the text search knows as "check"; "check" alone is a request. */
const CHECK_IN = /\bcheck(?:(?:ed|ing)?[ \u00a0\u2010-\u2013-](?:in|out)s?|ins?)\b/giu
/** Joined as in `excerpt_lexemes`. */
const WI_FI = /\bwi[ /\\._@<>&~\u00a0\u2010-\u2013-]fi\b/giu
/** A kind of business spelled with the words of a topic. */
const BED_AND_BREAKFAST = /\bbed (?:and|&|n) breakfasts?\b/giu

/** What excerpts in other languages have for a word, by way of the English one that it mainly is. */
interface Abroad {
  /** The languages that the query may be in (ISO 639-1); in these it is looked up as typed. */
  languages: readonly string[]
  english: string
  /** Its words in a language. */
  wordsIn(language: string): readonly string[]
}

export interface QueryWord {
  /** Lower-cased. */
  text: string
  /** Whether it counts towards the half of the words that opens the word tier; the others only affect ranking. */
  counts: boolean
  /** Missing where the embedding model does not know it. */
  abroad?: Abroad
}

/**
 * The informative words of a query, each once and in order: without generic words (`generic-words.ts`) and names, at
 * most {@link MOST_WORDS}. When it is empty, no excerpt matches by words.
 */
export function queryWords(q: string): QueryWord[] {
  const plain = q.normalize('NFC').replace(POINTS, '').replace(BED_AND_BREAKFAST, 'guesthouse')
  const composed = plain.replace(CHECK_IN, 'check').replace(WI_FI, 'wifi')
  const placed = [...composed.matchAll(WORD)].flatMap(({ 0: run, index }) =>
    piecesOf(run).map((typed) => ({ typed, lower: lowerCase(typed), start: index })),
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

/** The words of a query with what they are in other languages, as far as the embedding model knows. */
export function readWords(
  q: string,
  model: Pick<EmbeddingLanguages, 'meanings' | 'wordsFor'> | undefined,
): QueryWord[] {
  const words = queryWords(q)
  if (!model || words.length === 0) return words
  const typed = words.map(({ text }) => text)
  const { languages, english } = model.meanings(q, typed)
  return words.map((word, i) => {
    const meant = english[i]
    if (!meant) return word
    return { ...word, abroad: { languages, english: meant, wordsIn: (language) => model.wordsFor(meant, language) } }
  })
}

/** As PostgreSQL has it: Turkish "İ" becomes "i", for which JavaScript has an "i" and a second dot. */
function lowerCase(word: string): string {
  return word.toLowerCase().replaceAll('i\u0307', 'i')
}

function isInformative(word: string): boolean {
  return !LONE_CHARACTER.test(word) && !GENERIC_WORDS.has(word)
}

/** A query's words as stemmed by one text-search configuration. */
export interface WordForms {
  config: string
  /** The stem of each word, in order; empty for a stop word of the configuration's language. */
  stems: string[]
  /**
   * The stems of what each word is looked up as too: without its accents, or in the configuration's language. Several with
   * spaces between are those of a phrase, of which an excerpt must have all.
   */
  other: string[][]
  /** Whether each word counts. */
  counts: boolean[]
  /** Whether the excerpts are in a language that the query is not in, so that words are looked up as what they are there. */
  isTranslated?: boolean
}

/** The languages of the excerpts that words were stemmed for (ISO 639-1). */
export function languagesOf(forms: readonly Pick<WordForms, 'config'>[]): string[] {
  return forms.flatMap(({ config }) => languagesOfConfig(config))
}

/** The lexemes of which an excerpt with the word has one, or all of one phrase; none for a stop word. */
export function lexemesOf({ stems, other }: Pick<WordForms, 'stems' | 'other'>, word: number): string[][] {
  return [stems[word] ?? '', ...(other[word] ?? [])].filter((one) => one !== '').map((one) => one.split(' '))
}

/** The stems, with repetitions replaced by an empty string. */
function distinctStems({ stems }: Pick<WordForms, 'stems'>): string[] {
  return stems.map((stem, i) => (stems.indexOf(stem) === i ? stem : ''))
}

/**
 * Positions of the words that are not stop words in every configuration, and which of these count; the forms with
 * distinct stems.
 */
export function queryPositions(every: readonly WordForms[]) {
  const forms = every.map((form) => {
    const stems = distinctStems(form)
    return { ...form, stems, other: form.other.map((other, i) => (stems[i] === '' ? [] : other)) }
  })
  const positions = (forms[0]?.stems ?? []).flatMap((_, i) => (forms.some(({ stems }) => stems[i] !== '') ? [i] : []))
  return { forms, positions, counted: positions.flatMap((position, i) => (every[0]?.counts[position] ? [i] : [])) }
}

/**
 * How many distinct stems of counting words make up half of them, and more than half of several translated ones, each of which
 * is up to eight words; 0 when there are none.
 */
export function requiredMatches(form: Pick<WordForms, 'stems' | 'counts' | 'isTranslated'>): number {
  const count = distinctStems(form).filter((stem, i) => stem !== '' && form.counts[i]).length
  return form.isTranslated && count >= SEVERAL ? Math.floor(count / 2) + 1 : Math.ceil(count / 2)
}

/** The maximum distance at which an excerpt may pass. */
export function maxDistance(forms: readonly Pick<WordForms, 'stems'>[], thresholds: Thresholds): number {
  const hasWords = forms.some((form) => distinctStems(form).some((stem) => stem !== ''))
  return 1 - (hasWords ? thresholds.wordTier : thresholds.floor)
}

const unique = (words: readonly string[]): string[] => [...new Set(words)]
