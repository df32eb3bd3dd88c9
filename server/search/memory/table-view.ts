import { BLOCK_BYTES } from './block-allocator.ts'
import { ALIGNMENT, ROWS_TOGETHER } from './kernel.ts'

/** Where a table lies in the shared memory: all that a thread needs to read it. */
export interface TableView {
  /** Bytes of a vector. */
  stride: number
  /** Vectors of a block. */
  rows: number
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

/**
 * A block of vectors: the rows, the square of each one's length (int32), the excerpt that each belongs to (int32).
 *
 * @returns `rows` is 0 when a vector is longer than a block
 */
export function vectorLayout(dimensions: number): { stride: number; rows: number } {
  const stride = Math.ceil(dimensions / ALIGNMENT) * ALIGNMENT
  return { stride, rows: Math.floor(BLOCK_BYTES / (stride + 8) / ROWS_TOGETHER) * ROWS_TOGETHER }
}

/** Excerpts of a block, one column after another. */
export const EXCERPTS_PER_BLOCK = 1_248
/** Bytes of a value, and of all values of an excerpt in the columns before. */
const COLUMNS = {
  occurredAt: { bytes: 8, before: 0 },
  reviewId: { bytes: 16, before: 8 },
  id: { bytes: 16, before: 24 },
  words: { bytes: 4, before: 40 },
  ordinal: { bytes: 4, before: 44 },
  rating: { bytes: 1, before: 48 },
  flags: { bytes: 1, before: 49 },
  source: { bytes: 1, before: 50 },
  config: { bytes: 1, before: 51 },
}

/** The byte at which a value of an excerpt stands. */
export function byteOffset(blocks: ArrayLike<number>, column: keyof typeof COLUMNS, excerpt: number): number {
  const block = blocks[Math.floor(excerpt / EXCERPTS_PER_BLOCK)] ?? 0
  const { bytes, before } = COLUMNS[column]
  return block + before * EXCERPTS_PER_BLOCK + (excerpt % EXCERPTS_PER_BLOCK) * bytes
}
