import type { Metadata } from '../../../src/contract/metadata.ts'
import type { SearchRow } from '../../sql/excerpts/search-rows.ts'
import { BLOCK_BYTES, type BlockAllocator } from './block-allocator.ts'
import { Dictionary, pairText } from './dictionary.ts'
import { NumberLists, ReviewPlaces } from './review-places.ts'
import { NotInt8, StoredVectors } from './stored-vectors.ts'
import {
  byteOffset,
  EXCERPTS_PER_BLOCK,
  FLAG,
  NO_OWNER,
  REMOVED_NORM,
  type TableView,
  type VectorLayout,
  vectorLayout,
  vectorPlace,
} from './table-view.ts'
import { WordStore } from './word-store.ts'

/** A byte tells no more apart; there are five sources and thirty configurations. */
const MOST_NAMES = 256
const LINE_END = 10
/** So that rounding to float32 never makes a length shorter. */
const ROUNDED_UP = 1 + 2 ** -22

/**
 * The excerpts of one environment as columns in shared memory. Removed entries leave their slots to later ones, so a
 * table is never rewritten. Only this thread writes, and only while nobody scans.
 */
export class ExcerptTable {
  readonly dimensions: number
  readonly sources: string[] = []
  readonly configs: string[] = []
  /** Number of excerpts per configuration. */
  readonly #ofConfig: number[] = []
  readonly dictionary = new Dictionary()
  readonly #allocator: BlockAllocator
  readonly #words: WordStore
  readonly #layout: VectorLayout
  readonly #vectorBlocks: number[] = []
  readonly #excerptBlocks: number[] = []
  readonly #freeVectors: number[] = []
  readonly #freeExcerpts: number[] = []
  readonly #storedVectors: StoredVectors
  #reviews = this.#noReviews()
  /** The vectors of each excerpt. */
  #vectorsOf = new NumberLists()
  #lastPairs: { metadata: string | null; numbers: readonly number[] } = { metadata: null, numbers: [] }
  #vectors = 0
  #excerpts = 0
  /** Cached until the table changes. */
  #view: TableView | undefined

  /** @param decisive how many of the last components a search reads first; default all */
  constructor(allocator: BlockAllocator, dimensions: number, decisive = dimensions) {
    this.#allocator = allocator
    this.dimensions = dimensions
    this.#layout = vectorLayout(dimensions, decisive)
    this.#words = new WordStore(allocator)
    this.#storedVectors = new StoredVectors(dimensions, decisive)
  }

  /** Number of excerpts. */
  get size(): number {
    return this.#excerpts - this.#freeExcerpts.length
  }

  /** Memory used by the table. */
  get bytes(): number {
    const blocks = this.#vectorBlocks.length + this.#excerptBlocks.length + this.#words.blocks.length
    return blocks * BLOCK_BYTES + this.dictionary.bytes + this.#reviews.bytes + this.#vectorsOf.bytes
  }

