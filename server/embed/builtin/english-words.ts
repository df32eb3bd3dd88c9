import { FEATURES } from './features.ts'
import type { Lexicon } from './lexicon.ts'
import type { TokenBuffer } from './token-buffer.ts'

/** Zipf-scale frequency (logarithm of occurrences per billion words) assumed for a word that a language does not have. */
const ABSENT = 1
/**
 * By how much more another language must be likelier for each word that English has too: "A man is here" is both Dutch and
 * English.
 */
const MARGIN_OF_A_WORD = 0.7
/** What a word adds for a language that only has another form of it. */
export const STRANGER = 1.5
/** By frequency in the lexicon, which is the Zipf scale times 30. */
const GAINS = Float64Array.from({ length: 256 }, (_, frequency) => Math.max(0, frequency / 30 - ABSENT))

/** What a word of this frequency adds to a language's score. @param frequency in the lexicon's unit */
export function gainOf(frequency: number): number {
  return GAINS[frequency] ?? 0
}

/**
 * Each language's score for the English words, which make up nearly all of nearly all texts: looked up in the lexicon on
 * first use and stored contiguously, since the lexicon has each in four places.
 */
export class EnglishWords {
  readonly #lexicon: Lexicon
  readonly #languages: number
  /** By word: 1 once looked up, its score for English, and its frequency in each language, 0 for none. */
  #met = new Uint8Array(0)
  #own = new Float64Array(0)
  #frequencies = new Uint8Array(0)

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon
    this.#languages = lexicon.codes.length
  }

  /** Adds an English word's score for each language. @returns its score for English */
  addTo(scores: Float64Array, tokens: TokenBuffer, token: number, place: number): number {
    if (this.#met[place] !== 1) this.#meet(tokens, token, place)
    const base = place * this.#languages
    const frequencies = this.#frequencies
    for (let language = 0; language < scores.length; language++) {
      scores[language] = (scores[language] ?? 0) + (GAINS[frequencies[base + language] ?? 0] ?? 0)
    }
    return this.#own[place] ?? 0
  }

  #meet(tokens: TokenBuffer, token: number, place: number): void {
    if (place >= this.#met.length) this.#reserve(2 ** (32 - Math.clz32(place)))
    this.#met[place] = 1
    this.#own[place] = scoreOf(place)
    const { masks, first } = this.#lexicon
    const word = this.#lexicon.findToken(tokens, token)
    if (word < 0) return
    let entry = first[word] ?? 0
    for (let language = 0; language < this.#languages; language++) {
      if (((masks[word] ?? 0) & (1 << language)) === 0) continue
      this.#frequencies[place * this.#languages + language] = this.#lexicon.frequency(entry++)
    }
  }

  #reserve(places: number): void {
    const [met, own, frequencies] = [this.#met, this.#own, this.#frequencies]
    this.#met = new Uint8Array(places)
    this.#met.set(met)
    this.#own = new Float64Array(places)
    this.#own.set(own)
    this.#frequencies = new Uint8Array(places * this.#languages)
    this.#frequencies.set(frequencies)
  }
}

/** What an English word adds to English's score. @param place its row */
export function scoreOf(place: number): number {
  return frequencyAt(place) - ABSENT + MARGIN_OF_A_WORD
}

/** Frequency of an English word in reviews, by rank, on the Zipf scale. */
function frequencyAt(place: number): number {
  return FEATURES.mostFrequent - log10(place + 1)
}

/** By halving: engines may differ in the last bits of Math.log10, and language detection must not depend on them. */
function log10(x: number): number {
  const exponent = 31 - Math.clz32(x)
  return (exponent + (x / 2 ** exponent - 1)) * 0.30103
}
