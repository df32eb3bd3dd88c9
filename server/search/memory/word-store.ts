import { BLOCK_BYTES, type BlockAllocator, type Views } from './block-allocator.ts'

/** Entries are padded to a multiple of this, so that another one fits later. */
const GRAIN = 8

/** The words and metadata pairs of a table's excerpts: lists of varints, seven bits a byte. */
export class WordStore {
  readonly blocks: number[] = []
  readonly #allocator: BlockAllocator
  readonly #freed = new Map<number, number[]>()
  #next = 0
  #scratch = new Uint8Array(256)

  constructor(allocator: BlockAllocator) {
    this.#allocator = allocator
  }

  /** Stores an entry. @returns its position @throws {RangeError} when memory is exhausted or the lists exceed a block */
  add(words: readonly number[], pairs: readonly number[]): number {
    const length = this.#write(words, pairs)
    const place = this.#reserve(roundedUp(length))
    this.#allocator.views().u8.set(this.#scratch.subarray(0, length), entryOffset(this.blocks, place))
    return place
  }

  /** Frees an entry for reuse. */
  remove(place: number): void {
    const { u8 } = this.#allocator.views()
    const start = entryOffset(this.blocks, place)
    const size = roundedUp(lengthAt(u8, start))
    const freed = this.#freed.get(size)
    if (freed) freed.push(place)
    else this.#freed.set(size, [place])
  }

  #reserve(size: number): number {
    const freed = this.#freed.get(size)?.pop()
    if (freed !== undefined) return freed
    if (size > BLOCK_BYTES) throw new RangeError('An excerpt has more words than a block can hold')
    const left = this.blocks.length * BLOCK_BYTES - this.#next
    if (left < size) {
      this.blocks.push(this.#allocator.allocate())
      this.#next = (this.blocks.length - 1) * BLOCK_BYTES
    }
    const place = this.#next
    this.#next += size
    return place
  }

  #write(words: readonly number[], pairs: readonly number[]): number {
    const most = (words.length + pairs.length + 2) * 5
    if (this.#scratch.length < most) this.#scratch = new Uint8Array(most * 2)
    let at = 0
    const put = (number: number) => {
      let rest = number
      for (; rest > 127; rest >>>= 7) this.#scratch[at++] = (rest & 127) | 128
      this.#scratch[at++] = rest
    }
    put(words.length)
    put(pairs.length)
    for (const number of words) put(number)
    for (const number of pairs) put(number)
    return at
  }
}

const roundedUp = (length: number) => Math.ceil(length / GRAIN) * GRAIN

/** The byte offset of a position. */
export function entryOffset(blocks: ArrayLike<number>, place: number): number {
  return (blocks[Math.floor(place / BLOCK_BYTES)] ?? 0) + (place % BLOCK_BYTES)
}

const POWERS = Int32Array.from({ length: 32 }, (_, i) => 1 << i)

/** Read position of {@link next}. */
let cursor = 0

function next(u8: Uint8Array): number {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = u8[cursor++] ?? 0
    value |= (byte & 127) << shift
    if (byte < 128) return value
  }
}

function lengthAt(u8: Uint8Array, start: number): number {
  cursor = start
  for (let left = next(u8) + next(u8); left > 0; left--) next(u8)
  return cursor - start
}

/** The bits of those wanted numbers that the entry at byte `start` has; -1 never matches. */
export function matchWords(views: Views, start: number, wanted: Int32Array, bits: Int32Array): number {
  return matches(views.u8, start, wanted, bits, false)
}

/** Whether the entry has every word of a phrase. */
export function hasWords(views: Views, start: number, words: Int32Array): boolean {
  return matches(views.u8, start, words, POWERS, false) === 2 ** words.length - 1
}

/** Whether the entry has every pair. */
export function hasPairs(views: Views, start: number, pairs: Int32Array): boolean {
  return matches(views.u8, start, pairs, POWERS, true) === 2 ** pairs.length - 1
}

function matches(u8: Uint8Array, start: number, wanted: Int32Array, bits: Int32Array, ofPairs: boolean): number {
  cursor = start
  const words = next(u8)
  const pairs = next(u8)
  // Inlined with a local variable, because a search reads the words of its thousand nearest.
  let at = cursor
  let found = 0
  const end = ofPairs ? words + pairs : words
  for (let i = 0; i < end; i++) {
    let value = u8[at++] ?? 0
    if (value > 127) {
      value &= 127
      for (let shift = 7; ; shift += 7) {
        const byte = u8[at++] ?? 0
        value |= (byte & 127) << shift
        if (byte < 128) break
      }
    }
    if (ofPairs && i < words) continue
    for (let k = 0; k < wanted.length; k++) if (wanted[k] === value) found |= bits[k] ?? 0
  }
  return found >>> 0
}
