import { createHash, randomInt } from 'node:crypto'

/** Longer texts are represented by their hash. */
const LONGEST = 64
const FIRST_SLOTS = 128
/** FNV-1a, 32 bits (Fowler, Noll, Vo). */
const PRIME = 16_777_619
/** Shared by all dictionaries of this process, and random so that nobody can choose words that collide. */
const SEED = randomInt(2 ** 32)

/**
 * Assigns numbers to texts (words and metadata pairs); a text keeps its number. Texts are looked up as the bytes that
 * arrive from the database: as strings of a `Map` they took three times as long.
 */
export class Dictionary {
  /** Open addressing: a text's number plus one, 0 when free. At most half are taken. */
  #slots = new Int32Array(0)
  /** Indexed by text number: its hash, and its end in `#texts`. */
  #hashes = new Int32Array(0)
  #ends = new Int32Array(0)
  #texts = new Uint8Array(0)
  #count = 0

  /** Memory used. */
  get bytes(): number {
    return [this.#slots, this.#hashes, this.#ends, this.#texts].reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** The text's number, a new one if the text is new. */
  add(text: string): number {
    const bytes = Buffer.from(text)
    return this.addBytes(bytes, 0, bytes.length)
  }

  /** The same for a UTF-8 text within `bytes`. */
  addBytes(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > LONGEST) return this.add(hashOf(bytes.subarray(start, end)))
    if (this.#count === 0) this.#begin()
    const hash = fnv(bytes, start, end)
    const slot = this.#slotOf(hash, bytes, start, end)
    const known = this.#slots[slot] ?? 0
    if (known > 0) return known - 1
    this.#append(hash, bytes, start, end)
    this.#slots[slot] = this.#count
    if (this.#count * 2 >= this.#slots.length) this.#grow()
    return this.#count - 1
  }

  /** The text's number, or -1 when no excerpt has it. */
  find(text: string): number {
    const bytes = Buffer.from(text)
    if (bytes.length > LONGEST) return this.find(hashOf(bytes))
    if (this.#count === 0) return -1
    return (this.#slots[this.#slotOf(fnv(bytes, 0, bytes.length), bytes, 0, bytes.length)] ?? 0) - 1
  }

  /** The slot that holds the text, or the free one where it belongs. */
  #slotOf(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const mask = this.#slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1
      if (number < 0) return slot
      if (this.#hashes[number] === hash && this.#isText(number, bytes, start, end)) return slot
    }
  }

  #isText(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = number === 0 ? 0 : (this.#ends[number - 1] ?? 0)
    if ((this.#ends[number] ?? 0) - own !== end - start) return false
    for (let i = 0; i < end - start; i++) if (this.#texts[own + i] !== bytes[start + i]) return false
    return true
  }

  #append(hash: number, bytes: Uint8Array, start: number, end: number): void {
    const own = this.#count === 0 ? 0 : (this.#ends[this.#count - 1] ?? 0)
    const length = own + end - start
    if (length > this.#texts.length) this.#texts = enlarged(this.#texts, Uint8Array)
    for (let i = start; i < end; i++) this.#texts[own + i - start] = bytes[i] ?? 0
    this.#hashes[this.#count] = hash
    this.#ends[this.#count] = length
    this.#count++
  }

  /** An empty dictionary allocates nothing. */
  #begin(): void {
    this.#slots = new Int32Array(FIRST_SLOTS)
    this.#hashes = new Int32Array(FIRST_SLOTS / 2)
    this.#ends = new Int32Array(FIRST_SLOTS / 2)
    this.#texts = new Uint8Array(FIRST_SLOTS * 8)
  }

  #grow(): void {
    this.#hashes = enlarged(this.#hashes, Int32Array)
    this.#ends = enlarged(this.#ends, Int32Array)
    const slots = new Int32Array(this.#slots.length * 2)
    for (let number = 0; number < this.#count; number++) {
      let slot = (this.#hashes[number] ?? 0) & (slots.length - 1)
      while (slots[slot]) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

function enlarged<T extends Uint8Array | Int32Array>(array: T, Type: new (length: number) => T): T {
  const longer = new Type(array.length * 2)
  longer.set(array)
  return longer
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64')

function fnv(bytes: Uint8Array, start: number, end: number): number {
  let hash = SEED | 0
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), PRIME)
  // Mixes in the high bits: the lowest bits of the product depend only on the lowest bits of the bytes.
  return hash ^ (hash >>> 15)
}

/** A metadata pair as a text that cannot be a word, since words have no control characters. */
export function pairText(key: string, value: string): string {
  return `\u0001${JSON.stringify([key, value])}`
}
