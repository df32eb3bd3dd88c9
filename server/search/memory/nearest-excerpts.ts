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
  /** A block of its own in the shared memory: the query, and from its middle on what the kernel leaves. */
  scratch: number
}

/** Excerpts with their distances, in step. */
export interface NearExcerpts {
  excerpts: number[]
  /** Cosine distances, bit for bit what pgvector answers. */
  distances: Float64Array
}

const OUT_AT = 32_768
const BINS_A_UNIT = 2_048
/** What rounding to float32 may take from a sum in the kernel, whose word is not the last. */
const MARGIN = 1e-5
const UNMET = 0
const HIDDEN = 1
const MET = 2
/** Of each excerpt whether it was met, kept from scan to scan, all zeros between them; and its highest similarity. */
let state = new Uint8Array(0)
let best = new Float64Array(0)

/**
 * The publishable excerpts no farther than `farthest`, the `limit` nearest of them, in no order.
 *
 * Distances are those of pgvector to the bit: the sums are whole numbers below 2^24, which it has exactly too, and the rest
 * is the same arithmetic on doubles.
 */
export function nearestExcerpts(scanner: Scanner, request: ScanRequest, limit: number): NearExcerpts {
  const { table, query, farthest } = request
  const { stride, rows } = table
  const views = scanner.views()
  const { i16, i32 } = views
  const square = query.reduce((sum, x) => sum + x * x, 0)
  const length = Math.sqrt(square)
  i16.set(query, scanner.scratch / 2)
  if (state.length < table.excerpts) {
    state = new Uint8Array(table.excerpts)
    best = new Float64Array(table.excerpts)
  }
  const met: number[] = []
  const may = publishable(views, request)
  const bins = new Int32Array(BINS_A_UNIT * 2 + 1)
  let threshold = 1 - farthest
  let thresholdBin = 0
  let above = 0
  const out = (scanner.scratch + OUT_AT) / 4

  for (let nth = 0, first = 0; first < table.vectors; nth++, first += rows) {
    const block = table.vectorBlocks[nth] ?? 0
    const norms = block + stride * rows
    const found = scanner.scan(block, rows, stride, norms, scanner.scratch, (threshold - MARGIN) * length, out * 4)
    for (let i = 0; i < found; i++) {
      const row = i32[out + i * 2] ?? 0
      const excerpt = i32[norms / 4 + rows + row] ?? -1
      if (excerpt < 0) continue
      const known = state[excerpt]
      if (known === HIDDEN) continue
      const similarity = clamped((i32[out + i * 2 + 1] ?? 0) / Math.sqrt((i32[norms / 4 + row] ?? 0) * square))
      // NaN of a zero vector is passed over, as by `least`.
      if (!(1 - similarity <= farthest)) continue
      const before = best[excerpt] ?? 0
      if (known === UNMET) {
        met.push(excerpt)
        state[excerpt] = may(excerpt) ? MET : HIDDEN
        if (state[excerpt] === HIDDEN) continue
      } else if (similarity <= before) continue
      best[excerpt] = similarity
      const bin = binOf(similarity)
      bins[bin] = (bins[bin] ?? 0) + 1
      if (bin >= thresholdBin) above++
      if (known === UNMET) continue
      const old = binOf(before)
      bins[old] = (bins[old] ?? 0) - 1
      if (old >= thresholdBin) above--
    }
    // Whatever lies below a bin that the limit is reached without cannot be among the nearest.
    while (above - (bins[thresholdBin] ?? 0) >= limit) above -= bins[thresholdBin++] ?? 0
    threshold = Math.max(threshold, thresholdBin / BINS_A_UNIT - 1)
  }

  return collect(views, request, met, limit, threshold)
}

/** Ends a scan: what was met is forgotten for the next one. */
function collect(views: Views, { table }: ScanRequest, met: number[], limit: number, threshold: number): NearExcerpts {
  const near: number[] = []
  for (const excerpt of met) {
    if (state[excerpt] === MET && (best[excerpt] ?? 0) >= threshold - MARGIN) near.push(excerpt)
    state[excerpt] = UNMET
  }
  const distances = Float64Array.from(near, (excerpt) => 1 - (best[excerpt] ?? 0))
  if (near.length <= limit) return { excerpts: near, distances }
  const byKey = (a: number, b: number) =>
    compareKeys(views.u8, views.i32, table.excerptBlocks, near[a] ?? 0, near[b] ?? 0)
  const chosen = selectLeast(distances, limit, byKey)
  return {
    excerpts: chosen.map((place) => near[place] ?? 0),
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
