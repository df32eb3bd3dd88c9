import { dotProducts } from './dot-products.ts'
import type { Languages } from './languages.ts'
import type { ModelFile } from './model-file.ts'
import { KINDS_OF_PAGES, type OffDomain } from './off-domain.ts'
import { isQuestion, otherSides } from './opposites.ts'
import { Qualities } from './qualities.ts'
import { normalise, weightedByRarity } from './term-weights.ts'
import type { Vocabulary } from './vocabulary.ts'
import { LEAST_UNKNOWN } from './word-numbers.ts'
import { WordReader } from './word-reader.ts'
import { WordVectors } from './word-vectors.ts'

/** A query, to be compared with texts by the words that `read` found in them. */
export interface AskedWords {
  isQuestion: boolean
  /**
   * How much of the query each text covers, from 0 to 1. Words that most of the texts have count for less: among reviews of
   * breakfasts the word distinguishes none.
   */
  coverage(texts: readonly Int32Array[]): number[]
  /**
   * How much of it is about things that reviews rarely mention and none of the texts does, its words for them, and how much
   * the texts themselves are about such things.
   */
  offDomain(texts: readonly Int32Array[]): { missing: number; words: string[]; ofTexts: number }
}

/** Words with a smaller share of a query are ignored: they cost time and tell nothing. */
const LEAST_SHARE = 0.02
/**
 * How similar words are that mean the same, of which a text with the query's own is ahead. Chosen over aspects of M-ABSA as
 * queries (training/README.md): without it a text with "Wein" covers "Weinkarte" as well as one with the word.
 */
const SYNONYM = 0.8
/** Any two words are this similar. */
const LEAST_NEAR = 0.3
/** Minimum share of a query of an off-domain word that is reported. */
const LEAST_TOLD = 0.1

/** A query's word, its weight and its unit vector; no vector for an unknown word. */
interface Term {
  word: number
  /** Its numbers as it was typed, of which one may be of a text that is read in another language. */
  same: readonly number[]
  /** Other words with its meaning. */
  synonyms: readonly number[]
  weight: number
  vector: Float64Array | undefined
  /** Words that say the opposite, however near they are. */
  against: readonly number[]
}

/**
 * How much of a query a text covers, word by word. A sum of words does not distinguish "cheap lunch" from a lot of lunch;
 * here each word of the query is matched with the most similar word of the text, and one without a match counts with the
 * square of what it lacks.
 *
 * Words are numbers: a word's row; the same plus the table's size for a negated word, whose vector is the sum of both;
 * negative for an unknown word, which matches only itself. Words of other languages are read as their English equivalents, but
 * are also kept as they were typed: query and text may be read in different languages ("personnel" alone as English), above
 * all in a language that the model does not know, and the same word is the same even so.
 * Similarities use only + - * / and sqrt in a fixed order, as in `Model`.
 */
export class WordCoverage {
  readonly #file: ModelFile
  readonly #offDomain: OffDomain
  readonly #reader: WordReader
  readonly #qualities: Qualities
  readonly #turned: number
  readonly #vectors: WordVectors
  readonly #opposites: ReadonlyMap<number, readonly number[]>
  readonly #kindsOfPages: ReadonlySet<number>

  constructor(file: ModelFile, words: Vocabulary, languages: Languages, offDomain: OffDomain) {
    this.#file = file
    this.#offDomain = offDomain
    this.#qualities = new Qualities(words)
    this.#turned = file.words.length
    this.#opposites = otherSides(words)
    this.#kindsOfPages = new Set(words.places(KINDS_OF_PAGES))
    const vectors = new WordVectors(file, words)
    this.#vectors = vectors
    this.#reader = new WordReader(words, languages, (word) => vectors.negated(word) >= 0)
  }

  /** The distinct words of a text. */
  read(text: string): Int32Array {
    const { weights, typed } = this.#reader.read(text)
    return Int32Array.from([...weights.keys(), ...typed.map(({ as }) => as)])
  }

