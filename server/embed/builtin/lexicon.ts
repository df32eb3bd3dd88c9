import { readFileSync } from 'node:fs'
import { FNV_OFFSET, FNV_PRIME, spread, tableSize } from './fnv.ts'

const VERSION = 1
const HEADER = 4 + 4 * 4
const WEIGHT = 1 / 50

/** What a word does to the words behind it (`Entry.role`). */
export const NEGATES = 1
export const ENDS_SCOPE = 2

/** The English features that a word of another language stands for: `features[i]` with `weights[i]`, from `start` to `end`. */
export interface Entry {
  start: number
  end: number
  role: number
  /** What all of its weights are multiplied by. */
  scale: number
}

/**
 * Words of other languages as short lists of English features. Made by training/languages.py; the layout is described
 * there.
 */
export class Lexicon {
  readonly codes: readonly string[]
  /** Ids of words and phrases of the embedding table. */
  readonly features: Uint16Array
  readonly weights: Float64Array
  readonly #units: Uint8Array
  readonly #ends: Uint32Array
  readonly masks: Uint8Array
  /** Of each word's first entry; a word has one for each bit of its mask, in order. */
  readonly first: Uint32Array
  readonly frequency: Uint8Array
  readonly #heads: Uint8Array
  /** Of each entry's first feature. */
  readonly #starts: Uint32Array
  /** Open addressing: word + 1. */
  readonly #slots: Int32Array
  readonly #mask: number

  constructor(path: URL) {
    const bytes = readFileSync(path)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.toString('latin1', 0, 4) !== 'PQLN' || view.getUint32(4, true) !== VERSION) {
      throw new Error(`${path.href} is damaged; install the package again.`)
    }
    const [languages = 0, words = 0, listed = 0] = [8, 12, 16].map((at) => view.getUint32(at, true))
    let at = HEADER
    this.codes = Array.from({ length: languages }, (_, i) => bytes.toString('latin1', at + i * 2, at + i * 2 + 2))
    at += languages * 2
    this.#units = bytes.subarray(at, at + listed)
    at += listed
    this.masks = bytes.subarray(at, at + words)
    at += words
    this.#ends = new Uint32Array(words)
    for (let i = 0, word = 0; word < words; i++) if (i === listed || this.#units[i] === 10) this.#ends[word++] = i
    this.first = new Uint32Array(words + 1)
    let entries = 0
    for (let word = 0; word < words; word++) {
      this.first[word] = entries
      for (let left = this.masks[word] ?? 0; left !== 0; left &= left - 1) entries++
    }
    this.first[words] = entries
    this.frequency = new Uint8Array(entries)
    this.#heads = new Uint8Array(entries)
    this.#starts = new Uint32Array(entries + 1)
    const most = Math.floor((bytes.length - at) / 3)
    const features = new Uint16Array(most)
    const weights = new Float64Array(most)
    let next = 0
    for (let entry = 0; entry < entries; entry++) {
      this.frequency[entry] = bytes[at] ?? 0
      const head = bytes[at + 1] ?? 0
      this.#heads[entry] = head
      this.#starts[entry] = next
      at += 2
      for (let left = head & 63; left > 0; left--, at += 3, next++) {
        features[next] = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
        weights[next] = view.getInt8(at + 2) * WEIGHT
      }
    }
    this.#starts[entries] = next
    if (at !== bytes.length) throw new Error(`${path.href} is damaged; install the package again.`)
    this.features = features.slice(0, next)
    this.weights = weights.slice(0, next)
    this.#mask = tableSize(words) - 1
    this.#slots = new Int32Array(this.#mask + 1)
    for (let word = 0; word < words; word++) {
      let hash = FNV_OFFSET
      const end = this.#ends[word] ?? 0
      for (let i = this.#start(word); i < end; i++) hash = Math.imul(hash ^ (this.#units[i] ?? 0), FNV_PRIME)
      let slot = spread(hash) & this.#mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask
      this.#slots[slot] = word + 1
    }
  }

  /** What an entry stands for. */
  read(entry: number, scale: number): Entry {
    return {
      start: this.#starts[entry] ?? 0,
      end: this.#starts[entry + 1] ?? 0,
      role: (this.#heads[entry] ?? 0) >> 6,
      scale,
    }
  }

  /** The English word that an entry stands for most, of the first `words` features; -1 for none. */
  foremost({ start, end }: Entry, words: number): number {
    let best = -1
    for (let i = start; i < end; i++) {
      if ((this.features[i] ?? 0) >= words) continue
      if (best < 0 || (this.weights[i] ?? 0) > (this.weights[best] ?? 0)) best = i
    }
    return best < 0 ? -1 : (this.features[best] ?? -1)
  }

  /** The entry of a word in a language; -1 for none. */
  entry(units: Uint16Array, start: number, end: number, language: number): number {
    let hash = FNV_OFFSET
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ (units[i] ?? 0), FNV_PRIME)
    const word = this.find(units, start, end, hash)
    if (word < 0) return -1
    const mask = this.masks[word] ?? 0
    const bit = 1 << language
    if ((mask & bit) === 0) return -1
    let entry = this.first[word] ?? 0
    for (let below = mask & (bit - 1); below !== 0; below &= below - 1) entry++
    return entry
  }

  /** The word of these units and their hash, whatever the language; -1 for none. */
  find(units: Uint16Array, start: number, end: number, hash: number): number {
    let slot = spread(hash) & this.#mask
    for (;;) {
      const word = (this.#slots[slot] ?? 0) - 1
      if (word < 0) return -1
      const from = this.#start(word)
      if ((this.#ends[word] ?? 0) - from === end - start) {
        let i = 0
        while (start + i < end && units[start + i] === this.#units[from + i]) i++
        if (start + i === end) return word
      }
      slot = (slot + 1) & this.#mask
    }
  }

  #start(word: number): number {
    return word === 0 ? 0 : (this.#ends[word - 1] ?? 0) + 1
  }
}
