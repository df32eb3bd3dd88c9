import { LEAST_STEM, otherNumbers } from './english-forms.ts'
import { gainOf, STRANGER, scoreOf } from './english-words.ts'
import type { Entry, Lexicon } from './lexicon.ts'
import type { TokenBuffer } from './token-buffer.ts'
import type { EnglishTokens } from './vocabulary.ts'

/** The lexicon's last language, once training/rare_words.py has run. */
const ENGLISH = 'en'
const LONGEST = 32
/** How much rarer the other number of a word of the table is taken to be, on the Zipf scale. */
const FORM_IS_RARER = 0.5

/** English words that the table lacks ("kohlrabi", "litigation"), which the lexicon has as it has other languages' words. */
export class RareWords {
  /** Their index among the lexicon's languages, behind all others. */
  readonly language: number
  readonly #lexicon: Lexicon
  readonly #other = new Uint16Array(LONGEST + 1)

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon
    this.language = lexicon.codes.length - Number(lexicon.codes.at(-1) === ENGLISH)
  }

  /** What such a word means, or its singular or plural. */
  read(tokens: TokenBuffer, token: number): Entry | undefined {
    const entry = this.#find(tokens, token)
    return entry < 0 ? undefined : this.#lexicon.read(entry, 1, true)
  }

  /** What a token adds to English's score if it is such a word, or the other number of one of the table; 0 if neither. */
  score(tokens: TokenBuffer, token: number, english: EnglishTokens): number {
    const entry = this.#find(tokens, token)
    if (entry >= 0) return gainOf(this.#lexicon.frequency(entry))
    const other = english.otherNumber(token)
    return other < 0 ? 0 : Math.max(STRANGER, scoreOf(other) - FORM_IS_RARER)
  }

  /** The lexicon's entry of such a word, or of its other number; -1 for none. */
  #find(tokens: TokenBuffer, token: number): number {
    const { units, starts, ends } = tokens
    const [start, end] = [starts[token] ?? 0, ends[token] ?? 0]
    if (end - start < LEAST_STEM || end - start > LONGEST) return -1
    const whole = this.#lexicon.entry(units, start, end, this.language)
    if (whole >= 0) return whole
    for (const other of otherNumbers(tokens, token)) {
      for (let i = 0; i < other.length; i++) this.#other[i] = other.charCodeAt(i)
      const entry = this.#lexicon.entry(this.#other, 0, other.length, this.language)
      if (entry >= 0) return entry
    }
    return -1
  }
}
