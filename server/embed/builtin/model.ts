import type { EmbedKind } from '../embedder.ts'
import { addScaled } from './add-scaled.ts'
import { FEATURES } from './features.ts'
import type { Languages } from './languages.ts'
import { ENDS_SCOPE, type Entry, FEATURE_BYTES, NEGATES } from './lexicon.ts'
import type { ModelFile } from './model-file.ts'
import { NgramVectors } from './ngram-vectors.ts'
import { isQuestion, otherSides } from './opposites.ts'
import { pieceSize, pieceWeight } from './pieces.ts'
import { QueryNames } from './query-names.ts'
import { directionOf } from './random-directions.ts'
import { Tokenizer } from './tokenizer.ts'
import { type EnglishTokens, Vocabulary } from './vocabulary.ts'

/** How much of its spelling a rare word keeps beside its meaning: a near word is no other way to say it. */
const SPELLED = 0.5
/** How much of "not quiet", and of "loud", is subtracted from a query that wants "quiet". */
const AGAINST_NEGATION = 0.25
const AGAINST_OPPOSITE = 0.12

/** A table's dimensions and the two of doubt. */
export function vectorLength({ dimensions }: Pick<ModelFile, 'dimensions'>): number {
  return dimensions + 2
}

/**
 * Sentence vectors as sums of trained vectors: of words, of phrases (`front desk`), of words in a negation's scope (`not …
 * good`). Another form of a word, a misspelt one and a compound count as what was meant, any other unknown word by its
 * character n-grams, and scripts without spaces by pieces. In a query each is weighted by its trained gain, names less.
 * Two more components express doubt: a query has it in the first, a document in the second, so that it lowers cosines between
 * the two and never raises one. Unfamiliar words and sentences with hardly any content are near to nothing.
 * training/features.py and confidence.py do the same, but for other forms. Only + - * / and sqrt in a fixed order, for equal bits.
 */
export class Model {
  readonly dimensions: number
  readonly #trained: number
  readonly #tokenizer = new Tokenizer()
  readonly #names = new QueryNames()
  readonly #file: ModelFile
  readonly #out: Float64Array
  readonly #sum: Float64Array
  #read = new Int32Array(1024)
  /** The tokenizer's tokens as English words; -1 for none. */
  #places = new Int32Array(1024)
  readonly #english: EnglishTokens
  /** For a text that was tokenised as another language since. */
  readonly #retokenised: EnglishTokens
  readonly #words: Vocabulary
  readonly #ngrams: NgramVectors
  readonly #firstPhrase: number
  readonly #languages: Languages
  /** For each word on a scale, the words on its other side. */
  readonly #opposites: ReadonlyMap<number, readonly number[]>

  constructor(file: ModelFile, languages: Languages, known = new Vocabulary(file)) {
    this.#languages = languages
    this.dimensions = vectorLength(file)
    this.#trained = file.dimensions
    this.#file = file
    this.#out = new Float64Array(this.dimensions)
    this.#sum = this.#out.subarray(0, file.dimensions)
    this.#firstPhrase = file.words.length
    this.#words = known
    this.#ngrams = new NgramVectors(file.dimensions)
    this.#opposites = otherSides(known)
    this.#retokenised = known.of(this.#tokenizer)
    this.#english = { ...this.#retokenised, place: (token) => this.#places[token] ?? -1 }
  }

