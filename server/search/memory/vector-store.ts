import type { BlockAllocator } from './block-allocator.ts'
import { NumberLists } from './review-places.ts'
import { NotInt8, StoredVectors } from './stored-vectors.ts'
import { NO_OWNER, REMOVED_NORM, type VectorLayout, vectorLayout, vectorPlace } from './table-view.ts'

/** So that rounding to float32 never makes a length shorter. */
const ROUNDED_UP = 1 + 2 ** -22

/** The vectors of a table's excerpts, split into heads and rests. Removed ones leave their slots to later ones. */
export class VectorStore {
  readonly layout: VectorLayout
  readonly headBlocks: number[] = []
  readonly restBlocks: number[] = []
  /** Slots, free ones included. */
  slots = 0
  readonly #allocator: BlockAllocator
  readonly #storedVectors: StoredVectors
  readonly #free: number[] = []
  /** The vectors of each excerpt. */
  #ofExcerpt = new NumberLists()

  /** @param decisive how many of the last components a search reads first */
  constructor(allocator: BlockAllocator, dimensions: number, decisive: number) {
    this.#allocator = allocator
    this.layout = vectorLayout(dimensions, decisive)
    this.#storedVectors = new StoredVectors(dimensions, decisive)
  }

  /** Memory used beside the blocks. */
  get bytes(): number {
    return this.#ofExcerpt.bytes
  }

  /**
   * Stores the vectors of an excerpt.
   * @param sent what PostgreSQL's `array_send` makes of them
   * @throws {NotInt8} @throws {RangeError} when memory is exhausted
   */
  add(sent: Uint8Array, excerpt: number): void {
    if (this.layout.rows === 0) throw new NotInt8('A vector is longer than memory takes')
    const count = this.#storedVectors.open(sent)
    for (let nth = 0; nth < count; nth++) {
      const vector = this.#free.pop() ?? this.#newSlot()
      const { head, rest, norm, restLength, owner } = this.#placeOf(vector)
      const { i8, i32, f32 } = this.#allocator.views()
      const { square, restSquare } = this.#storedVectors.read(nth, i8, head, rest)
      i32[norm] = square
      f32[restLength] = Math.sqrt(restSquare) * ROUNDED_UP
      i32[owner] = excerpt
      this.#ofExcerpt.add(excerpt, vector)
    }
  }

  /** Removes the vectors of an excerpt. */
  remove(excerpt: number): void {
    const { i32 } = this.#allocator.views()
    for (const vector of this.#ofExcerpt.take(excerpt)) {
      const { owner, norm } = this.#placeOf(vector)
      i32[norm] = REMOVED_NORM
      i32[owner] = NO_OWNER
      this.#free.push(vector)
    }
  }

  /** Forgets everything, after the blocks were freed. */
  clear(): void {
    this.slots = 0
    this.#free.length = 0
    this.#ofExcerpt = new NumberLists()
  }

  #placeOf(vector: number): ReturnType<typeof vectorPlace> {
    const { rows } = this.layout
    const nth = Math.floor(vector / rows)
    return vectorPlace(this.layout, this.headBlocks[nth] ?? 0, this.restBlocks[nth] ?? 0, vector % rows)
  }

  #newSlot(): number {
    const { rows, rest } = this.layout
    if (this.slots === this.headBlocks.length * rows) {
      // Either may fail for want of memory, and be tried again.
      if (rest > 0 && this.restBlocks.length === this.headBlocks.length)
        this.restBlocks.push(this.#allocator.allocate())
      const block = this.#allocator.allocate()
      this.headBlocks.push(block)
      // The kernel compares unused rows along with the rest of their block.
      const { i32 } = this.#allocator.views()
      for (let row = 0; row < rows; row++) {
        const { norm, owner } = vectorPlace(this.layout, block, 0, row)
        i32[norm] = REMOVED_NORM
        i32[owner] = NO_OWNER
      }
    }
    return this.slots++
  }
}
