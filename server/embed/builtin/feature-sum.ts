import type { EmbedKind } from '../embedder.ts'
import { addScaled } from './add-scaled.ts'
import { type Entry, FEATURE_BYTES, type Lexicon } from './lexicon.ts'
import type { ModelFile } from './model-file.ts'
import { NgramVectors } from './ngram-vectors.ts'
import { pieceSize, pieceWeight } from './pieces.ts'
import { Qualities } from './qualities.ts'
import type { TokenBuffer } from './token-buffer.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Lengths of a quality's noun and of its adjectives, whose sum is about as long as the noun alone. */
const AS_NOUN = 0.6
const AS_ADJECTIVE = 0.6

/** The sum of a text's features and of their doubt. Only + - * / and sqrt in a fixed order, for equal bits. */
export class FeatureSum {
  /** How unfamiliar they are. */
  doubt = 0
  readonly #file: ModelFile
  readonly #lexicon: Lexicon
  readonly #words: Vocabulary
  readonly #qualities: Qualities
  readonly #ngrams: NgramVectors
  readonly #sum: Float64Array
  #kind: EmbedKind = 'document'

  constructor(file: ModelFile, lexicon: Lexicon, words: Vocabulary) {
    this.#file = file
    this.#lexicon = lexicon
    this.#words = words
    this.#qualities = new Qualities(words)
    this.#ngrams = new NgramVectors(file.dimensions)
    this.#sum = new Float64Array(file.dimensions)
  }

  /** Begins another text. */
  start(kind: EmbedKind): void {
    this.#kind = kind
    this.#sum.fill(0)
    this.doubt = this.#file.baseDoubt[kind]
  }

  /** The row of a phrase of the table, or of a negated word, in all features. @param phrase negative for none */
  rowOf(phrase: number): number {
    return phrase < 0 ? -1 : this.#file.words.length + phrase
  }

  /** Adds a word, in a query a quality also as its adjectives. @param next the word behind it, undefined for none */
  addQuality(word: number, weight: number, next?: number): void {
    const isNamed = this.#kind === 'query' && (next === undefined || this.#qualities.mayStandBefore(next))
    const adjectives = isNamed ? this.#qualities.of(word) : []
    this.add(word, adjectives.length > 0 ? AS_NOUN * weight : weight)
    for (const adjective of adjectives) this.add(adjective, (AS_ADJECTIVE * weight) / adjectives.length)
  }

  /** Adds a word or phrase of the table, in a query with its trained gain. Only what is added brings its doubt along. */
  add(feature: number, weight: number): void {
    const { rows, scales, gains, dimensions, doubts } = this.#file
    const w = this.#kind === 'query' ? weight * (gains[feature] ?? 1) : weight
    addScaled(this.#sum, rows, feature * dimensions, w * (scales[feature] ?? 0))
    if (weight > 0) this.doubt += w * (doubts[this.#kind][feature] ?? 0)
  }

  /** Adds the features of a word of the lexicon. @param negated whether it is in a negation's scope @param part whether it is one of a compound's */
  addEntry(entry: Entry, weight: number, negated: boolean, part = false): void {
    for (let at = entry.start; at < entry.end; at += FEATURE_BYTES) {
      const feature = this.#lexicon.feature(at)
      const w = weight * entry.scale * this.#lexicon.weight(at)
      if (part) this.add(feature, w)
      else this.addQuality(feature, w)
      if (!negated || feature >= this.#file.words.length) continue
      const turned = this.rowOf(this.#words.findPair(this.#words.not, feature))
      if (turned >= 0) this.add(turned, w)
    }
  }

  /** Adds an unknown word, or a piece of a run without spaces. */
  addUnknown(tokens: TokenBuffer, token: number, weight: number): void {
    const w = weight * pieceWeight(tokens, token)
    this.#ngrams.add(tokens, token, w * this.#file.unknownLength, this.#sum)
    this.doubt += (w * this.#file.unknownDoubt[this.#kind]) / pieceSize(tokens, token)
  }

  /**
   * Adds the text's vector to another one, scaled to this length.
   * @param into its trained components, and behind them the doubt of queries and that of documents
   * @returns whether the text had any feature
   */
  addTo(into: Float64Array, length: number): boolean {
    const sum = this.#sum
    let square = 0
    for (let d = 0; d < sum.length; d++) square += (sum[d] ?? 0) * (sum[d] ?? 0)
    if (square === 0) return false
    const scale = length / Math.sqrt(square + this.doubt * this.doubt)
    for (let d = 0; d < sum.length; d++) into[d] = (into[d] ?? 0) + (sum[d] ?? 0) * scale
    const at = sum.length + (this.#kind === 'query' ? 0 : 1)
    into[at] = (into[at] ?? 0) + this.doubt * scale
    return true
  }
}
