import type { SearchRow } from '../../store/search-rows.ts'
import { ALIGNMENT, createScan, PAGE, type Scan } from './kernel.ts'

/** Rows that are scanned without a pause, about a millisecond with those of 259 components. */
export const BLOCK = 8_192
const QUERY_AT = 0
const SUMS_AT = PAGE
const ROWS_AT = 2 * PAGE
const EXCERPT_BYTES = 16 + 16 + 4 + 8 + 1 + 1 + 1
const VECTOR_BYTES = 4 + 4
/** Sentiment and visibility in one byte. */
export const FLAG = { hidden: 1, positiveOrNeutral: 2, complaint: 4 }

/** A stored vector is none of ours: fractions, or beyond int8. The database alone can compare it. */
export class NotInt8 extends Error {
  readonly code = 'not_int8'
}

/**
 * The excerpts of one environment as columns, their vectors in the memory of the kernel. Rows are appended; those of a
 * review that changed are marked as gone and swept when they are many. An excerpt's vectors stand together.
 */
export class ExcerptTable {
  readonly stride: number
  readonly dimensions: number
  readonly sources: string[] = []
  readonly scan: Scan
  readonly memory: WebAssembly.Memory
  excerpts = 0
  vectors = 0
  /** Excerpts that are gone and still in the columns. */
  gone = 0
  /** Of each vector: its excerpt, and the square of its length. */
  owner = new Int32Array(1024)
  norm = new Int32Array(1024)
  /** Of each excerpt. */
  reviewIds = new Uint8Array(16 * 512)
  ids = new Uint8Array(16 * 512)
  /** -1 for one that is gone. */
  ordinals = new Int32Array(512)
  occurredAt = new Float64Array(512)
  ratings = new Uint8Array(512)
  flags = new Uint8Array(512)
  sourceOf = new Uint8Array(512)

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.stride = Math.ceil(dimensions / ALIGNMENT) * ALIGNMENT
    this.memory = new WebAssembly.Memory({ initial: 3 })
    this.scan = createScan(this.memory)
  }

  /** All that the table holds of the machine's memory. */
  get bytes(): number {
    return this.memory.buffer.byteLength + this.owner.length * VECTOR_BYTES + this.ordinals.length * EXCERPT_BYTES
  }

  /** @throws {NotInt8} @throws {RangeError} when memory cannot be had */
  append(row: SearchRow): void {
    this.#reserveExcerpt()
    const at = this.excerpts
    const first = this.vectors
    this.#appendVectors(row.vectors, at)
    if (this.vectors === first) throw new NotInt8('An excerpt has no vector')
    writeUuid(this.reviewIds, at, row.reviewId)
    writeUuid(this.ids, at, row.id)
    this.ordinals[at] = row.ordinal
    this.occurredAt[at] = row.occurredAt ?? Number.NaN
    this.ratings[at] = row.rating ?? 0
    const shown = row.sentiment === 'positive' || row.sentiment === 'neutral'
    this.flags[at] =
      (row.hidden ? FLAG.hidden : 0) | (shown ? FLAG.positiveOrNeutral : 0) | (row.complaint ? FLAG.complaint : 0)
    this.sourceOf[at] = this.#source(row.source)
    this.excerpts++
  }

  /** Takes out every excerpt of these reviews. */
  remove(reviewIds: readonly string[]): void {
    if (reviewIds.length === 0) return
    const wanted = new Set(reviewIds)
    const firstWords = new Set(reviewIds.map((id) => Buffer.from(id.slice(0, 8), 'hex').readInt32LE()))
    const words = new Int32Array(this.reviewIds.buffer)
    for (let at = 0; at < this.excerpts; at++) {
      if (!firstWords.has(words[at * 4] ?? 0) || (this.ordinals[at] ?? -1) < 0) continue
      if (!wanted.has(readUuid(this.reviewIds, at))) continue
      this.ordinals[at] = -1
      this.gone++
    }
  }

  /** The table without what is gone; the same one when that is little. */
  swept(): ExcerptTable {
    if (this.gone < 1_000 || this.gone * 4 < this.excerpts) return this
    const fresh = new ExcerptTable(this.dimensions)
    fresh.sources.push(...this.sources)
    for (let vector = 0, at = 0; at < this.excerpts; at++) {
      const first = vector
      while (vector < this.vectors && this.owner[vector] === at) vector++
      if ((this.ordinals[at] ?? -1) < 0) continue
      fresh.#reserveExcerpt()
      const to = fresh.excerpts++
      for (let one = first; one < vector; one++) {
        const target = fresh.#reserveVector()
        const bytes = new Uint8Array(this.memory.buffer, this.rowAt(one), this.stride)
        new Uint8Array(fresh.memory.buffer, target, this.stride).set(bytes)
        fresh.owner[fresh.vectors] = to
        fresh.norm[fresh.vectors++] = this.norm[one] ?? 0
      }
      fresh.reviewIds.set(this.reviewIds.subarray(at * 16, at * 16 + 16), to * 16)
      fresh.ids.set(this.ids.subarray(at * 16, at * 16 + 16), to * 16)
      fresh.ordinals[to] = this.ordinals[at] ?? 0
      fresh.occurredAt[to] = this.occurredAt[at] ?? 0
      fresh.ratings[to] = this.ratings[at] ?? 0
      fresh.flags[to] = this.flags[at] ?? 0
      fresh.sourceOf[to] = this.sourceOf[at] ?? 0
    }
    return fresh
  }

  rowAt(vector: number): number {
    return ROWS_AT + vector * this.stride
  }

  /** The sums of products of a query with `count` rows from `first` on. @returns a view that the next call overwrites */
  products(query: Int16Array, first: number, count: number): Int32Array {
    const values = new Int16Array(this.memory.buffer, QUERY_AT, this.stride)
    values.fill(0)
    values.set(query)
    this.scan(this.rowAt(first), count, this.stride, QUERY_AT, SUMS_AT)
    return new Int32Array(this.memory.buffer, SUMS_AT, count)
  }

  #appendVectors(text: string, excerpt: number): void {
    let value = 0
    let negative = false
    let digits = 0
    let at = 0
    let square = 0
    let target = 0
    let row: Int8Array | undefined
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit >= 48 && unit <= 57) {
        value = value * 10 + unit - 48
        digits++
      } else if (unit === 45) negative = true
      else if (unit === 91) {
        target = this.#reserveVector()
        row = new Int8Array(this.memory.buffer, target, this.stride)
        at = 0
        square = 0
      } else if (unit === 44 || unit === 93) {
        if (!row) continue
        if (digits === 0 || value > 127 || at >= this.dimensions) throw new NotInt8('A stored vector is not int8')
        row[at++] = negative ? -value : value
        square += value * value
        value = 0
        digits = 0
        negative = false
        if (unit === 93) {
          if (at !== this.dimensions) throw new NotInt8('A stored vector has another length')
          this.owner[this.vectors] = excerpt
          this.norm[this.vectors++] = square
          row = undefined
        }
      } else if (row) throw new NotInt8('A stored vector is not int8')
    }
  }

  #reserveVector(): number {
    if (this.vectors === this.owner.length) {
      this.owner = grown(this.owner, new Int32Array(enlarged(this.owner.length)))
      this.norm = grown(this.norm, new Int32Array(this.owner.length))
    }
    const target = this.rowAt(this.vectors)
    const missing = target + this.stride - this.memory.buffer.byteLength
    // An eighth at a time, so that little is held for nothing.
    if (missing > 0) this.memory.grow(Math.ceil(Math.max(missing, this.memory.buffer.byteLength / 8) / PAGE))
    return target
  }

  #reserveExcerpt(): void {
    if (this.excerpts < this.ordinals.length) return
    const size = enlarged(this.ordinals.length)
    this.reviewIds = grown(this.reviewIds, new Uint8Array(size * 16))
    this.ids = grown(this.ids, new Uint8Array(size * 16))
    this.ordinals = grown(this.ordinals, new Int32Array(size))
    this.occurredAt = grown(this.occurredAt, new Float64Array(size))
    this.ratings = grown(this.ratings, new Uint8Array(size))
    this.flags = grown(this.flags, new Uint8Array(size))
    this.sourceOf = grown(this.sourceOf, new Uint8Array(size))
  }

  #source(name: string): number {
    const known = this.sources.indexOf(name)
    return known >= 0 ? known : this.sources.push(name) - 1
  }
}

const enlarged = (size: number) => Math.ceil((size * 9) / 8 / 64) * 64

function grown<T extends Uint8Array | Int32Array | Float64Array>(from: T, into: T): T {
  into.set(from)
  return into
}

function writeUuid(into: Uint8Array, at: number, uuid: string): void {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex')
  into.set(bytes, at * 16)
}

export function readUuid(from: Uint8Array, at: number): string {
  const hex = Buffer.from(from.buffer, from.byteOffset + at * 16, 16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
