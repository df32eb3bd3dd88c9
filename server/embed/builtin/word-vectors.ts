import { LRUCache } from 'lru-cache'
import type { ModelFile } from './model-file.ts'
import { normalise } from './term-weights.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Eight megabytes. */
const MOST_UNITS = 8_000

/** The vectors of single words: a word is its row, or the same plus the number of words when it is negated. */
export class WordVectors {
  readonly #file: ModelFile
  readonly #words: Vocabulary
  readonly #units = new LRUCache<number, Float32Array>({ max: MOST_UNITS })

  constructor(file: ModelFile, words: Vocabulary) {
    this.#file = file
    this.#words = words
  }

  /** A word's unit vector; searches meet the same words again and again. */
  unit(word: number): Float32Array {
    const kept = this.#units.get(word)
    if (kept) return kept
    const vector = this.of(word)
    normalise(vector)
    const unit = Float32Array.from(vector)
    this.#units.set(word, unit)
    return unit
  }

  /** A new copy. That of a negated word is the sum of both. */
  of(word: number): Float64Array {
    const { dimensions, words } = this.#file
    const out = new Float64Array(dimensions)
    this.#add(out, word % words.length)
    if (word >= words.length) this.#add(out, this.negated(word - words.length))
    return out
  }

  /** The row of a negated word; -1 for none. */
  negated(word: number): number {
    const pair = this.#words.findPair(this.#words.not, word)
    return pair < 0 ? -1 : this.#file.words.length + pair
  }

  #add(out: Float64Array, row: number): void {
    const { rows, scales } = this.#file
    const base = row * out.length
    const scale = scales[row] ?? 0
    for (let d = 0; d < out.length; d++) out[d] = (out[d] ?? 0) + scale * (rows[base + d] ?? 0)
  }
}
