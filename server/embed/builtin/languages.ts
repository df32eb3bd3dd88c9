import { EnglishWords, gainOf, STRANGER } from './english-words.ts'
import { FEATURES } from './features.ts'
import { type Entry, Lexicon } from './lexicon.ts'
import { RareWords } from './rare-words.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { EnglishTokens } from './vocabulary.ts'

/**
 * Above this share of words that none of the languages has, a text is in another one, unless it has only a few words. Of real
 * excerpts in the languages 2 % have more than .09 to .27; half of the Danish ones have more than .41, of Indonesian .67.
 */
const MOST_STRANGE = 0.3
const LEAST_TELLING = 6
/** In longer texts, words that only another language has need no look whether rare English has them too. */
const FEW = 6
/** How much likelier a text must be in another language than in English to be read as one. */
const MARGIN = 1.2
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
  readonly #scores: Float64Array
  readonly #token = new Uint16Array(64)
  readonly #english: EnglishWords
  readonly #rare: RareWords
  /** How many tokens of the last scored text neither English nor any of the languages has. */
  #strange = 0

  constructor(path: URL) {
    this.lexicon = new Lexicon(path)
    this.#rare = new RareWords(this.lexicon)
    this.#scores = new Float64Array(this.#rare.language)
    this.#english = new EnglishWords(this.lexicon)
  }

  /**
   * The language of the tokenizer's text: an index into `codes`, or -1 for English and for any text that is not clearly
   * another one.
   */
  detect(tokenizer: Tokenizer, count: number, english: EnglishTokens): number {
    const own = this.#score(tokenizer, count, english)
    const scores = this.#scores
    let best = 0
    for (let i = 1; i < scores.length; i++) if ((scores[i] ?? 0) > (scores[best] ?? 0)) best = i
    return (scores[best] ?? 0) > own + MARGIN ? best : -1
  }

  /**
   * All languages that the text may be in: one bit per index in `codes`, of which English is the last. Hardly any text of a
   * few sentences has more than one; "sauna" has all, and so has a text in a language that is not among them.
   */
  possible(tokenizer: Tokenizer, count: number, english: EnglishTokens): number {
    const own = this.#score(tokenizer, count, english)
    const all = (2 << this.#scores.length) - 1
    if (count >= LEAST_TELLING && this.#strange > MOST_STRANGE * count) return all
    const least = Math.max(own, ...this.#scores) - MARGIN
    let bits = own >= least ? 1 << this.#scores.length : 0
    for (let i = 0; i < this.#scores.length; i++) if ((this.#scores[i] ?? 0) >= least) bits |= 1 << i
    return bits
  }

  /** Computes in `#scores` how likely each language is. @returns how likely English is */
  #score(tokenizer: Tokenizer, count: number, english: EnglishTokens): number {
    const scores = this.#scores.fill(0)
    let own = 0
    this.#strange = 0
    for (let i = 0; i < count; i++) {
      const place = english.place(i)
      if (place >= 0) {
        own += this.#english.addTo(scores, tokenizer, i, place)
        continue
      }
      const word = this.#word(tokenizer, i)
      const rare = word < 0 || count <= FEW ? this.#rare.score(tokenizer, i, english) : 0
      own += rare
      if (word < 0) {
        if (rare > 0) continue
        if (english.isCompound(i)) own += STRANGER
        else this.#strange++
        continue
      }
      let entry = this.lexicon.first[word] ?? 0
      for (let left = this.lexicon.masks[word] ?? 0; left !== 0; left &= left - 1, entry++) {
        const language = 31 - Math.clz32(left & -left)
        if (language < scores.length) scores[language] = (scores[language] ?? 0) + gainOf(this.lexicon.frequency(entry))
      }
    }
    // mostly unknown words: a compound or another form of a known word suggests its language
    if (this.#strange * 2 >= count) this.#scoreStrangers(tokenizer, count, english)
    return own
  }

  #word({ units, starts, ends, hashes }: Tokenizer, token: number): number {
    return this.lexicon.find(units, starts[token] ?? 0, ends[token] ?? 0, hashes[token] ?? 0)
  }

  #scoreStrangers(tokenizer: Tokenizer, count: number, english: EnglishTokens): void {
    for (let i = 0; i < count; i++) {
      const [start, end] = [tokenizer.starts[i] ?? 0, tokenizer.ends[i] ?? 0]
      if (end - start < LEAST_STEM + 2 || english.place(i) >= 0) continue
      if (this.#word(tokenizer, i) >= 0 || this.#rare.score(tokenizer, i, english) > 0) continue
      if (english.isCompound(i)) continue
      for (let language = 0; language < this.#scores.length; language++) {
        if (this.find(tokenizer, i, language, english).length === 0) continue
        this.#scores[language] = (this.#scores[language] ?? 0) + STRANGER
      }
    }
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

  /** The meaning of a word that the table lacks: a rare English one, or one that some language often uses ("the jamon"). */
  loan(tokenizer: Tokenizer, token: number): Entry | undefined {
    const rare = this.#rare.read(tokenizer, token)
    if (rare) return rare
    if ((tokenizer.ends[token] ?? 0) - (tokenizer.starts[token] ?? 0) < LEAST_STEM) return undefined
    const word = this.#word(tokenizer, token)
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
