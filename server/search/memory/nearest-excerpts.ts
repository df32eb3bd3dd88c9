import type { Views } from './block-allocator.ts'
import type { Scan } from './kernel.ts'
import type { ScanRequest } from './scan-request.ts'
import { selectLeast } from './select-least.ts'
import { byteOffset, FLAG } from './table-view.ts'
import { entryOffset, hasPairs } from './word-store.ts'

/** What a thread scans with. */
export interface Scanner {
  views: () => Views
  scan: Scan
  /** Blocks of its own in the shared memory, one for each search that it makes together: the query, and from {@link OUT_AT} on what the kernel leaves. */
  scratches: readonly number[]
}

/** Excerpts with their distances, in step. */
export interface NearExcerpts {
  excerpts: number[]
  /** Cosine distances, bit for bit what pgvector answers. */
  distances: Float64Array
}

/** Of a table's blocks of vectors, those from one on up to another. */
export interface Blocks {
  from: number
  to: number
}

/** From this byte of a scratch block on the kernel leaves what it found. */
export const OUT_AT = 32_768
const BINS_A_UNIT = 2_048
/** What rounding to float32 may take from a sum in the kernel, whose word is not the last. */
const MARGIN = 1e-5
/** Below every similarity. */
const UNMET = -3
const HIDDEN = -2
/** Of each search that is made together: every excerpt's highest similarity, kept from scan to scan, all {@link UNMET} between them. */
const kept: Float64Array[] = []

/**
 * The publishable excerpts no farther than `farthest`, the `limit` nearest of them, in no order, for each of some searches of one
 * table. A scan mostly waits for memory, so that each block is compared with all of the queries while the processor's cache has it.
 *
 * Distances are those of pgvector to the bit: the sums are whole numbers below 2^24, which it has exactly too, and the rest
 * is the same arithmetic on doubles.
 *
 * @param requests no more than the scanner has scratch blocks
 */
export function nearestExcerpts(scanner: Scanner, requests: readonly ScanRequest[], blocks?: Blocks): NearExcerpts[] {
  const scans = requests.map((request, place) => new TableScan(scanner, request, place))
  const { from, to } = blocks ?? { from: 0, to: requests[0]?.table.vectorBlocks.length ?? 0 }
  for (let nth = from; nth < to; nth++) for (const scan of scans) scan.compare(nth)
  return scans.map((scan) => scan.end())
}

/** One search on its way through a table. */
class TableScan {
  readonly #request: ScanRequest
  readonly #views: Views
  readonly #scan: Scan
  readonly #scratch: number
  readonly #limit: number
  readonly #square: number
  readonly #length: number
  readonly #may: (excerpt: number) => boolean
  /** Every excerpt's highest similarity. */
  readonly #best: Float64Array
  readonly #met: number[] = []
  readonly #bins = new Int32Array(BINS_A_UNIT * 2 + 1)
  #threshold: number
  #thresholdBin = 0
  #above = 0

  constructor({ views, scan, scratches }: Scanner, request: ScanRequest, place: number) {
    const { query, table, depth, nearest, farthest } = request
    this.#request = request
    this.#views = views()
    this.#scan = scan
    this.#scratch = scratches[place] ?? 0
    this.#limit = depth.among === 'nearest' ? nearest : Number.POSITIVE_INFINITY
    this.#square = query.reduce((sum, x) => sum + x * x, 0)
    this.#length = Math.sqrt(this.#square)
    this.#may = publishable(this.#views, request)
    this.#threshold = 1 - farthest
    this.#views.i16.set(query, this.#scratch / 2)
    const before = kept[place]
    if (before && before.length >= table.excerpts) this.#best = before
    else {
      this.#best = new Float64Array(table.excerpts).fill(UNMET)
      kept[place] = this.#best
    }
  }