  /** Text-search configurations that excerpts currently use. */
  get usedConfigs(): string[] {
    return this.configs.filter((_, i) => (this.#ofConfig[i] ?? 0) > 0)
  }

  /** The same object until the table changes, so that searches of the same state can be recognised and batched. */
  view(): TableView {
    this.#view ??= {
      ...this.#layout,
      vectors: this.#vectors,
      excerpts: this.#excerpts,
      vectorBlocks: Uint32Array.from(this.#vectorBlocks),
      excerptBlocks: Uint32Array.from(this.#excerptBlocks),
      wordBlocks: Uint32Array.from(this.#words.blocks),
    }
    return this.#view
  }

  /** @throws {NotInt8} @throws {RangeError} when memory cannot be had */
  append(row: SearchRow): void {
    if (this.#layout.rows === 0) throw new NotInt8('A vector is longer than memory takes')
    this.#view = undefined
    const place = this.#words.add(this.#wordNumbers(row.lexemes), this.#pairNumbers(row.metadata))
    const at = this.#freeExcerpts.pop() ?? this.#newExcerpt()
    const count = this.#storedVectors.open(row.vectors)
    for (let nth = 0; nth < count; nth++) this.#writeVector(nth, at)
    const { u8, i32, f64 } = this.#allocator.views()
    const byte = (column: Parameters<typeof byteOffset>[1]) => byteOffset(this.#excerptBlocks, column, at)
    f64[byte('occurredAt') / 8] = row.occurredAt ?? Number.NaN
    u8.set(row.reviewId, byte('reviewId'))
    u8.set(row.id, byte('id'))
    i32[byte('words') / 4] = place
    i32[byte('ordinal') / 4] = row.ordinal
    u8[byte('rating')] = row.rating ?? 0
    u8[byte('flags')] = (row.hidden ? FLAG.hidden : 0) | (row.complaint ? FLAG.complaint : 0) | flagOf(row.sentiment)
    u8[byte('source')] = numberOf(this.sources, row.source)
    const config = numberOf(this.configs, row.config)
    u8[byte('config')] = config
    this.#ofConfig[config] = (this.#ofConfig[config] ?? 0) + 1
    this.#reviews.add(at)
  }

  /** Removes every excerpt of these reviews. */
  remove(reviewIds: readonly Buffer[]): void {
    this.#view = undefined
    const { u8, i32 } = this.#allocator.views()
    for (const id of reviewIds) {
      const isOfReview = (excerpt: number) => {
        const at = byteOffset(this.#excerptBlocks, 'reviewId', excerpt)
        return id.equals(u8.subarray(at, at + id.length))
      }
      for (const excerpt of this.#reviews.take(id.readInt32LE(), isOfReview)) {
        this.#removeExcerpt(excerpt)
        for (const vector of this.#vectorsOf.take(excerpt)) {
          const { owner, norm } = this.#vectorAt(vector)
          i32[norm] = REMOVED_NORM
          i32[owner] = NO_OWNER
          this.#freeVectors.push(vector)
        }
      }
    }
  }

  #removeExcerpt(excerpt: number): void {
    const { u8, i32 } = this.#allocator.views()
    i32[byteOffset(this.#excerptBlocks, 'ordinal', excerpt) / 4] = -1
    const config = u8[byteOffset(this.#excerptBlocks, 'config', excerpt)] ?? 0
    this.#ofConfig[config] = (this.#ofConfig[config] ?? 0) - 1
    this.#words.remove(i32[byteOffset(this.#excerptBlocks, 'words', excerpt) / 4] ?? 0)
    this.#freeExcerpts.push(excerpt)
  }

  /** Frees all blocks. */
  free(): void {
    this.#view = undefined
    for (const blocks of [this.#vectorBlocks, this.#excerptBlocks, this.#words.blocks]) {
      this.#allocator.free(blocks)
      blocks.length = 0
    }
    this.#vectors = 0
    this.#excerpts = 0
    this.#freeExcerpts.length = 0
    this.#freeVectors.length = 0
    this.#reviews = this.#noReviews()
    this.#vectorsOf = new NumberLists()
  }

  #noReviews(): ReviewPlaces {
    return new ReviewPlaces((excerpt) => {
      const { u8 } = this.#allocator.views()
      const at = byteOffset(this.#excerptBlocks, 'reviewId', excerpt)
      // Little-endian on every machine, as `remove` reads it.
      return (u8[at] ?? 0) | ((u8[at + 1] ?? 0) << 8) | ((u8[at + 2] ?? 0) << 16) | ((u8[at + 3] ?? 0) << 24)
    })
  }

  #wordNumbers(lexemes: Uint8Array): number[] {
    const numbers: number[] = []
    for (let start = 0; start < lexemes.length; ) {
      let end = start
      while (end < lexemes.length && lexemes[end] !== LINE_END) end++
      numbers.push(this.dictionary.addBytes(lexemes, start, end))
      start = end + 1
    }
    return numbers
  }

  /** The numbers of a review's metadata pairs, cached because its excerpts arrive one after another. */
  #pairNumbers(metadata: string | null): readonly number[] {
    if (metadata !== this.#lastPairs.metadata) {
      const numbers = pairsOf(metadata).map((pair) => this.dictionary.add(pairText(...pair)))
      this.#lastPairs = { metadata, numbers }
    }
    return this.#lastPairs.numbers
  }

  #writeVector(nth: number, excerpt: number): void {
    const vector = this.#freeVectors.pop() ?? this.#newVector()
    const { head, rest, norm, restLength, owner } = this.#vectorAt(vector)
    const { i8, i32, f32 } = this.#allocator.views()
    const { square, restSquare } = this.#storedVectors.read(nth, i8, head, rest)
    i32[norm] = square
    f32[restLength] = Math.sqrt(restSquare) * ROUNDED_UP
    i32[owner] = excerpt
    this.#vectorsOf.add(excerpt, vector)
  }

  #vectorAt(vector: number): ReturnType<typeof vectorPlace> {
    const { rows } = this.#layout
    return vectorPlace(this.#layout, this.#vectorBlocks[Math.floor(vector / rows)] ?? 0, vector % rows)
  }

  #newVector(): number {
    const { rows } = this.#layout
    if (this.#vectors === this.#vectorBlocks.length * rows) {
      const block = this.#allocator.allocate()
      this.#vectorBlocks.push(block)
      // The kernel compares unused rows along with the rest of their block.
      const { norm, owner } = vectorPlace(this.#layout, block, 0)
      const { i32 } = this.#allocator.views()
      i32.fill(REMOVED_NORM, norm, norm + rows)
      i32.fill(NO_OWNER, owner, owner + rows)
    }
    return this.#vectors++
  }

  #newExcerpt(): number {
    if (this.#excerpts === this.#excerptBlocks.length * EXCERPTS_PER_BLOCK)
      this.#excerptBlocks.push(this.#allocator.allocate())
    const at = this.#excerpts++
    this.#allocator.views().i32[byteOffset(this.#excerptBlocks, 'ordinal', at) / 4] = -1
    return at
  }
}

function pairsOf(metadata: string | null): [string, string][] {
  // The contract validated it when it was stored.
  return metadata === null ? [] : Object.entries(JSON.parse(metadata) as Metadata)
}

function flagOf(sentiment: string | null): number {
  if (sentiment === 'positive' || sentiment === 'neutral' || sentiment === 'negative') return FLAG[sentiment]
  return 0
}

function numberOf(names: string[], name: string): number {
  const known = names.indexOf(name)
  if (known >= 0) return known
  if (names.length === MOST_NAMES)
    throw new RangeError('There are more sources or configurations than memory tells apart')
  return names.push(name) - 1
}
