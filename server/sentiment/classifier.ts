import { readFileSync } from 'node:fs'
import type { Sentiment } from '../../src/contract/review.ts'
import { FEATURES } from '../embed/builtin/features.ts'
import { FNV_OFFSET, FNV_PRIME, hashOfText } from '../embed/builtin/fnv.ts'
import { sharedModel } from '../embed/builtin/model-files.ts'
import { Tokenizer } from '../embed/builtin/tokenizer.ts'
import { announcesComplaint } from './announced-complaint.ts'
import type { SentimentClassifier, ToneReader } from './sentiment.ts'

const VERSION = 2
const STARS = 5
const HEADER = 4 + 3 * 4 + (2 + STARS * 2 + STARS) * 8
const MAX_TOKENS = 400
/** Evidence at which a query fully asks for praise, and the range over which one asks for complaints. */
const [PRAISE, LEAST_BLAME, BLAME] = [3, 2, 4] as const
/** Mixed into a hash to distinguish kinds of features. */
const [WORD, NEGATED, EXCLAIM, QUESTION, BIGRAM] = [0x1000193, 0x2545f491, 0x3c6ef35f, 0x41c64e6d, 0x5851f42d] as const
const NEGATORS = new Set(FEATURES.negators.map(hashOfText))
const SCOPE_ENDS = new Set(FEATURES.scopeEnds.map(hashOfText))

/**
 * A text with a smaller share of known words is in a language the model does not read, where every word would fall into some
 * bucket: a third of praise in Japanese or Russian was called negative. Real English reviews have .9 and more (99 in 100),
 * Swedish ones .63 at most (three in four); among few words a name or a typo counts for much.
 */
const LEAST_KNOWN = { few: 0.5, many: 0.75 }
const FEW = 6

/** The hashes of a text's words, valid until the next text. */
type ReadWords = (text: string) => { count: number; known: number; hashes: Int32Array }

/**
 * Hashed features of a text, each counted once: words, pairs of words, words within three of a negation, and whether it has
 * an exclamation or a question mark. Their weights sum to two numbers; a softmax over them gives the probabilities of one to
 * five stars, of which those of one and two, and of four and five, are added. Trained by training/sentiment.py;
 * training/README.md tells how accurate it is.
 */
class SentimentModel {
  readonly #words: ReadWords
  readonly #weights: Int8Array
  readonly #mask: number
  readonly #scale: readonly [negative: number, positive: number]
  /** Coefficients of the two sums in each star's logit, and its bias. */
  readonly #stars: readonly { negative: number; positive: number; bias: number }[]
  /** Each star's logit, then its share, for the current text. */
  readonly #share = new Float64Array(STARS)
  /** Which text last used a bucket, so that each counts once without clearing the array between texts. */
  readonly #seen: Uint32Array
  #text = 0
  /** Number of features of the last text, and the sums of their weights: integers, the same on every machine. */
  features = 0
  negative = 0
  positive = 0
  /** Unnormalised probability that the last text has 1–2 and 4–5 stars. */
  bad = 0
  good = 0

