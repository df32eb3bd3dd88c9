import { readFileSync } from 'node:fs'
import type { Sentiment } from '../../src/contract/review.ts'
import { EnglishReading } from '../embed/builtin/english-reading.ts'
import { sharedModel } from '../embed/builtin/model-files.ts'
import { Tokenizer } from '../embed/builtin/tokenizer.ts'
import { announcesComplaint } from './announced-complaint.ts'
import { Evidence } from './evidence.ts'
import type { SentimentClassifier, ToneReader } from './sentiment.ts'

const VERSION = 2
const STARS = 5
const HEADER = 4 + 3 * 4 + (2 + STARS * 2 + STARS) * 8
/** The evidence at which a query wishes fully for praise, and the range over which it comes to wish for complaints. */
const [PRAISE, LEAST_BLAME, BLAME] = [3, 2, 4] as const
/**
 * The least share of known words. Below it the text is in a language that the model does not read, where every word would
 * still fall into some bucket: a third of praise in Japanese or Russian was called negative. 99 % of real English reviews
 * reach .9, and three in four Swedish ones stay at or below .63. In a text of few words a name or a typo weighs more.
 */
const LEAST_KNOWN = { few: 0.5, many: 0.75 }
const FEW = 6

/** Reads a text's words, valid until the next call. */
type ReadWords = (text: string) => EnglishReading

/**
 * A linear model over hashed features (see `Evidence`). Two sums of their weights give, by a softmax, the probabilities of one
 * to five stars, of which those of one and two, and of four and five, are added. Trained by training/sentiment.py;
 * training/README.md has its accuracy.
 */
class SentimentModel {
  readonly #words: ReadWords
  /** Of the last text. */
  readonly evidence: Evidence
  readonly #scale: readonly [negative: number, positive: number]
  /** Coefficients of the two sums in each star's logit, and its bias. */
  readonly #stars: readonly { negative: number; positive: number; bias: number }[]
  /** Logit, then unnormalised probability, of each star for the current text. */
  readonly #share = new Float64Array(STARS)
  /** Unnormalised probabilities that the last text has 1–2 and 4–5 stars. */
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
    this.#scale = [number(0), number(1)]
    this.#stars = Array.from({ length: STARS }, (_, star) => ({
      negative: number(2 + star * 2),
      positive: number(3 + star * 2),
      bias: number(2 + STARS * 2 + star),
    }))
    this.evidence = new Evidence(new Int8Array(bytes.buffer, bytes.byteOffset + HEADER, buckets * 2))
  }

  classify(text: string, of?: 'excerpt'): Sentiment {
    this.#sum(text)
    if (this.evidence.features === 0) return 'neutral'
    const middling = this.#sharesOfStars()
    const { bad, good } = this
    if (of === 'excerpt' ? bad > middling + good : bad > middling && bad > good) return 'negative'
    return middling >= good ? 'neutral' : 'positive'
  }

  /** From -1 (certainly one or two stars) to 1 (certainly four or five). */
  tone(text: string): number {
    this.#sum(text)
    if (this.evidence.features === 0) return 0
    const middling = this.#sharesOfStars()
    const { bad, good } = this
    return (good - bad) / (bad + middling + good)
  }

  /**
   * The tone that a query wishes for, from -1 to 1, by the plain sum of its words' weights. The probabilities are made for
   * whole reviews and would be just as certain for a single word ("pillows" gets one star, since people complain about
   * them). Negative evidence has a higher threshold, because many nouns lean that way.
   */
  wish(query: string): number {
    this.#sum(query)
    const { positive, negative } = this.evidence
    const evidence = positive * this.#scale[1] - negative * this.#scale[0]
    if (evidence >= 0) return Math.min(1, evidence / PRAISE)
    return -Math.min(1, Math.max(0, (-evidence - LEAST_BLAME) / (BLAME - LEAST_BLAME)))
  }

  /** Sets `bad` and `good`. @returns the same for three stars */
  #sharesOfStars(): number {
    const root = Math.sqrt(this.evidence.features)
    const negative = (this.evidence.negative * this.#scale[0]) / root
    const positive = (this.evidence.positive * this.#scale[1]) / root
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
    const words = this.#words(text)
    const least = words.count < FEW ? LEAST_KNOWN.few : LEAST_KNOWN.many
    if (words.known < words.count * least) this.evidence.clear()
    else this.evidence.add(text, words)
  }
}

const FILE = new URL('./sentiment.bin', import.meta.url)
let shared: SentimentModel | undefined

/** A separate model that treats every text as English, for benchmarks; `createSentimentClassifier` shares one. */
export function readSentimentModel(): SentimentModel {
  const tokenizer = new Tokenizer()
  const read = new EnglishReading()
  return new SentimentModel(FILE, (text) => {
    const count = tokenizer.tokenize(text)
    read.setEnglish(tokenizer.hashes, count, count)
    return read
  })
}

/**
 * The sentiment model in the package, read once per process. A text without words is neutral, and so is one in a language
 * that the embedding model does not know; in one that it knows, words are replaced by their English equivalents.
 */
export function createSentimentClassifier(): SentimentClassifier {
  const model = sharedSentimentModel()
  return (text, of) => (of === 'excerpt' && announcesComplaint(text) ? 'negative' : model.classify(text, of))
}

/** Reads the tone of texts with the same model. */
export function createToneReader(): ToneReader {
  const model = sharedSentimentModel()
  return { of: (excerpt) => model.tone(excerpt), wishedBy: (query) => model.wish(query) }
}

function sharedSentimentModel(): SentimentModel {
  shared ??= new SentimentModel(FILE, (text) => sharedModel().model.englishWords(text))
  return shared
}

/**
 * e^x for x <= 0, as (1 + x/4096)^4096: engines may differ in the last bits of Math.exp, but not of products. The relative
 * error is x²/8192, too small to matter.
 */
function exponential(x: number): number {
  if (x < -40) return 0
  let y = 1 + x / 4096
  for (let i = 0; i < 12; i++) y *= y
  return y
}
