import { Compounds } from './compounds.ts'
import { FEATURES } from './features.ts'
import { LanguageDetector } from './language-detector.ts'
import { type Entry, Lexicon } from './lexicon.ts'
import { RareWords } from './rare-words.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { EnglishTokens } from './vocabulary.ts'

/** Endings to try in place of an unknown form's ending. */
const ENDINGS = ['', 'e', 'en', 'n', 'o', 'a', 's', 'r', 'er', 'ar', 'ir', 're']
const MOST_CUT = 3
/** Minimum length of what such an ending stands behind: shorter stems are mostly of other words. */
const LEAST_CUT = 5
const LONGEST_PHRASE = 60
const UNDERSCORE = 95
const LEAST_STEM = 4
/** Frequency (Zipf scale × 30) above which a word is not a typo: one in 300,000. */
const OFTEN = 105

/**
 * Maps words of German, French, Spanish, Italian, Dutch and Portuguese to short lists of English features, so that a text in
 * any of them is embedded near its translation, and rare English words as well.
 */
export class Languages {
  readonly lexicon: Lexicon
  /** How many tokens the last `find` consumed. */
  words = 1
  readonly detector: LanguageDetector
  readonly #token = new Uint16Array(64)
  readonly #rare: RareWords
  readonly #compounds: Compounds

  constructor(path: URL) {
    this.lexicon = new Lexicon(path)
    this.#rare = new RareWords(this.lexicon)
    this.#compounds = new Compounds(this.lexicon, (token, language) => this.#otherEnding(token, token.length, language))
    this.detector = new LanguageDetector(this.lexicon, this.#rare, (tokenizer, token, language, english) => {
      return this.find(tokenizer, token, language, english).length > 0
    })
  }

  /**
   * What a token means in a language: one entry, two or three for a compound, none if unknown. Unknown forms are tried with umlauts
   * spelled without dots, and, unless English has them ("check", "trip", "penne"), with other endings and as compounds.
   * `words` tells how many tokens it consumed: "café da manhã" is one entry.
   */
  find(tokenizer: Tokenizer, token: number, language: number, english: EnglishTokens): readonly Entry[] {
    this.words = 1
    const phrase = this.#phrase(tokenizer, token, language)
    if (phrase >= 0) return [this.lexicon.read(phrase, 1)]
    const [start, end] = [tokenizer.starts[token] ?? 0, tokenizer.ends[token] ?? 0]
    const { units } = tokenizer
    const length = end - start
    const whole = this.lexicon.entry(units, start, end, language)
    if (whole >= 0) return [this.lexicon.read(whole, 1)]
    if (length > this.#token.length || length < LEAST_STEM) return NOTHING
    const copy = this.#token
    for (let i = 0; i < length; i++) copy[i] = units[start + i] ?? 0
    const plain = this.#withoutDots(copy, length, language)
    if (plain >= 0) return [this.lexicon.read(plain, 1)]
    if (english.place(token) >= 0) return NOTHING
    const other = this.#otherEnding(copy, length, language)
    if (other >= 0) return [this.lexicon.read(other, 1)]
    return this.lexicon.codes[language] === 'de' || this.lexicon.codes[language] === 'nl'
      ? this.#compounds.split(copy.subarray(0, length), language, english)
      : NOTHING
  }

  #phrase(tokenizer: Tokenizer, token: number, language: number): number {
    const { units, starts, ends, hashes, count } = tokenizer
    if (!this.lexicon.opensPhrase(hashes[token] ?? 0)) return -1
    let [found, length] = [-1, 0]
    for (let n = 1; n <= FEATURES.longestPhrase && token + n <= count; n++) {
      const [start, end] = [starts[token + n - 1] ?? 0, ends[token + n - 1] ?? 0]
      if (length + end - start >= LONGEST_PHRASE) break
      for (let i = start; i < end; i++) SPARE[length++] = units[i] ?? 0
      if (n > 1) {
        const entry = this.lexicon.entry(SPARE, 0, length, language)
        if (entry >= 0) [found, this.words] = [entry, n]
      }
      SPARE[length++] = UNDERSCORE
    }
    return found
  }

  /** The meaning of a rare English word, wherever it stands. */
  rare(tokenizer: Tokenizer, token: number): Entry | undefined {
    return this.#rare.read(tokenizer, token)
  }

  /** The meaning of a word that the table lacks: a rare English one, or one that some language often uses ("the jamon"). */
  loan(tokenizer: Tokenizer, token: number): Entry | undefined {
    const rare = this.rare(tokenizer, token)
    if (rare) return rare
    if ((tokenizer.ends[token] ?? 0) - (tokenizer.starts[token] ?? 0) < LEAST_STEM) return undefined
    const word = this.lexicon.findToken(tokenizer, token)
    if (word < 0) return undefined
    let best = -1
    for (let entry = this.lexicon.first[word] ?? 0; entry < (this.lexicon.first[word + 1] ?? 0); entry++) {
      if (best < 0 || this.lexicon.frequency(entry) > this.lexicon.frequency(best)) best = entry
    }
    return this.lexicon.frequency(best) >= OFTEN ? this.lexicon.read(best, 1) : undefined
  }

  /** `ae` for `ä`, which the tokenizer folds to `a`. */
  #withoutDots(token: Uint16Array, length: number, language: number): number {
    if (this.lexicon.codes[language] !== 'de') return -1
    let to = 0
    for (let i = 0; i < length; i++) {
      const unit = token[i] ?? 0
      if (unit === 101 && i > 0 && (token[i - 1] === 97 || token[i - 1] === 111 || token[i - 1] === 117)) continue
      SPARE[to++] = unit
    }
    return to === length ? -1 : this.lexicon.entry(SPARE, 0, to, language)
  }

  #otherEnding(token: Uint16Array, length: number, language: number): number {
    SPARE.set(token.subarray(0, length))
    for (let cut = 1; cut <= MOST_CUT && length - cut >= LEAST_CUT; cut++) {
      for (const ending of ENDINGS) {
        const stem = length - cut
        for (let i = 0; i < ending.length; i++) SPARE[stem + i] = ending.charCodeAt(i)
        const entry = this.lexicon.entry(SPARE, 0, stem + ending.length, language)
        if (entry >= 0) return entry
      }
    }
    return -1
  }
}

const NOTHING: readonly Entry[] = []
const SPARE = new Uint16Array(80)
