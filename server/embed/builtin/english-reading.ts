import { type Entry, FEATURE_BYTES, type Lexicon } from './lexicon.ts'

/**
 * The words of a text as English ones, for the sentiment model. The next text overwrites it. A word of another language has
 * several equivalents: "wert" is .6 "worth", .24 "value" and .16 "valuable".
 */
export class EnglishReading {
  /** How many words; `known` counts those that the model knows or takes for names. */
  count = 0
  known = 0
  /** ISO 639-1; undefined for English, whose words have no equivalents. */
  language: string | undefined
  /** Of each word: its own hash as an English token, or that of its foremost equivalent. */
  hashes: Int32Array = new Int32Array(0)
  /** Where each word's equivalents begin; they end where the next word's begin. */
  firsts = new Int32Array(1025)
  equivalents = new Int32Array(4096)
  /** Of each equivalent; those of a word add up to 1. */
  shares = new Float64Array(4096)
  /** How many so far. */
  #equivalents = 0
  /** For the hashes of another language; English ones are in an array of the caller's. */
  #own = new Int32Array(1024)

  /** Takes an English text's words, whose hashes stay the caller's. */
  setEnglish(hashes: Int32Array, count: number, known: number): void {
    this.language = undefined
    this.hashes = hashes
    this.count = count
    this.known = known
  }

  /** Begins a text of another language. @param words maximum that will be added */
  begin(language: string, words: number): void {
    this.language = language
    this.count = this.known = this.#equivalents = 0
    if (this.#own.length < words) this.#own = new Int32Array(words * 2)
    if (this.firsts.length <= words) this.firsts = new Int32Array(words * 2 + 1)
    this.hashes = this.#own
  }

  /** Adds a word that the language does not have, as its own equivalent. */
  addStranger(hash: number): void {
    this.#addEquivalent(hash, 1)
    this.#addWord(hash)
  }

  /**
   * Adds a word with those of its features that are English words.
   * @param english hash of each English word, by feature; other features are phrases
   */
  addEntry(lexicon: Lexicon, { start, end }: Entry, english: Int32Array): void {
    let [sum, best, foremost] = [0, 0, -1]
    const first = this.#equivalents
    for (let at = start; at < end; at += FEATURE_BYTES) {
      const feature = lexicon.feature(at)
      const weight = lexicon.weight(at)
      if (feature >= english.length || weight <= 0) continue
      if (weight > best) [best, foremost] = [weight, feature]
      sum += weight
      this.#addEquivalent(english[feature] ?? 0, weight)
    }
    if (foremost < 0) return
    for (let i = first; i < this.#equivalents; i++) this.shares[i] = (this.shares[i] ?? 0) / sum
    this.#addWord(english[foremost] ?? 0)
    this.known++
  }

  #addWord(hash: number): void {
    this.hashes[this.count++] = hash
    this.firsts[this.count] = this.#equivalents
  }

  #addEquivalent(hash: number, weight: number): void {
    if (this.#equivalents === this.shares.length) {
      const [equivalents, shares] = [this.equivalents, this.shares]
      this.equivalents = new Int32Array(shares.length * 2)
      this.equivalents.set(equivalents)
      this.shares = new Float64Array(shares.length * 2)
      this.shares.set(shares)
    }
    this.equivalents[this.#equivalents] = hash
    this.shares[this.#equivalents++] = weight
  }
}
