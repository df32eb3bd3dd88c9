import type { Metadata } from '../../../src/contract/metadata.ts'
import type { SearchRow } from '../../sql/excerpts/search-rows.ts'
import { BLOCK_BYTES, type BlockAllocator } from './block-allocator.ts'
import { Dictionary, pairText } from './dictionary.ts'
import { ReviewPlaces } from './review-places.ts'
import { byteOffset, EXCERPTS_PER_BLOCK, FLAG, type TableView } from './table-view.ts'
import { VectorStore } from './vector-store.ts'
import { WordStore } from './word-store.ts'

/** A byte tells no more apart; there are five sources and thirty configurations. */
const MOST_NAMES = 256
const LINE_END = 10

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
  readonly #vectors: VectorStore
  readonly #excerptBlocks: number[] = []
  readonly #freeExcerpts: number[] = []
  #reviews = this.#noReviews()
  #lastPairs: { metadata: string | null; numbers: readonly number[] } = { metadata: null, numbers: [] }
  #excerpts = 0
  /** Cached until the table changes. */
  #view: TableView | undefined

  /** @param decisive how many of the last components a search reads first; default all */
  constructor(allocator: BlockAllocator, dimensions: number, decisive = dimensions) {
    this.#allocator = allocator
    this.dimensions = dimensions
    this.#words = new WordStore(allocator)
    this.#vectors = new VectorStore(allocator, dimensions, decisive)
  }

  /** Number of excerpts. */
  get size(): number {
    return this.#excerpts - this.#freeExcerpts.length
  }

  get #blocks(): number[][] {
    return [this.#vectors.headBlocks, this.#vectors.restBlocks, this.#excerptBlocks, this.#words.blocks]
  }

  /** Memory used by the table. */
  get bytes(): number {
    const blocks = this.#blocks.reduce((sum, { length }) => sum + length, 0)
    return blocks * BLOCK_BYTES + this.dictionary.bytes + this.#reviews.bytes + this.#vectors.bytes
  }

  /** Text-search configurations that excerpts currently use. */
  get usedConfigs(): string[] {
    return this.configs.filter((_, i) => (this.#ofConfig[i] ?? 0) > 0)
  }

  /** The same object until the table changes, so that searches of the same state can be recognised and batched. */
  view(): TableView {
    this.#view ??= {
      ...this.#vectors.layout,
      vectors: this.#vectors.slots,
      excerpts: this.#excerpts,
      headBlocks: Uint32Array.from(this.#vectors.headBlocks),
      restBlocks: Uint32Array.from(this.#vectors.restBlocks),
      excerptBlocks: Uint32Array.from(this.#excerptBlocks),
      wordBlocks: Uint32Array.from(this.#words.blocks),
    }
    return this.#view
  }

  /** @throws {NotInt8} @throws {RangeError} when memory cannot be had */
  append(row: SearchRow): void {
    this.#view = undefined
    const place = this.#words.add(this.#wordNumbers(row.lexemes), this.#pairNumbers(row.metadata))
    const at = this.#freeExcerpts.pop() ?? this.#newExcerpt()
    this.#vectors.add(row.vectors, at)
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
    const { u8 } = this.#allocator.views()
    for (const id of reviewIds) {
      const isOfReview = (excerpt: number) => {
        const at = byteOffset(this.#excerptBlocks, 'reviewId', excerpt)
        return id.equals(u8.subarray(at, at + id.length))
      }
      for (const excerpt of this.#reviews.take(id.readInt32LE(), isOfReview)) {
        this.#removeExcerpt(excerpt)
        this.#vectors.remove(excerpt)
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
    for (const blocks of this.#blocks) {
      this.#allocator.free(blocks)
      blocks.length = 0
    }
    this.#vectors.clear()
    this.#excerpts = 0
    this.#freeExcerpts.length = 0
    this.#reviews = this.#noReviews()
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
