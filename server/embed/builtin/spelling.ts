import { FNV_OFFSET, FNV_PRIME, mixBits, tableSize } from './fnv.ts'

/** Only frequent words are worth finding, and short ones resemble too many others. */
const WORDS = 8000
const SHORTEST = 5
const SHORTEST_SWAP = 6
const LONGEST = 20

/**
 * Finds the frequent word that a misspelt one is one edit away from: an extra, missing, wrong or swapped letter. Candidates
 * share what remains when a letter is left out (Garbe's symmetric deletion).
 */
export class Spelling {
  readonly #units: Uint16Array
  readonly #ends: Int32Array
  /** Open addressing by the hash of a word without one letter: word id + 1. */
  readonly #slots: Int32Array
  readonly #hashes: Int32Array
  readonly #mask: number

  /** @param ends where each word ends in `units`, with a leading 0; most frequent words first */
  constructor(units: Uint16Array, ends: Int32Array) {
    this.#units = units
    this.#ends = ends
    let entries = 0
    const count = Math.min(WORDS, ends.length - 1)
    for (let id = 0; id < count; id++) entries += (ends[id + 1] ?? 0) - (ends[id] ?? 0) + 1
    this.#mask = tableSize(entries) - 1
    this.#slots = new Int32Array(this.#mask + 1)
    this.#hashes = new Int32Array(this.#mask + 1)
    for (let id = 0; id < count; id++) {
      const [start, end] = [ends[id] ?? 0, ends[id + 1] ?? 0]
      if (end - start < SHORTEST || end - start > LONGEST || !isPlain(units, start, end)) continue
      this.#insert(hashWithout(units, start, end, -1), id)
      for (let skip = start; skip < end; skip++) this.#insert(hashWithout(units, start, end, skip), id)
    }
  }

  /** @returns the id of the most frequent word one edit away, or -1 */
  find(token: Uint16Array, start: number, end: number): number {
    const length = end - start
    if (length < SHORTEST - 1 || length > LONGEST || !isPlain(token, start, end)) return -1
    let best = this.#search(hashWithout(token, start, end, -1), token, start, end, -1)
    if (length < SHORTEST_SWAP) return best
    for (let skip = start; skip < end; skip++) {
      best = this.#search(hashWithout(token, start, end, skip), token, start, end, best)
    }
    return best
  }

  #insert(hash: number, id: number): void {
    let slot = mixBits(hash) & this.#mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask
    this.#slots[slot] = id + 1
    this.#hashes[slot] = hash
  }

  #search(hash: number, token: Uint16Array, start: number, end: number, best: number): number {
    let slot = mixBits(hash) & this.#mask
    let found = best
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const id = (this.#slots[slot] ?? 0) - 1
      if (this.#hashes[slot] !== hash || (found >= 0 && id >= found)) continue
      if (this.#oneSlip(id, token, start, end)) found = id
    }
    return found
  }

  /** Same first letter, and at most one letter missing or wrong, or two neighbours swapped. */
  #oneSlip(id: number, token: Uint16Array, start: number, end: number): boolean {
    const units = this.#units
    const from = this.#ends[id] ?? 0
    const to = this.#ends[id + 1] ?? 0
    const [a, b] = [end - start, to - from]
    if (token[start] !== units[from]) return false
    let head = 0
    while (head < a && head < b && token[start + head] === units[from + head]) head++
    let tail = 0
    while (tail < a - head && tail < b - head && token[end - 1 - tail] === units[to - 1 - tail]) tail++
    const [leftA, leftB] = [a - head - tail, b - head - tail]
    if (leftA <= 1 && leftB <= 1) return true
    if (leftA !== 2 || leftB !== 2) return false
    const [i, j] = [start + head, from + head]
    return token[i] === units[j + 1] && token[i + 1] === units[j]
  }
}

function isPlain(units: Uint16Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((units[i] ?? 0) < 97 || (units[i] ?? 0) > 122) return false
  return true
}

function hashWithout(units: Uint16Array, start: number, end: number, skip: number): number {
  let hash = FNV_OFFSET
  for (let i = start; i < end; i++) if (i !== skip) hash = Math.imul(hash ^ (units[i] ?? 0), FNV_PRIME)
  return hash
}
