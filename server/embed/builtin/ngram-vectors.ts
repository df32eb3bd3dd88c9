import { addScaled } from './add-scaled.ts'
import { FNV_OFFSET, FNV_PRIME, mixBits } from './fnv.ts'
import { randomSigns } from './random-directions.ts'
import type { TokenBuffer } from './token-buffer.ts'

const [LESS, MORE] = [60, 62]
/** Character n-grams share this many random directions. */
const BUCKETS = 8192
/** Unknown words whose sums are cached, a power of two: an excerpt's words recur in its sentences, and names all the time. */
const KEPT_WORDS = 1024
/** Units of the longest cached word; the tokenizer produces no longer ones. */
const LONGEST_KEPT = 40

/**
 * Vectors of unknown words: a random direction per character n-gram of length 3 to 5 (`<` and `>` mark the word's ends), so
 * that a word resembles similarly spelled words and nothing else. This is what carries other languages.
 */
export class NgramVectors {
  readonly #dimensions: number
  /** The directions of all buckets, generated at the first unknown word. */
  #signs: Int8Array | undefined
  /** Per cache slot: its word, that word's length (0: free), its number of n-grams and the sum of their signs. */
  readonly #units = new Uint16Array(KEPT_WORDS * LONGEST_KEPT)
  readonly #lengths = new Uint8Array(KEPT_WORDS)
  readonly #counts = new Uint16Array(KEPT_WORDS)
  readonly #sums: Int16Array

  constructor(dimensions: number) {
    this.#dimensions = dimensions
    this.#sums = new Int16Array(KEPT_WORDS * dimensions)
  }

  /** Adds a token's vector, scaled to this length. */
  add(tokens: TokenBuffer, token: number, length: number, sum: Float64Array): void {
    const place = this.#placeOf(tokens, token)
    const count = this.#counts[place] ?? 0
    if (count === 0) return
    // the n-grams' directions are nearly orthogonal, so this scales their sum to `length`
    const scale = length / Math.sqrt(count * this.#dimensions)
    addScaled(sum, this.#sums, place * this.#dimensions, scale)
  }

  /** The cache slot of a word's n-gram sum, computed if missing. */
  #placeOf(tokens: TokenBuffer, token: number): number {
    const { units, starts, ends, hashes } = tokens
    const start = starts[token] ?? 0
    const size = (ends[token] ?? 0) - start
    const place = mixBits(hashes[token] ?? 0) & (KEPT_WORDS - 1)
    const from = place * LONGEST_KEPT
    if (size === this.#lengths[place]) {
      let i = 0
      while (i < size && units[start + i] === this.#units[from + i]) i++
      if (i === size) return place
    }
    this.#lengths[place] = size <= LONGEST_KEPT ? size : 0
    for (let i = 0; i < Math.min(size, LONGEST_KEPT); i++) this.#units[from + i] = units[start + i] ?? 0
    const first = place * this.#dimensions
    const gram = this.#sums.subarray(first, first + this.#dimensions).fill(0)
    this.#signs ??= randomSigns(BUCKETS * this.#dimensions)
    const signs = this.#signs
    const length = size + 2
    let count = 0
    for (let n = 3; n <= 5; n++) {
      for (let from = 0; from + n <= length; from++) {
        let hash = FNV_OFFSET
        for (let i = from; i < from + n; i++) {
          const unit = i === 0 ? LESS : i === length - 1 ? MORE : (units[start + i - 1] ?? 0)
          hash = Math.imul(hash ^ unit, FNV_PRIME)
        }
        const base = (mixBits(hash) & (BUCKETS - 1)) * this.#dimensions
        for (let d = 0; d < gram.length; d++) gram[d] = (gram[d] ?? 0) + (signs[base + d] ?? 0)
        count++
      }
    }
    this.#counts[place] = count
    return place
  }
}