  /**
   * The unit vector of a text, in a buffer that the next call overwrites. A text without tokens (only punctuation) gets a
   * direction of its own, near to nothing.
   */
  encode(text: string, kind: EmbedKind): Float64Array {
    const out = this.#out.fill(0)
    const count = this.#tokenize(text)
    const language = this.#languages.detect(this.#tokenizer, count, this.#english)
    const doubt =
      language < 0
        ? this.#sumEnglish(count, kind, kind === 'query' && !isQuestion(text))
        : this.#sumOther(text, language, kind)
    const sum = this.#sum
    let square = 0
    for (let d = 0; d < sum.length; d++) square += (sum[d] ?? 0) * (sum[d] ?? 0)
    if (square === 0) return directionOf(out, sum.length, text)
    const scale = 1 / Math.sqrt(square + doubt * doubt)
    for (let d = 0; d < sum.length; d++) sum[d] = (sum[d] ?? 0) * scale
    out[this.#trained + (kind === 'query' ? 0 : 1)] = doubt * scale
    return out
  }

  /** The languages that a text may be in, see `Languages.possible`. */
  possibleLanguages(text: string): number {
    return this.#languages.possible(this.#tokenizer, this.#tokenize(text), this.#english)
  }

  /** Tokenises a text as English and looks up each word once. @returns the number of tokens */
  #tokenize(text: string): number {
    const count = this.#tokenizer.tokenize(text)
    if (count > this.#places.length) this.#places = new Int32Array(count * 2)
    this.#words.findAll(this.#tokenizer, count, this.#places)
    return count
  }

  /**
   * Hashes of a text's words as English tokens, in an array that the next call overwrites: a foreign word is replaced by the
   * English one with its highest weight. `known` counts those that the model knows or takes for names.
   */
  englishWords(text: string): { count: number; known: number; hashes: Int32Array } {
    const tokenizer = this.#tokenizer
    const tokens = this.#tokenize(text)
    const language = this.#languages.detect(tokenizer, tokens, this.#english)
    let known = 0
    if (language < 0) {
      for (let i = 0; i < tokens; i++) if ((this.#places[i] ?? -1) >= 0 || tokenizer.names[i] === 1) known++
      return { count: tokens, known, hashes: tokenizer.hashes }
    }
    const others = tokenizer.tokenize(text, false)
    // a compound is two words
    if (this.#read.length < others * 2) this.#read = new Int32Array(others * 4)
    const hashes = this.#read
    let count = 0
    for (let i = 0; i < others; i++) {
      const entries = this.#languages.find(tokenizer, i, language, this.#retokenised)
      i += this.#languages.words - 1
      if (entries.length === 0) hashes[count++] = tokenizer.hashes[i] ?? 0
      for (const entry of entries) {
        const word = this.#languages.lexicon.foremost(entry, this.#firstPhrase)
        if (word < 0) continue
        hashes[count++] = this.#words.hashes[word] ?? 0
        known++
      }
    }
    return { count, known, hashes }
  }

  /**
   * Sums up the tokenizer's words.
   * @param oneSide for a query that is not a question: it wants what it says and not the opposite
   * @returns their doubt
   */
  #sumEnglish(count: number, kind: EmbedKind, oneSide: boolean): number {
    const query = kind === 'query'
    const named = query && this.#names.mark(this.#tokenizer, this.#words)
    const doubts = this.#file.doubts[kind]
    let doubt = this.#file.baseDoubt[kind]
    let [previous, scope] = [-1, 0]
    for (let i = 0; i < count; i++) {
      let word = this.#places[i] ?? -1
      const loan = word < 0 ? this.#languages.loan(this.#tokenizer, i) : undefined
      const meant = word < 0 && !loan ? this.#words.meant(this.#tokenizer, i) : undefined
      if (meant?.length === 1) word = meant[0] ?? -1
      const weight = named && this.#names.marked[i] === 1 ? FEATURES.nameWeight : 1
      if (word < 0) {
        for (const part of meant ?? []) doubt += this.#add(part, weight, query, doubts)
        if (loan) doubt += this.#addEntry(loan, weight, kind, false)
        else if (!meant?.length) doubt += this.#addUnknown(i, weight, kind)
        if (loan?.spelled) doubt += this.#addUnknown(i, SPELLED * weight, kind)
        ;[previous, scope] = [-1, Math.max(0, scope - 1)]
        continue
      }
      doubt += this.#add(word, weight, query, doubts)
      const phrase = previous < 0 ? -1 : this.#words.findPair(previous, word)
      if (phrase >= 0) {
        const both = named && this.#names.marked[i - 1] === 1 ? weight : 1
        doubt += this.#add(this.#firstPhrase + phrase, both, query, doubts)
      }
      const role = this.#words.roles[word]
      if (role === NEGATES) scope = FEATURES.scope
      else {
        if (role === ENDS_SCOPE) scope = 0
        if (scope > 0) {
          scope--
          const negated = phrase >= 0 ? -1 : this.#words.findPair(this.#words.not, word)
          if (negated >= 0) doubt += this.#add(this.#firstPhrase + negated, weight, query, doubts)
        } else if (oneSide) this.#takeOpposite(word, weight, doubts)
      }
      previous = word
    }
    return doubt
  }

  /** The same for a text in another language, where capitals do not mark names, since German capitalises every noun. */
  #sumOther(text: string, language: number, kind: EmbedKind): number {
    const tokenizer = this.#tokenizer
    const count = tokenizer.tokenize(text, false)
    const query = kind === 'query'
    let [doubt, scope] = [this.#file.baseDoubt[kind], 0]
    for (let i = 0; i < count; i++) {
      const entries = this.#languages.find(tokenizer, i, language, this.#retokenised)
      i += this.#languages.words - 1
      let role = 0
      for (const entry of entries) {
        role |= entry.role
        doubt += this.#addEntry(entry, 1, kind, scope > 0 && entry.role === 0)
      }
      if (entries.length === 0) {
        const word = this.#words.find(this.#tokenizer, i)
        if (word >= 0) doubt += this.#add(word, 1, query, this.#file.doubts[kind])
        else doubt += this.#addUnknown(i, 1, kind)
      }
      scope = role === NEGATES ? FEATURES.scope : role === ENDS_SCOPE ? 0 : Math.max(0, scope - 1)
    }
    return doubt
  }

  /** Adds the features of a foreign word. @param negated whether it is in a negation's scope @returns its doubt */
  #addEntry(entry: Entry, weight: number, kind: EmbedKind, negated: boolean): number {
    const { lexicon } = this.#languages
    const doubts = this.#file.doubts[kind]
    let doubt = 0
    for (let at = entry.start; at < entry.end; at += FEATURE_BYTES) {
      const feature = lexicon.feature(at)
      const w = weight * entry.scale * lexicon.weight(at)
      const brings = this.#add(feature, w, kind === 'query', doubts)
      if (w > 0) doubt += brings
      if (!negated || feature >= this.#firstPhrase) continue
      const turned = this.#words.findPair(this.#words.not, feature)
      if (turned < 0) continue
      const more = this.#add(this.#firstPhrase + turned, w, kind === 'query', doubts)
      if (w > 0) doubt += more
    }
    return doubt
  }

  /** Moves a query away from what its word does not mean: the negated word, and words for the other side of its scale. */
  #takeOpposite(word: number, weight: number, doubts: Float64Array): void {
    const others = this.#opposites.get(word)
    if (others === undefined) return
    const negated = this.#words.findPair(this.#words.not, word)
    if (negated >= 0) this.#add(this.#firstPhrase + negated, -AGAINST_NEGATION * weight, true, doubts)
    for (const other of others) this.#add(other, (-AGAINST_OPPOSITE * weight) / others.length, true, doubts)
  }

  /** Adds a feature's vector. @returns its doubt */
  #add(feature: number, weight: number, query: boolean, doubts: Float64Array): number {
    const { rows, scales, gains } = this.#file
    const w = query ? weight * (gains[feature] ?? 1) : weight
    addScaled(this.#sum, rows, feature * this.#trained, w * (scales[feature] ?? 0))
    return w * (doubts[feature] ?? 0)
  }

  /** Adds an unknown word, or a piece of a run without spaces. @returns its doubt */
  #addUnknown(token: number, weight: number, kind: EmbedKind): number {
    const tokens = this.#tokenizer
    const w = weight * pieceWeight(tokens, token)
    this.#ngrams.add(tokens, token, w * this.#file.unknownLength, this.#sum)
    return (w * this.#file.unknownDoubt[kind]) / pieceSize(tokens, token)
  }
}
