import { BLOCK_BYTES } from './block-allocator.ts'
import { ALIGNMENT, ROWS_TOGETHER, rowOf } from './kernel.ts'

/** Where a table lies in the shared memory: all that a thread needs to read it. */
export interface TableView extends VectorLayout {
  /** Places of vectors and of excerpts, those that are gone included. */
  vectors: number
  excerpts: number
  vectorBlocks: Uint32Array
  excerptBlocks: Uint32Array
  /** The blocks that hold the words. */
  wordBlocks: Uint32Array
}

/** Sentiment and visibility in one byte. A complaint is negative by itself, or not classified yet. */
export const FLAG = { hidden: 1, positive: 2, neutral: 4, negative: 8, complaint: 16 }

/** An owner, of a vector that is gone. */
export const NO_OWNER = -1
/** The square of its length: so long that no sum reaches the threshold. */
export const REMOVED_NORM = 1 << 30

/** How vectors lie in a block: their heads, their rests, then of each three numbers of four bytes ({@link vectorLayout}). */
export interface VectorLayout {
  /** How many of the last components a head has; all where the rest is none. */
  decisive: number
  /** Bytes of a vector's head and of its rest, zeros at their ends included. */
  head: number
  rest: number
  /** Vectors of a block; 0 when one is longer than a block. */
  rows: number
}

/** The square of a vector's length (int32), the length of its rest (float32, rounded up), and the excerpt that it belongs to (int32). */
const NUMBERS_BYTES = 12

/**
 * A vector's head is what a search reads of it first; see `kernel.assembly.ts`.
 *
 * @param decisive the last components that hold most of a vector of this model, when a model has such
 */
export function vectorLayout(dimensions: number, decisive = dimensions): VectorLayout {
  const [head, rest] = [aligned(decisive), aligned(dimensions - decisive)]
  const rows = Math.floor(BLOCK_BYTES / (head + rest + NUMBERS_BYTES) / ROWS_TOGETHER) * ROWS_TOGETHER
  return { decisive, head, rest, rows }
}

/** What a scan of a table reads at the least. */
export function bytesRead({ vectors, head }: TableView): number {
  return vectors * head
}

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

/** Where the parts of the `place`th vector of the block at byte `block` stand: bytes of its head and rest, the numbers as 32-bit ones. */
export function vectorPlace({ head, rest, rows }: VectorLayout, block: number, place: number) {
  const rests = block + head * rows
  const row = rowOf(place, rows)
  const norm = (rests + rest * rows) / 4 + place
  return {
    head: block + head * row,
    rest: rests + rest * row,
    norm,
    restLength: norm + rows,
    owner: norm + rows * 2,
  }
}

/** Excerpts of a block, one column after another. */
export const EXCERPTS_PER_BLOCK = 1_248
/**
 * Bytes of all columns before a value's, of a column's every entry, and of what stands before the value in it. What a search asks of each
 * excerpt that it meets stands together: the processor waits once for all of it.
 */
const COLUMNS = {
  occurredAt: { before: 0, entry: 8, at: 0 },
  reviewId: { before: 8, entry: 16, at: 0 },
  id: { before: 24, entry: 16, at: 0 },
  words: { before: 40, entry: 12, at: 0 },
  ordinal: { before: 40, entry: 12, at: 4 },
  rating: { before: 40, entry: 12, at: 8 },
  flags: { before: 40, entry: 12, at: 9 },
  source: { before: 40, entry: 12, at: 10 },
  config: { before: 40, entry: 12, at: 11 },
}

/** The byte at which a value of an excerpt stands. */
export function byteOffset(blocks: ArrayLike<number>, column: keyof typeof COLUMNS, excerpt: number): number {
  const block = blocks[Math.floor(excerpt / EXCERPTS_PER_BLOCK)] ?? 0
  const { before, entry, at } = COLUMNS[column]
  return block + before * EXCERPTS_PER_BLOCK + (excerpt % EXCERPTS_PER_BLOCK) * entry + at
}
