/** A page of WebAssembly memory, the unit of allocation. */
export const BLOCK_BYTES = 65_536
/** The 32-bit address space of WebAssembly. */
const MOST_BLOCKS = 65_536
/** Beyond the budget: scratch blocks of the threads, and what a load takes before others have made room. */
const SLACK_BLOCKS = 512

/** The same bytes as arrays of several number types. */
export type Views = ReturnType<typeof createViews>

function createViews(buffer: ArrayBufferLike) {
  return {
    u8: new Uint8Array(buffer),
    i8: new Int8Array(buffer),
    i16: new Int16Array(buffer),
    i32: new Int32Array(buffer),
    f32: new Float32Array(buffer),
    f64: new Float64Array(buffer),
  }
}

/** Returns a function that gives views of the whole memory, recreated when it has grown. */
export function viewsOf(memory: WebAssembly.Memory): () => Views {
  let views = createViews(memory.buffer)
  return () => {
    if (memory.buffer.byteLength !== views.u8.length) views = createViews(memory.buffer)
    return views
  }
}

/**
 * The memory of all indexes: it grows, is never given back, and is shared with the scanning threads. A new index reuses
 * the blocks of one that was dropped, so the process takes what the budget allows however many projects take turns, and
 * no thread waits for garbage collection.
 */
export class BlockAllocator {
  readonly memory: WebAssembly.Memory
  readonly views: () => Views
  readonly #free: number[] = []
  #taken = 0

  /** @throws {RangeError} when the address space cannot be reserved */
  constructor(budget: number) {
    const maximum = Math.min(MOST_BLOCKS, Math.ceil(budget / BLOCK_BYTES) + SLACK_BLOCKS)
    this.memory = new WebAssembly.Memory({ initial: 1, maximum, shared: true })
    this.views = viewsOf(this.memory)
  }

  /** Allocates a block of zeros. @returns its byte offset @throws {RangeError} when memory is exhausted */
  allocate(): number {
    const free = this.#free.pop()
    if (free !== undefined) {
      this.views().u8.fill(0, free, free + BLOCK_BYTES)
      return free
    }
    const have = this.memory.buffer.byteLength / BLOCK_BYTES
    // Grows by an eighth, so that little is held unused.
    if (this.#taken === have) this.#grow(Math.max(16, Math.ceil(have / 8)))
    return this.#taken++ * BLOCK_BYTES
  }

  free(blocks: readonly number[]): void {
    this.#free.push(...blocks)
  }

  #grow(blocks: number): void {
    try {
      this.memory.grow(blocks)
    } catch {
      // These may be the last blocks of the budget.
      this.memory.grow(1)
    }
  }
}
