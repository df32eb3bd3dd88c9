import { isMostlyLatin, languageByWords } from '../../language-by-words.ts'
import type { EmbedKind } from '../embedder.ts'
import { EnglishReading } from './english-reading.ts'
import { FeatureSum } from './feature-sum.ts'
import { FEATURES } from './features.ts'
import { documentText, queryText } from './input-text.ts'
import { ENGLISH, SPELLED } from './language-detector.ts'
import type { Languages } from './languages.ts'
import { ENDS_SCOPE, NEGATES } from './lexicon.ts'
import type { ModelFile } from './model-file.ts'
import { isQuestion, otherSides } from './opposites.ts'
import { isPageName } from './page-names.ts'
import { PageVoice } from './page-voice.ts'
import { QueryNames } from './query-names.ts'
import { directionOf } from './random-directions.ts'
import { normalise } from './term-weights.ts'
import { Tokenizer } from './tokenizer.ts'
import { type EnglishTokens, Vocabulary } from './vocabulary.ts'

/** How much of its spelling a rare word keeps beside its meaning: a near word is no other way to say it. */
const SPELLING_OF_RARE = 0.5
/** How much of "not quiet", and of "loud", is subtracted from a query that wants "quiet". */
const AGAINST_NEGATION = 0.25
const AGAINST_OPPOSITE = 0.12
/**
 * Length of a query's other readings, against 1 of its likeliest. Chosen over aspects of M-ABSA's hotels, food, restaurants and
 * laptops as queries of a word or two (training/README.md); .4 to .8 are nearly level.
 */
const OTHER_READING = 0.6
const SPELLED_READING = 0.4
/** Length of an unknown word beside those of a language other than English, against that in an English text. */
const STRANGE_WORD = 1.5

/** A query's doubt and a document's. */
const DOUBTS = 2

/** A table's dimensions and those of doubt. */
export function vectorLength({ dimensions }: Pick<ModelFile, 'dimensions'>): number {
  return dimensions + DOUBTS
}

/**
 * Sentence vectors as sums of trained vectors: of words, of phrases (`front desk`), of words in a negation's scope (`not …
 * good`). Another form of a word, a misspelt one and a compound count as what was meant, any other unknown word by its
 * character n-grams, and scripts without spaces by pieces. In a query each is weighted by its trained gain, names less.
 * Two more components express doubt: a query has it in the first, a document in the second, so that it lowers cosines between
 * the two and never raises one. Unfamiliar words and sentences with hardly any content are near to nothing.
 * training/features.py and confidence.py do the same, but for other forms and qualities. Only + - * / and sqrt in a fixed order, for equal bits.
 */
export class Model {
  readonly dimensions: number
  readonly #tokenizer = new Tokenizer()
  readonly #names = new QueryNames()
  readonly #voice = new PageVoice()
  readonly #out: Float64Array
  readonly #sum: FeatureSum
  readonly #reading = new EnglishReading()
  /** The tokenizer's tokens as English words; -1 for none. */
  #places = new Int32Array(1024)
  readonly #english: EnglishTokens
  /** For a text that was tokenised as another language since. */
  readonly #retokenised: EnglishTokens
  readonly #words: Vocabulary
  readonly #languages: Languages
  /** For each word on a scale, the words on its other side. */
  readonly #opposites: ReadonlyMap<number, readonly number[]>

  constructor(file: ModelFile, languages: Languages, known = new Vocabulary(file)) {
    this.#languages = languages
    this.dimensions = vectorLength(file)
    this.#out = new Float64Array(this.dimensions)
    this.#sum = new FeatureSum(file, languages.lexicon, known)
    this.#words = known
    this.#opposites = otherSides(known)
    this.#retokenised = known.of(this.#tokenizer)
    this.#english = { ...this.#retokenised, place: (token) => this.#places[token] ?? -1 }
  }

