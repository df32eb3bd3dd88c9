/** A page of WebAssembly, in which memory is handed out. */
export const BLOCK_BYTES = 65_536
/** All that WebAssembly can address with 32 bits. */
const MOST_BLOCKS = 65_536
/** Beyond the budget: scratch of the threads, and what a load takes before others have made room. */
const SLACK_BLOCKS = 512

/** The same bytes as numbers of several widths. */
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

/** Gives the views of a memory as long as it is now. */
export function viewsOf(memory: WebAssembly.Memory): () => Views {
  let views = createViews(memory.buffer)
  return () => {
    if (memory.buffer.byteLength !== views.u8.length) views = createViews(memory.buffer)
    return views
  }
}

/**
 * The memory of all indexes: one that grows and is never given back, shared with the threads that scan it. What an index
 * no longer needs the next one gets, so that the process takes what the budget allows, however many projects take turns,
 * and nothing waits for a collection of garbage in every thread.
 */
export class BlockAllocator {
  readonly memory: WebAssembly.Memory
  readonly views: () => Views
  readonly #free: number[] = []
  #taken = 0

  /** @throws {RangeError} when the address space cannot be had */
  constructor(budget: number) {
    const maximum = Math.min(MOST_BLOCKS, Math.ceil(budget / BLOCK_BYTES) + SLACK_BLOCKS)
    this.memory = new WebAssembly.Memory({ initial: 1, maximum, shared: true })
    this.views = viewsOf(this.memory)
  }

  /** A block of zeros. @returns the byte at which it begins @throws {RangeError} when there is no more memory */
  allocate(): number {
    const free = this.#free.pop()
    if (free !== undefined) {
      this.views().u8.fill(0, free, free + BLOCK_BYTES)
      return free
    }
    const have = this.memory.buffer.byteLength / BLOCK_BYTES
    // An eighth at a time, so that little is held for nothing.
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
      // It may be the last blocks of the budget.
      this.memory.grow(1)
    }
  }
}