  /** @param likely ISO 639-1 codes of the texts' languages, as far as they are known: a query is read in the same as its vector */
  ask(query: string, likely: readonly string[] = []): AskedWords {
    const question = isQuestion(query)
    const terms = this.#terms(query, likely, !question)
    const products = dotProducts(
      terms.map(({ vector }) => vector),
      this.#file.dimensions,
    )
    /** Offset of a word's similarities, one per term. */
    const known = new Map<number, number>()
    const likenesses: number[] = []
    const weights = Float64Array.from(terms, ({ weight }) => weight)
    /** Raises `best` to the similarity of the text's nearest word to each term. */
    const raise = (best: Float64Array, text: Int32Array) => {
      for (let at = 0; at < text.length; at++) {
        const word = text[at] ?? 0
        let first = known.get(word)
        if (first === undefined) {
          first = likenesses.length
          known.set(word, first)
          this.#compare(terms, products, word, likenesses)
        }
        for (let i = 0; i < best.length; i++) {
          const near = likenesses[first + i] ?? 0
          if (near > (best[i] ?? 0)) best[i] = near
        }
      }
    }
    return {
      isQuestion: question,
      coverage(texts) {
        const found = texts.map((text) => {
          const best = new Float64Array(terms.length)
          raise(best, text)
          return best
        })
        const telling = weightedByRarity(weights, found)
        return found.map((best) => {
          let missing = 0
          for (let i = 0; i < telling.length; i++) {
            const near = best[i] ?? 0
            const lacks = near < LEAST_NEAR ? 1 : 1 - near
            missing += (telling[i] ?? 0) * lacks * lacks
          }
          // weights sum to 1 except for the last bits
          return 1 - Math.sqrt(Math.min(1, missing))
        })
      },
      offDomain: (texts) => {
        const best = new Float64Array(terms.length)
        for (const text of texts) raise(best, text)
        const rowOf = (word: number) => (word < 0 ? word : word % this.#turned)
        // a text that says a word's opposite, "no fear" for "fear", is about the same thing
        const said = new Set<number>()
        let ofTexts = 0
        for (const text of texts) {
          let sum = 0
          let count = 0
          for (const word of text) {
            if (word < LEAST_UNKNOWN) continue
            const row = rowOf(word)
            said.add(row)
            sum += this.#offDomain.of(row)
            count++
          }
          ofTexts += sum / Math.max(1, count) / texts.length
        }
        const each = terms.map(({ word, weight }, i) => {
          const row = rowOf(word)
          const odds = said.has(row) || this.#kindsOfPages.has(row) ? 0 : this.#offDomain.of(row)
          return { row, missing: weight * (1 - (best[i] ?? 0)) * odds }
        })
        return {
          missing: each.reduce((sum, { missing }) => sum + missing, 0),
          ofTexts,
          words: each.flatMap(({ row, missing }) => (missing > LEAST_TOLD ? (this.#file.words[row] ?? []) : [])),
        }
      },
    }
  }

  #terms(query: string, likely: readonly string[], oneSide: boolean): Term[] {
    const { weights, typed, translated } = this.#reader.read(query, likely)
    const terms = [...weights].map(([word, share]): Term => {
      const vector = word < 0 ? undefined : this.#vectors.of(word)
      const length = vector === undefined ? this.#file.unknownLength : normalise(vector)
      const gain = word < 0 ? 1 : (this.#file.gains[word % this.#turned] ?? 1)
      const weight = share * gain * length
      const asTyped = typed.flatMap((one) => (one.word === word ? [one.as] : []))
      const same = translated.has(word) ? asTyped : [word, ...asTyped]
      const synonyms = [word, ...this.#qualities.of(word)]
      const against = oneSide ? this.#otherSide(word) : []
      // between the weight in the sum and its square: the key words of a query count for more than the rest
      return { word, same, synonyms, weight: weight * Math.sqrt(weight), vector, against }
    })
    const total = terms.reduce((sum, { weight }) => sum + weight, 0)
    const telling = terms.filter(({ weight }) => weight > LEAST_SHARE * total)
    const left = telling.reduce((sum, { weight }) => sum + weight, 0)
    return telling.map((term) => ({ ...term, weight: term.weight / left }))
  }

  /** What a query that is not a question excludes: "not quiet" and "loud" for "quiet". */
  #otherSide(word: number): number[] {
    if (word < 0) return []
    const plain = word % this.#turned
    return word === plain ? [word + this.#turned, ...(this.#opposites.get(plain) ?? [])] : [plain]
  }

  /** Appends the similarity of another word to each of the terms. */
  #compare(terms: readonly Term[], products: ReturnType<typeof dotProducts>, other: number, into: number[]): void {
    const near = other < 0 ? undefined : products(this.#vectors.unit(other))
    for (const [i, { same, synonyms, vector, against }] of terms.entries()) {
      if (same.includes(other)) into.push(1)
      else if (synonyms.includes(other)) into.push(SYNONYM)
      else into.push(near && vector && !against.includes(other) ? (near[i] ?? 0) : 0)
    }
  }
}
