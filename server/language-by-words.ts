import { readFileSync } from 'node:fs'
import * as v from 'valibot'

/**
 * Frequent words of languages in Latin letters, and their letters beyond ASCII, by ISO 639-1 code, English first. The words are
 * without marks, which many people leave out. Languages without a stemmer are among them, so that they are not taken for another.
 */
const FILE = new URL('./frequent-words.json', import.meta.url)
/**
 * The least evidence for a language, and how much more of it than for English there must be: of words alone, and beside letters
 * that English hardly has. A word is evidence of 1 for the only language that has it, and of less the more of them share it.
 * Chosen on one half of 90,000 texts of 4 to 25 words (training/README.md).
 */
const LEAST = { words: 0.8, letters: 0.3 }

/** How many characters of a text are used to detect its language. */
export const LANGUAGE_SAMPLE = 200

const WORD = /[\p{L}\p{N}]+(?:'\p{L}+)*/gu
const LETTER_BEYOND_ASCII = /[\u00c0-\u024f\u1e00-\u1eff]/g
const BEYOND_LATIN = /[\u0370-\u1dff\u2c00-\uffff]/
const LATIN = /\p{Script=Latin}/gu
const MARK = /\p{M}/gu
/** Letters that do not decompose into a plain one and its mark, and the apostrophe that phones write. */
const PLAIN = new Map(Object.entries({ ø: 'o', æ: 'ae', œ: 'oe', ß: 'ss', ı: 'i', ł: 'l', đ: 'd', '\u2019': "'" }))
const NOT_PLAIN = new RegExp(`[${[...PLAIN.keys()].join('')}]`, 'g')

interface FrequentWords {
  languages: readonly string[]
  /** The languages that share a word or letter, as indices. */
  of: ReadonlyMap<string, readonly number[]>
}

let frequent: FrequentWords | undefined

/**
 * The language of a text in Latin letters by its frequent words, of which even a short text has some, and its letters.
 * @param text {@link LANGUAGE_SAMPLE} characters of it suffice
 * @returns an ISO 639-1 code; undefined where they do not tell
 */
export function languageByWords(text: string): string | undefined {
  frequent ??= readWords()
  const { languages, of } = frequent
  // Composed, since some files have decomposed accents.
  const lower = text.slice(0, LANGUAGE_SAMPLE).normalize('NFC').toLowerCase()
  const letters = lower.match(LETTER_BEYOND_ASCII) ?? []
  const evidence = new Float64Array(languages.length)
  for (const word of new Set([...letters, ...(plain(lower).match(WORD) ?? [])])) {
    const sharing = of.get(word) ?? []
    for (const language of sharing) evidence[language] = (evidence[language] ?? 0) + 1 / Math.sqrt(sharing.length)
  }
  const [english = 0] = evidence
  const best = evidence.indexOf(Math.max(...evidence))
  const found = evidence[best] ?? 0
  const least = letters.length > 0 ? LEAST.letters : LEAST.words
  return found < least || (best > 0 && found < english + least) ? undefined : languages[best]
}

/** Whether at least half of the letters are Latin ones. @param text {@link LANGUAGE_SAMPLE} characters of it suffice */
export function isMostlyLatin(text: string): boolean {
  const sample = text.slice(0, LANGUAGE_SAMPLE)
  if (!BEYOND_LATIN.test(sample)) return true
  return (sample.match(LATIN)?.length ?? 0) * 2 >= (sample.match(/\p{L}/gu)?.length ?? 0)
}

function plain(lower: string): string {
  return lower
    .normalize('NFD')
    .replace(MARK, '')
    .replace(NOT_PLAIN, (letter) => PLAIN.get(letter) ?? letter)
}

function readWords(): FrequentWords {
  const lists = Object.entries(v.parse(v.record(v.string(), v.string()), JSON.parse(readFileSync(FILE, 'utf8'))))
  const of = new Map<string, number[]>()
  for (const [i, [, words]] of lists.entries())
    for (const word of words.split(' ')) of.set(word, [...(of.get(word) ?? []), i])
  return { languages: lists.map(([language]) => language), of }
}
