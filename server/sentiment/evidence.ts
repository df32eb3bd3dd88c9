import type { EnglishReading } from '../embed/builtin/english-reading.ts'
import { FEATURES } from '../embed/builtin/features.ts'
import { FNV_OFFSET, FNV_PRIME, hashOfText } from '../embed/builtin/fnv.ts'

const MAX_TOKENS = 400
/** Salts of feature hashes, one per kind of feature. */
const [WORD, NEGATED, EXCLAIM, QUESTION, BIGRAM] = [0x1000193, 0x2545f491, 0x3c6ef35f, 0x41c64e6d, 0x5851f42d] as const
const NEGATORS = new Set(FEATURES.negators.map(hashOfText))
const SCOPE_ENDS = new Set(FEATURES.scopeEnds.map(hashOfText))
/**
 * How many words before a negation it reaches, in languages that negate a verb behind it: "die Suppe schmeckt nicht", "ik raad
 * deze garage niet aan", "ça ne marche pas".
 */
const REACH_BACK = new Map([
  ['de', FEATURES.scope],
  ['nl', FEATURES.scope],
  ['fr', 1],
])
/**
 * How much weaker a text's evidence is than that of its English translation, whose words are all the model's own: 1.19 to 1.26
 * times for each of five languages (training/README.md).
 */
const TRANSLATED = 1.23

/**
 * The evidence of a text's features, each counted once: words, pairs of words, words within three of a negation, and whether
 * the text has an exclamation or question mark. A word of another language gives what its English equivalents would, each for
 * its share, and a pair what all pairs of theirs would.
 */
export class Evidence {
  readonly #weights: Int8Array
  readonly #mask: number
  /** The last text that used each bucket, so that a feature counts once without clearing between texts. */
  readonly #seen: Uint32Array
  #text = 0
  /** Number of features of the last text, and the sums of their weights: for English integers, the same on every platform. */
  features = 0
  negative = 0
  positive = 0

  /** @param weights two of each bucket, negative and positive; the number of buckets is a power of two */
  constructor(weights: Int8Array) {
    this.#weights = weights
    this.#mask = weights.length / 2 - 1
    this.#seen = new Uint32Array(weights.length / 2)
  }

  /** Forgets the last text. */
  clear(): void {
    this.features = this.negative = this.positive = 0
  }

  /** Sums up a text. */
  add(text: string, words: EnglishReading): void {
    this.#text = (this.#text + 1) >>> 0
    if (this.#text === 0) {
      this.#seen.fill(0)
      this.#text = 1
    }
    this.clear()
    const { hashes, language } = words
    const count = Math.min(words.count, MAX_TOKENS)
    const reach = (language && REACH_BACK.get(language)) || 0
    if (text.includes('!')) this.#addOnce(mix(0, EXCLAIM))
    if (text.includes('?')) this.#addOnce(mix(0, QUESTION))
    let previous = FNV_OFFSET
    let scope = 0
    for (let i = 0; i < count; i++) {
      const hash = hashes[i] ?? 0
      this.#addWord(words, i, WORD)
      this.#addPair(words, i, previous)
      if (NEGATORS.has(hash)) {
        scope = FEATURES.scope
        for (let back = i - 1; back >= Math.max(0, i - reach); back--) {
          const before = hashes[back] ?? 0
          if (NEGATORS.has(before) || SCOPE_ENDS.has(before)) break
          this.#addWord(words, back, NEGATED)
        }
      } else {
        if (SCOPE_ENDS.has(hash)) scope = 0
        if (scope > 0) {
          scope--
          this.#addWord(words, i, NEGATED)
        }
      }
      previous = hash
    }
    if (language === undefined) return
    this.negative *= TRANSLATED
    this.positive *= TRANSLATED
  }

  #addWord(words: EnglishReading, word: number, kind: number): void {
    const mixed = mix(words.hashes[word] ?? 0, kind)
    if (words.language === undefined) this.#addOnce(mixed)
    else if (this.#isNew(mixed & this.#mask)) this.#addEquivalents(words, word, 0, kind, 1)
  }

  /** @param previous hash of the word before; FNV's offset for the first word */
  #addPair(words: EnglishReading, word: number, previous: number): void {
    const opening = Math.imul(previous, FNV_PRIME)
    const mixed = mix(opening ^ (words.hashes[word] ?? 0), BIGRAM)
    if (words.language === undefined) this.#addOnce(mixed)
    else if (this.#isNew(mixed & this.#mask)) this.#addPairs(words, word, opening)
  }

  #addPairs(words: EnglishReading, word: number, opening: number): void {
    const { firsts, equivalents, shares } = words
    if (word === 0) this.#addEquivalents(words, word, opening, BIGRAM, 1)
    for (let i = firsts[word - 1] ?? 0; i < (firsts[word] ?? 0); i++) {
      this.#addEquivalents(words, word, Math.imul(equivalents[i] ?? 0, FNV_PRIME), BIGRAM, shares[i] ?? 0)
    }
  }

  /** Adds the weights of a word's equivalents behind an opening hash, each for its share of `share`. */
  #addEquivalents(words: EnglishReading, word: number, opening: number, kind: number, share: number): void {
    const { firsts, equivalents, shares } = words
    for (let i = firsts[word] ?? 0; i < (firsts[word + 1] ?? 0); i++) {
      this.#addBucket(mix(opening ^ (equivalents[i] ?? 0), kind) & this.#mask, share * (shares[i] ?? 0))
    }
  }

  #addOnce(mixed: number): void {
    const bucket = mixed & this.#mask
    if (this.#isNew(bucket)) this.#addBucket(bucket, 1)
  }

  #addBucket(bucket: number, share: number): void {
    this.negative += share * (this.#weights[bucket * 2] ?? 0)
    this.positive += share * (this.#weights[bucket * 2 + 1] ?? 0)
  }

  /** Whether this text uses a bucket for the first time; counts a feature if so. */
  #isNew(bucket: number): boolean {
    if (this.#seen[bucket] === this.#text) return false
    this.#seen[bucket] = this.#text
    this.features++
    return true
  }
}

/** MurmurHash3's finaliser (Appleby), salted. */
function mix(hash: number, salt: number): number {
  let h = Math.imul(hash ^ salt, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}