  /** Compares all vectors of a block. */
  compare(nth: number): void {
    const { table, farthest } = this.#request
    const { stride, rows } = table
    const { i32 } = this.#views
    const square = this.#square
    const best = this.#best
    const bins = this.#bins
    const block = table.vectorBlocks[nth] ?? 0
    const norms = block + stride * rows
    const out = (this.#scratch + OUT_AT) / 4
    const least = (this.#threshold - MARGIN) * this.#length
    const found = this.#scan(block, rows, stride, norms, this.#scratch, least, out * 4)
    if (found === 0) return
    for (let i = 0; i < found; i++) {
      const row = i32[out + i * 2] ?? 0
      const excerpt = i32[norms / 4 + rows + row] ?? -1
      if (excerpt < 0) continue
      const before = best[excerpt] ?? UNMET
      if (before === HIDDEN) continue
      const similarity = clamped((i32[out + i * 2 + 1] ?? 0) / Math.sqrt((i32[norms / 4 + row] ?? 0) * square))
      // NaN of a zero vector is passed over, as by `least`.
      if (!(1 - similarity <= farthest)) continue
      if (before === UNMET) {
        this.#met.push(excerpt)
        if (!this.#may(excerpt)) {
          best[excerpt] = HIDDEN
          continue
        }
      } else if (similarity <= before) continue
      best[excerpt] = similarity
      const bin = binOf(similarity)
      bins[bin] = (bins[bin] ?? 0) + 1
      if (bin >= this.#thresholdBin) this.#above++
      if (before === UNMET) continue
      const old = binOf(before)
      bins[old] = (bins[old] ?? 0) - 1
      if (old >= this.#thresholdBin) this.#above--
    }
    // Whatever lies below a bin that the limit is reached without cannot be among the nearest.
    while (this.#above - (bins[this.#thresholdBin] ?? 0) >= this.#limit) this.#above -= bins[this.#thresholdBin++] ?? 0
    this.#threshold = Math.max(this.#threshold, this.#thresholdBin / BINS_A_UNIT - 1)
  }

  /** What was met is forgotten for the next search. */
  end(): NearExcerpts {
    const best = this.#best
    const least = this.#threshold - MARGIN
    const excerpts: number[] = []
    const distances: number[] = []
    for (const excerpt of this.#met) {
      const similarity = best[excerpt] ?? UNMET
      best[excerpt] = UNMET
      if (similarity === HIDDEN || similarity < least) continue
      excerpts.push(excerpt)
      distances.push(1 - similarity)
    }
    return chooseNearest(this.#views, this.#request, { excerpts, distances: Float64Array.from(distances) }, this.#limit)
  }
}

/** The `limit` nearest of some. */
export function chooseNearest(views: Views, { table }: ScanRequest, near: NearExcerpts, limit: number): NearExcerpts {
  const { excerpts, distances } = near
  if (excerpts.length <= limit) return near
  const byKey = (a: number, b: number) =>
    compareKeys(views.u8, views.i32, table.excerptBlocks, excerpts[a] ?? 0, excerpts[b] ?? 0)
  const chosen = selectLeast(distances, limit, byKey)
  return {
    excerpts: chosen.map((place) => excerpts[place] ?? 0),
    distances: Float64Array.from(chosen, (place) => distances[place] ?? 0),
  }
}

/** By review and place in it, as the database breaks ties. */
export function compareKeys(u8: Uint8Array, i32: Int32Array, blocks: Uint32Array, a: number, b: number): number {
  const [first, second] = [byteOffset(blocks, 'reviewId', a), byteOffset(blocks, 'reviewId', b)]
  for (let i = 0; i < 16; i++) {
    const difference = (u8[first + i] ?? 0) - (u8[second + i] ?? 0)
    if (difference !== 0) return difference
  }
  return (i32[byteOffset(blocks, 'ordinal', a) / 4] ?? 0) - (i32[byteOffset(blocks, 'ordinal', b) / 4] ?? 0)
}

const clamped = (similarity: number) => Math.max(-1, Math.min(1, similarity))
const binOf = (similarity: number) => Math.floor((similarity + 1) * BINS_A_UNIT)

/** The same condition as `publishable` in sql/statement.ts. */
function publishable(views: Views, { table, policy }: ScanRequest): (excerpt: number) => boolean {
  const { u8, i32, f64 } = views
  const { excerptBlocks, wordBlocks } = table
  const { minRating, since, pairs } = policy
  const sources = policy.sources && new Set(policy.sources)
  const unwanted = FLAG.hidden | (policy.withoutComplaints ? FLAG.complaint : 0)
  return (at) => {
    if ((i32[byteOffset(excerptBlocks, 'ordinal', at) / 4] ?? -1) < 0) return false
    const flags = u8[byteOffset(excerptBlocks, 'flags', at)] ?? 0
    if (flags & unwanted) return false
    const rating = u8[byteOffset(excerptBlocks, 'rating', at)] ?? 0
    if (rating === 0 ? !(flags & (FLAG.positive | FLAG.neutral)) : rating < minRating) return false
    if (sources && !sources.has(u8[byteOffset(excerptBlocks, 'source', at)] ?? -1)) return false
    if (since !== null && !((f64[byteOffset(excerptBlocks, 'occurredAt', at) / 8] ?? Number.NaN) >= since)) return false
    if (pairs.length === 0) return true
    return hasPairs(views, entryOffset(wordBlocks, i32[byteOffset(excerptBlocks, 'words', at) / 4] ?? 0), pairs)
  }
}