  /**
   * The unit vector of a text, in a buffer that the next call overwrites. A text without tokens (only punctuation) and a query
   * that only names a page get a direction of their own, near to nothing. A query that may be in several languages is read in each.
   * @param likely for a query, the languages of the excerpts that it is compared with (ISO 639-1), as far as they are known
   */
  encode(given: string, kind: EmbedKind, likely: readonly string[] = []): Float64Array {
    const text = kind === 'query' ? queryText(given) : documentText(given)
    const out = this.#out.fill(0)
    if (kind === 'query' && isPageName(text)) return directionOf(out, this.dimensions - DOUBTS, text)
    const count = this.#tokenize(text)
    const { detector } = this.#languages
    const [first = ENGLISH, ...others] =
      kind === 'query'
        ? detector.readings(this.#tokenizer, count, this.#english, likely)
        : [detector.detect(this.#tokenizer, count, this.#english)]
    this.#sumUp(text, count, first, kind)
    let isRead = this.#sum.addTo(out, 1)
    for (const language of others) {
      this.#sumUp(text, this.#tokenize(text), language, kind)
      isRead = this.#sum.addTo(out, language === SPELLED ? SPELLED_READING : OTHER_READING) || isRead
    }
    if (!isRead) return directionOf(out, this.dimensions - DOUBTS, text)
    if (others.length > 0) normalise(out)
    return out
  }

  /** The languages that a text may be in, see `Languages.possible`. */
  possibleLanguages(text: string): number {
    return this.#languages.detector.possible(this.#tokenizer, this.#tokenize(text), this.#english)
  }

  /** Whether a text may be in a language of which the model knows words. */
  knowsLanguage(text: string): boolean {
    if (!isMostlyLatin(text)) return false
    const told = languageByWords(text)
    return told === undefined || told === 'en' || this.#languages.lexicon.codes.includes(told)
  }

  /** Tokenises a text as English and looks up each word once. @returns the number of tokens */
  #tokenize(text: string): number {
    const count = this.#tokenizer.tokenize(text)
    if (count > this.#places.length) this.#places = new Int32Array(count * 2)
    this.#words.findAll(this.#tokenizer, count, this.#places)
    return count
  }

  /**
   * A text's words as English ones; the next call overwrites what this one returns. None is known of a text in a language that
   * the model does not read, though many may look like words of one that it does ("bra" is good, "rent" clean in Swedish).
   */
  englishWords(text: string): EnglishReading {
    const tokenizer = this.#tokenizer
    const read = this.#reading
    const tokens = this.#tokenize(text)
    if (!this.knowsLanguage(text)) {
      read.setEnglish(tokenizer.hashes, tokens, 0)
      return read
    }
    const language = this.#languages.detector.detect(tokenizer, tokens, this.#english)
    if (language < 0) {
      let known = 0
      for (let i = 0; i < tokens; i++) if ((this.#places[i] ?? -1) >= 0 || tokenizer.names[i] === 1) known++
      read.setEnglish(tokenizer.hashes, tokens, known)
      return read
    }
    const { lexicon } = this.#languages
    const others = tokenizer.tokenize(text, false)
    // a compound is two words
    read.begin(lexicon.codes[language] ?? '', others * 2)
    for (let i = 0; i < others; i++) {
      const entries = this.#languages.find(tokenizer, i, language, this.#retokenised)
      i += this.#languages.words - 1
      if (entries.length === 0) read.addStranger(tokenizer.hashes[i] ?? 0)
      for (const entry of entries) read.addEntry(lexicon, entry, this.#words.hashes)
    }
    return read
  }

  /** Sums up the words of a text that the tokenizer has read as English. */
  #sumUp(text: string, count: number, language: number, kind: EmbedKind): void {
    this.#sum.start(kind)
    const isHeading = kind === 'query' && !isQuestion(text)
    if (language === ENGLISH) this.#sumEnglish(count, kind, isHeading)
    else if (language === SPELLED) this.#sumSpelled(text)
    else this.#sumOther(text, language, isHeading)
  }

  /** @param isHeading for a query that is not a question: it wants what it says and not the opposite */
  #sumEnglish(count: number, kind: EmbedKind, isHeading: boolean): void {
    const sum = this.#sum
    const named = kind === 'query' && this.#names.mark(this.#tokenizer, this.#words)
    this.#voice.mark(this.#tokenizer, count, isHeading)
    let [previous, scope] = [-1, 0]
    for (let i = 0; i < count; i++) {
      if (this.#voice.marked[i] === 1) continue
      let word = this.#places[i] ?? -1
      const loan = word < 0 ? this.#languages.loan(this.#tokenizer, i) : undefined
      const meant = word < 0 && !loan ? this.#words.meant(this.#tokenizer, i) : undefined
      if (meant?.length === 1) word = meant[0] ?? -1
      const weight = named && this.#names.marked[i] === 1 ? FEATURES.nameWeight : 1
      if (word < 0) {
        for (const part of meant ?? []) sum.add(part, weight)
        if (loan) sum.addEntry(loan, weight, false)
        else if (!meant?.length) sum.addUnknown(this.#tokenizer, i, weight)
        if (loan?.spelled) sum.addUnknown(this.#tokenizer, i, SPELLING_OF_RARE * weight)
        ;[previous, scope] = [-1, Math.max(0, scope - 1)]
        continue
      }
      sum.addQuality(word, weight, i + 1 < count ? this.#places[i + 1] : undefined)
      const phrase = previous < 0 ? -1 : this.#words.findPair(previous, word)
      if (phrase >= 0) {
        const both = named && this.#names.marked[i - 1] === 1 ? weight : 1
        sum.add(sum.rowOf(phrase), both)
      }
      const role = this.#words.roles[word]
      if (role === NEGATES) scope = FEATURES.scope
      else {
        if (role === ENDS_SCOPE) scope = 0
        if (scope > 0) {
          scope--
          const negated = phrase >= 0 ? -1 : this.#words.findPair(this.#words.not, word)
          if (negated >= 0) sum.add(sum.rowOf(negated), weight)
        } else if (isHeading) this.#takeOpposite(word, weight)
      }
      previous = word
    }
  }

  /** The same for a text in another language, where capitals do not mark names, since German capitalises every noun. */
  #sumOther(text: string, language: number, isHeading: boolean): void {
    const tokenizer = this.#tokenizer
    const count = tokenizer.tokenize(text, false)
    this.#voice.mark(tokenizer, count, isHeading)
    let scope = 0
    for (let i = 0; i < count; i++) {
      if (this.#voice.marked[i] === 1) continue
      const entries = this.#languages.find(tokenizer, i, language, this.#retokenised)
      i += this.#languages.words - 1
      let role = 0
      for (const entry of entries) {
        role |= entry.role
        this.#sum.addEntry(entry, 1, scope > 0 && entry.role === 0, entries.length > 1)
      }
      if (entries.length === 0) this.#addEnglish(i)
      scope = role === NEGATES ? FEATURES.scope : role === ENDS_SCOPE ? 0 : Math.max(0, scope - 1)
    }
  }

  /** Adds a token of a text in another language that this one does not have: English, a name, or unknown. */
  #addEnglish(token: number): void {
    const word = this.#words.find(this.#tokenizer, token)
    const rare = word < 0 ? this.#languages.rare(this.#tokenizer, token) : undefined
    if (rare) this.#sum.addEntry(rare, 1, false)
    if (word >= 0) this.#sum.add(word, 1)
    else this.#sum.addUnknown(this.#tokenizer, token, rare ? SPELLING_OF_RARE : STRANGE_WORD)
  }

  #sumSpelled(text: string): void {
    const count = this.#tokenizer.tokenize(text, false)
    for (let i = 0; i < count; i++) this.#sum.addUnknown(this.#tokenizer, i, 1)
  }

  /** Moves a query away from what its word does not mean: the negated word, and words for the other side of its scale. */
  #takeOpposite(word: number, weight: number): void {
    const others = this.#opposites.get(word)
    if (others === undefined) return
    const negated = this.#sum.rowOf(this.#words.findPair(this.#words.not, word))
    if (negated >= 0) this.#sum.add(negated, -AGAINST_NEGATION * weight)
    for (const other of others) this.#sum.add(other, (-AGAINST_OPPOSITE * weight) / others.length)
  }
}