  constructor(path: URL, words: ReadWords) {
    this.#words = words
    const bytes = readFileSync(path)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const whole = bytes.byteLength >= HEADER && bytes.toString('latin1', 0, 4) === 'PQSM'
    const buckets = whole ? view.getUint32(8, true) : 0
    if (!whole || view.getUint32(4, true) !== VERSION || bytes.byteLength !== HEADER + buckets * 2) {
      throw new Error(`${path.href} is damaged; install the package again.`)
    }
    const number = (i: number): number => view.getFloat64(16 + i * 8, true)
    this.#mask = buckets - 1
    this.#scale = [number(0), number(1)]
    this.#stars = Array.from({ length: STARS }, (_, star) => ({
      negative: number(2 + star * 2),
      positive: number(3 + star * 2),
      bias: number(2 + STARS * 2 + star),
    }))
    this.#weights = new Int8Array(bytes.buffer, bytes.byteOffset + HEADER, buckets * 2)
    this.#seen = new Uint32Array(buckets)
  }

  classify(text: string, of?: 'excerpt'): Sentiment {
    this.#sum(text)
    if (this.features === 0) return 'neutral'
    const middling = this.#sharesOfStars()
    const { bad, good } = this
    if (of === 'excerpt' ? bad > middling + good : bad > middling && bad > good) return 'negative'
    return middling >= good ? 'neutral' : 'positive'
  }

  /** From -1, surely one or two stars, to 1, surely four or five. */
  tone(text: string): number {
    this.#sum(text)
    if (this.features === 0) return 0
    const middling = this.#sharesOfStars()
    const { bad, good } = this
    return (good - bad) / (bad + middling + good)
  }

  /**
   * Which side a query asks for, from -1 to 1. Uses the plain sum of its words' weights: probabilities are for a whole
   * review, and a single word, too little for that, would be as certain as any ("pillows" one star, because people complain
   * about them). A lean towards complaints counts only beyond a threshold, because many nouns have one.
   */
  wish(query: string): number {
    this.#sum(query)
    const evidence = this.positive * this.#scale[1] - this.negative * this.#scale[0]
    if (evidence >= 0) return Math.min(1, evidence / PRAISE)
    return -Math.min(1, Math.max(0, (-evidence - LEAST_BLAME) / (BLAME - LEAST_BLAME)))
  }

  /** Sets `bad` and `good`, and returns the same for three stars. */
  #sharesOfStars(): number {
    const root = Math.sqrt(this.features)
    const negative = (this.negative * this.#scale[0]) / root
    const positive = (this.positive * this.#scale[1]) / root
    const share = this.#share
    let top = Number.NEGATIVE_INFINITY
    for (let star = 0; star < STARS; star++) {
      const part = this.#stars[star]
      if (part === undefined) continue
      const logit = part.negative * negative + part.positive * positive + part.bias
      share[star] = logit
      if (logit > top) top = logit
    }
    for (let star = 0; star < STARS; star++) share[star] = exponential((share[star] ?? 0) - top)
    this.bad = (share[0] ?? 0) + (share[1] ?? 0)
    this.good = (share[3] ?? 0) + (share[4] ?? 0)
    return share[2] ?? 0
  }

  #sum(text: string): void {
    this.#text = (this.#text + 1) >>> 0
    if (this.#text === 0) {
      this.#seen.fill(0)
      this.#text = 1
    }
    this.features = this.negative = this.positive = 0
    const words = this.#words(text)
    if (words.known < words.count * (words.count < FEW ? LEAST_KNOWN.few : LEAST_KNOWN.many)) return
    const count = Math.min(words.count, MAX_TOKENS)
    const { hashes } = words
    if (text.includes('!')) this.#use(mix(0, EXCLAIM))
    if (text.includes('?')) this.#use(mix(0, QUESTION))
    let previous = FNV_OFFSET
    let scope = 0
    for (let i = 0; i < count; i++) {
      const hash = hashes[i] ?? 0
      this.#use(mix(hash, WORD))
      this.#use(mix(Math.imul(previous, FNV_PRIME) ^ hash, BIGRAM))
      if (NEGATORS.has(hash)) scope = FEATURES.scope
      else {
        if (SCOPE_ENDS.has(hash)) scope = 0
        if (scope > 0) {
          scope--
          this.#use(mix(hash, NEGATED))
        }
      }
      previous = hash
    }
  }

  #use(mixed: number): void {
    const bucket = mixed & this.#mask
    if (this.#seen[bucket] === this.#text) return
    this.#seen[bucket] = this.#text
    this.features++
    this.negative += this.#weights[bucket * 2] ?? 0
    this.positive += this.#weights[bucket * 2 + 1] ?? 0
  }
}

const FILE = new URL('./sentiment.bin', import.meta.url)
let shared: SentimentModel | undefined

/** A separate sentiment model that takes every text for English, for measurements: `createSentimentClassifier` shares one. */
export function readSentimentModel(): SentimentModel {
  const tokenizer = new Tokenizer()
  return new SentimentModel(FILE, (text) => {
    const count = tokenizer.tokenize(text)
    return { count, known: count, hashes: tokenizer.hashes }
  })
}

/**
 * The sentiment model in the package, whose files are read once per process. A text without words is neutral, and so is one
 * in a language that the embedding does not know; one in another language that it knows is classified by the English
 * equivalents of its words.
 */
export function createSentimentClassifier(): SentimentClassifier {
  const model = sharedSentimentModel()
  return (text, of) => (of === 'excerpt' && announcesComplaint(text) ? 'negative' : model.classify(text, of))
}

/** The tones of texts, by the same model. */
export function createToneReader(): ToneReader {
  const model = sharedSentimentModel()
  return { of: (excerpt) => model.tone(excerpt), wishedBy: (query) => model.wish(query) }
}

function sharedSentimentModel(): SentimentModel {
  shared ??= new SentimentModel(FILE, (text) => sharedModel().model.englishWords(text))
  return shared
}

/**
 * e^x for x up to 0, as (1 + x/4096)^4096: engines may differ in the last bits of Math.exp, but not in products. The relative
 * error is x²/8192, which affects no verdict.
 */
function exponential(x: number): number {
  if (x < -40) return 0
  let y = 1 + x / 4096
  for (let i = 0; i < 12; i++) y *= y
  return y
}

/** MurmurHash3's finaliser (Appleby), salted. */
function mix(hash: number, salt: number): number {
  let h = Math.imul(hash ^ salt, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}
