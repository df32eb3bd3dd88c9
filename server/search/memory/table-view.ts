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

/** Sentiment and visibility in one byte. A complaint is negative by itself, or not judged yet. */
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
const columns = { occurredAt: 8, reviewId: 16, id: 16, words: 4, ordinal: 4, rating: 1, flags: 1, source: 1, config: 1 }
type Column = keyof typeof columns
/** Where each column begins in its block. */
export const COLUMN = {} as Record<Column, number>
{
  let at = 0
  for (const name of [
    'occurredAt',
    'reviewId',
    'id',
    'words',
    'ordinal',
    'rating',
    'flags',
    'source',
    'config',
  ] as const) {
    COLUMN[name] = at
    at += columns[name] * EXCERPTS_PER_BLOCK
  }
}

/** The byte at which a value of an excerpt stands. */
export function byteOffset(blocks: ArrayLike<number>, column: Column, excerpt: number): number {
  const block = blocks[Math.floor(excerpt / EXCERPTS_PER_BLOCK)] ?? 0
  return block + COLUMN[column] + (excerpt % EXCERPTS_PER_BLOCK) * columns[column]
}
