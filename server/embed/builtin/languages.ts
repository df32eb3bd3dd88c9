import { FEATURES } from './features.ts'
import { LanguageDetector } from './language-detector.ts'
import { type Entry, Lexicon } from './lexicon.ts'
import { RareWords } from './rare-words.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { EnglishTokens } from './vocabulary.ts'

/** Minimum length of a part of a compound: Früh|stücks|buffet. */
const LEAST_PART = 4
const LINKS = ['', 's', 'n', 'en', 'es', 'e']
/** Weight of a compound's first part, against 1 of its last, which says what the thing is. */
const FIRST_PART = 0.8
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

  constructor(path: URL) {
    this.lexicon = new Lexicon(path)
    this.#rare = new RareWords(this.lexicon)
    this.detector = new LanguageDetector(this.lexicon, this.#rare, (tokenizer, token, language, english) => {
      return this.find(tokenizer, token, language, english).length > 0
    })
  }

  /**
   * What a token means in a language: one entry, two for a compound, none if unknown. Unknown forms are tried with umlauts
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
      ? this.#compound(copy, length, language)
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

  /** The two most frequent words that make up a compound, with or without a linking letter. */
  #compound(token: Uint16Array, length: number, language: number): readonly Entry[] {
    let [best, first, last] = [0, -1, -1]
    for (let at = LEAST_PART; at <= length - LEAST_PART; at++) {
      let tail = this.lexicon.entry(token, at, length, language)
      if (tail < 0) {
        tail = this.#otherEnding(token.subarray(at, length), length - at, language)
        if (tail < 0) continue
      }
      for (const link of LINKS) {
        const end = at - link.length
        if (end < LEAST_PART - 1 || !endsWith(token, at, link)) continue
        const head = this.lexicon.entry(token, 0, end, language)
        if (head < 0) continue
        // prefers long, frequent words: short ones match by chance
        const score =
          this.lexicon.frequency(head) +
          this.lexicon.frequency(tail) +
          12 * Math.min(end, length - at) -
          6 * link.length
        if (score > best) [best, first, last] = [score, head, tail]
      }
    }
    return first < 0 ? NOTHING : [this.lexicon.read(first, FIRST_PART), this.lexicon.read(last, 1)]
  }
}

const NOTHING: readonly Entry[] = []
const SPARE = new Uint16Array(80)

function endsWith(token: Uint16Array, end: number, link: string): boolean {
  for (let i = 0; i < link.length; i++) if (token[end - link.length + i] !== link.charCodeAt(i)) return false
  return true
}
