import { BLOCK_BYTES } from './block-allocator.ts'
import { HEAD_ALIGNMENT, NUMBERS, REST_ALIGNMENT, STREAMS } from './kernel.ts'

/** A table's layout in shared memory: all that a thread needs to read it. */
export interface TableView extends VectorLayout {
  /** Slots of vectors and of excerpts, free ones included. */
  vectors: number
  excerpts: number
  /** Blocks of heads and, as many unless there are no rests, of rests. */
  headBlocks: Uint32Array
  restBlocks: Uint32Array
  excerptBlocks: Uint32Array
  /** Blocks of the word store. */
  wordBlocks: Uint32Array
}

/** Sentiment and visibility in a byte. A complaint is negative by itself, or not classified yet. */
export const FLAG = { hidden: 1, positive: 2, neutral: 4, negative: 8, complaint: 16 }

/** Owner of a removed vector. */
export const NO_OWNER = -1
/** Squared length of a removed vector: so long that no sum reaches the threshold. */
export const REMOVED_NORM = 1 << 30

/**
 * How vectors lie: a block holds the heads of as many vectors as fit, then the numbers of each ({@link vectorPlace}), which
 * are read together; another one their rests, which few searches read.
 */
export interface VectorLayout {
  /** How many of the last components form the head; all when there is no rest. */
  decisive: number
  /** Bytes of a vector's head and of its rest, padding included. */
  head: number
  rest: number
  /** Vectors per block, a multiple of {@link STREAMS}; 0 when one does not fit into a block. */
  rows: number
}

/** Padding included; so a query, in int16, fits into half of a scratch block. */
const MOST_DIMENSIONS = 16_384

/**
 * A vector's head is the part that a search reads first; see `kernel.assembly.ts`.
 * @param decisive how many of the last components hold most of a vector's length, for models that have such
 */
export function vectorLayout(dimensions: number, decisive = dimensions): VectorLayout {
  const head = aligned(decisive, HEAD_ALIGNMENT)
  const rest = aligned(dimensions - decisive, REST_ALIGNMENT)
  const fitting = Math.floor(BLOCK_BYTES / Math.max(head + NUMBERS * 4, rest) / STREAMS) * STREAMS
  return { decisive, head, rest, rows: head + rest > MOST_DIMENSIONS ? 0 : fitting }
}

/** The minimum number of bytes that a scan of a table reads. */
export function bytesRead({ vectors, head }: TableView): number {
  return vectors * head
}

const aligned = (bytes: number, to: number) => Math.ceil(bytes / to) * to

/**
 * Positions of the parts of a vector: byte offsets of its head and rest, and indexes of 32-bit values for its squared length
 * (int32), the length of its rest (float32, rounded up), and the excerpt that it belongs to (int32).
 */
export function vectorPlace({ head, rest, rows }: VectorLayout, headBlock: number, restBlock: number, row: number) {
  const norm = (headBlock + head * rows) / 4 + row * NUMBERS
  return {
    head: headBlock + head * row,
    rest: restBlock + rest * row,
    norm,
    restLength: norm + 1,
    owner: norm + 2,
  }
}

/** Excerpts per block, stored column by column. */
export const EXCERPTS_PER_BLOCK = 1_248
/**
 * Per excerpt: bytes of all columns before this one, size of the column's entry, and offset of the value in it. Values
 * that a search reads of each excerpt share an entry, so that they cost one cache miss.
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

/** The byte offset of an excerpt's value. */
export function byteOffset(blocks: ArrayLike<number>, column: keyof typeof COLUMNS, excerpt: number): number {
  const block = blocks[Math.floor(excerpt / EXCERPTS_PER_BLOCK)] ?? 0
  const { before, entry, at } = COLUMNS[column]
  return block + before * EXCERPTS_PER_BLOCK + (excerpt % EXCERPTS_PER_BLOCK) * entry + at
}
