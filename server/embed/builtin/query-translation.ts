import { numbersOf } from './english-forms.ts'
import { queryText } from './input-text.ts'
import { ENGLISH } from './language-detector.ts'
import type { Languages } from './languages.ts'
import type { Entry } from './lexicon.ts'
import { Tokenizer } from './tokenizer.ts'
import type { EnglishTokens, Vocabulary } from './vocabulary.ts'
import { WordsFromEnglish } from './words-from-english.ts'

const NONE: ReadonlyMap<string, string> = new Map()
/** "dogs" is the plural of one, "bus" of none. */
const LEAST_SINGULAR = 3

/** What the words of a query are in other languages, by way of English, for the text search over excerpts in these. */
export class QueryTranslation {
  readonly #languages: Languages
  readonly #words: Vocabulary
  readonly #tokenizer = new Tokenizer()
  readonly #english: EnglishTokens
  readonly #others: WordsFromEnglish

  constructor(languages: Languages, words: Vocabulary) {
    this.#languages = languages
    this.#words = words
    this.#english = words.of(this.#tokenizer)
    this.#others = new WordsFromEnglish(languages.lexicon, words.hashes.length)
  }

  /**
   * The languages that a query may be in (ISO 639-1, the likeliest first), and for each of the words the English one that it
   * mainly is in the first of them; empty where there is none.
   */
  read(query: string, words: readonly string[]): { languages: string[]; english: string[] } {
    const { detector, lexicon } = this.#languages
    const count = this.#tokenizer.tokenize(queryText(query))
    const readings = (likely: readonly string[]) => {
      return detector.readings(this.#tokenizer, count, this.#english, likely)
    }
    const [first = ENGLISH, ...others] = readings([])
    // English has loanwords of the others, so that it is left out where another is likelier (MAP .575 to .630 in French)
    const codes = [first === ENGLISH ? 'en' : [], ...[first, ...others].map((at) => lexicon.codes[at] ?? [])].flat()
    // "Bad" is English for itself, and a bath beside German excerpts
    const beside = lexicon.codes.filter((code, at) => this.#hasAll(count, at) && readings([code]).includes(at))
    const phrases = first === ENGLISH ? NONE : this.#phrases(count, first)
    return {
      languages: [...new Set([...codes, ...beside])],
      english: words.map((word) => this.#inEnglish(word, first, phrases)),
    }
  }

  /** What the phrases of the tokens are in English, by each of their words: "petit déjeuner" is neither small nor lunch. */
  #phrases(count: number, language: number): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    for (let at = 0; at < count; ) {
      const [entry] = this.#languages.find(this.#tokenizer, at, language, this.#english)
      const end = at + this.#languages.words
      const english = entry && end - at > 1 ? this.#mainOf(entry) : ''
      for (; at < end; at++) if (english !== '') found.set(this.#textOf(at), english)
    }
    return found
  }

  #textOf(token: number): string {
    const { units, starts, ends } = this.#tokenizer
    return String.fromCharCode(...units.subarray(starts[token], ends[token]))
  }

  #mainOf(entry: Entry): string {
    return this.#words.wordAt(this.#languages.lexicon.main(entry, this.#words.hashes.length))
  }

  /** Whether a language has all of the tokens. */
  #hasAll(count: number, language: number): boolean {
    const { units, starts, ends } = this.#tokenizer
    for (let i = 0; i < count; i++)
      if (this.#languages.lexicon.entry(units, starts[i] ?? 0, ends[i] ?? 0, language) < 0) return false
    return count > 0
  }

  #inEnglish(word: string, language: number, phrases: ReadonlyMap<string, string>): string {
    if (this.#tokenizer.tokenize(word, false) !== 1) return ''
    const ofPhrase = phrases.get(this.#textOf(0))
    if (ofPhrase !== undefined) return ofPhrase
    if (language === ENGLISH) {
      const place = this.#english.place(0)
      return this.#words.wordAt(place < 0 ? this.#english.otherNumber(0) : place)
    }
    const [entry, ...parts] = this.#languages.find(this.#tokenizer, 0, language, this.#english)
    return !entry || parts.length > 0 ? '' : this.#mainOf(entry)
  }

  /** What an English word is in a language, or the same in the other number, the most frequent words first. */
  wordsFor(english: string, code: string): string[] {
    if (code === 'en') return [english]
    const language = this.#languages.lexicon.codes.indexOf(code)
    if (language < 0) return []
    for (const row of this.#words.places([english, ...numbersOf(english, LEAST_SINGULAR)])) {
      const found = this.#others.find(row, language)
      if (found.length > 0) return found
    }
    return []
  }

  /** Finds the words of all languages, in steps of some hundredths of a second. */
  async warm(nextStep: () => Promise<void>): Promise<void> {
    for (const [language, code] of this.#languages.lexicon.codes.entries()) {
      if (code === 'en') continue
      await nextStep()
      this.#others.prepare(language)
    }
  }
}
