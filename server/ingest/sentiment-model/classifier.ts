import { readFileSync } from 'node:fs'
import { FNV_OFFSET, FNV_PRIME, Tokenizer } from '../../embed/builtin/tokenizer.ts'
import type { Sentiment, SentimentClassifier } from '../sentiment.ts'

const HEADER = 4 + 3 * 4 + 4 * 8
const MAX_TOKENS = 400
/** Mixed into a hash: the kind of feature it stands for. */
const [WORD, NEGATED, EXCLAIM, QUESTION, BIGRAM, GRAM] = [
  0x1000193, 0x2545f491, 0x3c6ef35f, 0x41c64e6d, 0x5851f42d, 0x6c078965,
] as const
const SCOPE = 3
const hashesOf = (words: string): Set<number> => new Set(words.split(' ').map(hashWord))
const NEGATORS = hashesOf('not no never nothing hardly without neither nor nobody none')
const SCOPE_ENDS = hashesOf('but because however although though only just')

/**
 * Softmax regression over hashed features of a text, each counted once: words, pairs of words, words within three of
 * a negation, character n-grams of length 4 and 5, and whether it exclaims or asks. Scores stand against the neutral
 * class. training/sentiment.py trains it; docs/models.md says how well it does.
 */
class SentimentModel {
  readonly #tokenizer = new Tokenizer()
  readonly #weights: Int8Array
  readonly #mask: number
  readonly #scale: readonly [negative: number, positive: number]
  readonly #bias: readonly [negative: number, positive: number]
  /** Which text last used a bucket, so that each counts once without clearing anything between texts. */
  readonly #seen: Uint32Array
  #text = 0
  #features = 0
  #negative = 0
  #positive = 0

  constructor(path: URL) {
    const bytes = readFileSync(path)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const buckets = view.getUint32(8, true)
    if (bytes.toString('latin1', 0, 4) !== 'PQSM' || bytes.byteLength !== HEADER + buckets * 2) {
      throw new Error(`${path.href} is damaged; install the package again.`)
    }
    this.#mask = buckets - 1
    this.#scale = [view.getFloat64(16, true), view.getFloat64(24, true)]
    this.#bias = [view.getFloat64(32, true), view.getFloat64(40, true)]
    this.#weights = new Int8Array(bytes.buffer, bytes.byteOffset + HEADER, buckets * 2)
    this.#seen = new Uint32Array(buckets)
  }

  classify(text: string): Sentiment {
    this.#text = (this.#text + 1) >>> 0
    if (this.#text === 0) this.#seen.fill(0)
    this.#features = this.#negative = this.#positive = 0
    const { hashes, count } = this.#tokens(text)
    if (text.includes('!')) this.#use(mix(0, EXCLAIM))
    if (text.includes('?')) this.#use(mix(0, QUESTION))
    let previous = FNV_OFFSET
    let scope = 0
    for (let i = 0; i < count; i++) {
      const hash = hashes[i] ?? 0
      if (this.#use(mix(hash, WORD))) this.#useGrams(i)
      this.#use(mix(Math.imul(previous, FNV_PRIME) ^ hash, BIGRAM))
      if (NEGATORS.has(hash)) scope = SCOPE
      else {
        if (SCOPE_ENDS.has(hash)) scope = 0
        if (scope > 0) {
          scope--
          this.#use(mix(hash, NEGATED))
        }
      }
      previous = hash
    }
    const root = Math.sqrt(Math.max(1, this.#features))
    const negative = (this.#negative * this.#scale[0]) / root + this.#bias[0]
    const positive = (this.#positive * this.#scale[1]) / root + this.#bias[1]
    if (this.#features === 0 || (negative <= 0 && positive <= 0)) return 'neutral'
    return positive >= negative ? 'positive' : 'negative'
  }

  #tokens(text: string): { hashes: Int32Array; count: number } {
    const count = Math.min(this.#tokenizer.tokenize(text), MAX_TOKENS)
    return { hashes: this.#tokenizer.hashes, count }
  }

  /** Character n-grams of a token of four letters or more, `<` and `>` marking its ends. */
  #useGrams(token: number): void {
    const { units, starts, ends } = this.#tokenizer
    const start = starts[token] ?? 0
    const length = (ends[token] ?? 0) - start + 2
    if (length < 6) return
    for (let n = 4; n <= 5; n++) {
      for (let from = 0; from + n <= length; from++) {
        let hash = FNV_OFFSET
        for (let i = from; i < from + n; i++) {
          hash = Math.imul(hash ^ (i === 0 ? 60 : i === length - 1 ? 62 : (units[start + i - 1] ?? 0)), FNV_PRIME)
        }
        this.#use(mix(hash, GRAM))
      }
    }
  }

  /** @returns false when this text has used the feature before */
  #use(mixed: number): boolean {
    const bucket = mixed & this.#mask
    if (this.#seen[bucket] === this.#text) return false
    this.#seen[bucket] = this.#text
    this.#features++
    this.#negative += this.#weights[bucket * 2] ?? 0
    this.#positive += this.#weights[bucket * 2 + 1] ?? 0
    return true
  }
}

let shared: SentimentModel | undefined

/** The sentiment model in the package: the file is read once a process. A text without words is neutral. */
export function createSentimentClassifier(): SentimentClassifier {
  shared ??= new SentimentModel(new URL('./sentiment.bin', import.meta.url))
  const model = shared
  return (text) => model.classify(text)
}

function hashWord(word: string): number {
  let hash = FNV_OFFSET
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), FNV_PRIME)
  return hash
}

/** MurmurHash3's finaliser (Appleby), salted. */
function mix(hash: number, salt: number): number {
  let h = Math.imul(hash ^ salt, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}
