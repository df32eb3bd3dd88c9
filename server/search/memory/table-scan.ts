import type { Views } from './block-allocator.ts'
import { NUMBERS, type Scan, STREAMS } from './kernel.ts'
import type { ScanRequest } from './scan-request.ts'
import { byteOffset, FLAG, type TableView, vectorPlace } from './table-view.ts'
import { entryOffset, hasPairs, hasWords, matchWords } from './word-store.ts'

/** What a thread scans with. */
export interface Scanner {
  views: () => Views
  scan: Scan
  /**
   * Scratch blocks of its own in shared memory, one per concurrent search: the kernel's streams, the query, and from
   * {@link OUT_AT} on the kernel's output.
   */
  scratches: readonly number[]
}

/**
 * Rows that the kernel compares at once, a quarter of a block's. Four consecutive strips take one quarter of each of four
 * consecutive blocks after the other, so that each of the kernel's streams goes on through a whole block. Each of the last
 * blocks, fewer than four, is a strip of its own whose streams are its quarters.
 */
function stripPlace({ rows, headBlocks }: TableView, strip: number, stream: number): { block: number; row: number } {
  const group = Math.floor(strip / STREAMS) * STREAMS
  const quarter = rows / STREAMS
  if (group + STREAMS > headBlocks.length) return { block: strip, row: stream * quarter }
  return { block: group + stream, row: (strip - group) * quarter }
}

/** What a scan found, as parallel arrays. */
export interface ScanResult {
  excerpts: number[]
  /** Cosine distances, bit for bit those of pgvector. */
  distances: Float64Array
  /** Bit masks of the query's words in each. */
  words: number[]
  /** The scan found every publishable excerpt of its blocks up to this distance. */
  complete: number
}

/** Offsets of the query and of the kernel's output in a scratch block. */
const QUERY_AT = 64
export const OUT_AT = QUERY_AT + 32_768
const BINS_A_UNIT = 2_048
/** Upper bound of the error of a float32 sum in the kernel, whose results are checked again. */
const MARGIN = 1e-5
/** Lower than every similarity. */
const UNMET = -3
const HIDDEN = -2
/** Margin by which a part must exceed its share, in standard deviations plus excerpts. */
const DEVIATIONS = 6
const EXTRA = 10
/** Per concurrent search: every excerpt's highest similarity, reused from scan to scan, all {@link UNMET} in between. */
const bestByPlace: Float64Array[] = []

/**
 * One search as it passes over strips of a table. Its threshold rises with the strips seen: after a tenth of them,
 * anything behind the best tenth of the wanted number (plus a margin) is considered too far. This is a guess, better
 * the less the order of the strips correlates with their content; {@link ScanResult.complete} tells how it turned out.
 */
export class TableScan {
  readonly #request: ScanRequest
  readonly #views: Views
  readonly #scan: Scan
  readonly #scratch: number
  readonly #wanted: number
  readonly #guesses: boolean
  readonly #square: number
  readonly #length: number
  readonly #isPublishable: (excerpt: number) => boolean
  /** Every excerpt's highest similarity. */
  readonly #best: Float64Array
  readonly #seen: number[] = []
  readonly #bins = new Int32Array(BINS_A_UNIT * 2 + 1)
  /** Where the numbers of the strip's streams begin, as indexes of 32-bit values. */
  readonly #norms = new Int32Array(STREAMS)
  readonly #owners = new Int32Array(STREAMS)
  #threshold: number
  #thresholdBin = 0
  #above = 0

  /**
   * @param place index among the concurrent searches
   * @param options.wanted how many of the nearest matter
   * @param options.guesses when false, drops only what has at least `wanted` nearer ones
   */
  constructor(
    { views, scan, scratches }: Scanner,
    request: ScanRequest,
    place: number,
    { wanted, guesses }: { wanted: number; guesses: boolean },
  ) {
    const { query, table, farthest } = request
    this.#request = request
    this.#views = views()
    this.#scan = scan
    this.#scratch = scratches[place] ?? 0
    this.#wanted = wanted
    this.#guesses = guesses
    this.#square = query.reduce((sum, x) => sum + x * x, 0)
    this.#length = Math.sqrt(this.#square)
    this.#isPublishable = publishable(this.#views, request)
    this.#threshold = 1 - farthest
    this.#views.i16.set(query, (this.#scratch + QUERY_AT) / 2)
    const before = bestByPlace[place]
    if (before && before.length >= table.excerpts) this.#best = before
    else {
      this.#best = new Float64Array(table.excerpts).fill(UNMET)
      bestByPlace[place] = this.#best
    }
  }

  /**
   * Compares all vectors of a strip.
   * @param seen share of the table's strips that this scan has compared, this one included
   */
  compare(strip: number, seen: number): void {
    const { table, farthest, reach } = this.#request
    const { head, rest, rows } = table
    const { i32 } = this.#views
    const scratch = this.#scratch
    const square = this.#square
    const best = this.#best
    const bins = this.#bins
    const norms = this.#norms
    const owners = this.#owners
    for (let stream = 0; stream < STREAMS; stream++) {
      const { block, row } = stripPlace(table, strip, stream)
      const place = vectorPlace(table, table.headBlocks[block] ?? 0, table.restBlocks[block] ?? 0, row)
      i32[scratch / 4 + stream] = place.head
      i32[scratch / 4 + STREAMS + stream] = place.norm * 4
      i32[scratch / 4 + STREAMS * 2 + stream] = place.rest
      norms[stream] = place.norm
      owners[stream] = place.owner
    }
    const out = (scratch + OUT_AT) / 4
    const least = (this.#threshold - MARGIN) * this.#length
    const rowsOfStrip = { streams: scratch, count: rows / STREAMS, head, rest }
    const found = this.#scan(rowsOfStrip, scratch + QUERY_AT, least, reach, out * 4)
    for (let i = 0; i < found; i++) {
      const vector = i32[out + i * 2] ?? 0
      const stream = vector % STREAMS
      const row = Math.floor(vector / STREAMS) * NUMBERS
      const excerpt = i32[(owners[stream] ?? 0) + row] ?? -1
      if (excerpt < 0) continue
      const before = best[excerpt] ?? UNMET
      if (before === HIDDEN) continue
      const similarity = clamped(
        (i32[out + i * 2 + 1] ?? 0) / Math.sqrt((i32[(norms[stream] ?? 0) + row] ?? 0) * square),
      )
      // Skips the NaN of a zero vector, like SQL's `least`.
      if (!(1 - similarity <= farthest)) continue
      if (before === UNMET) {
        this.#seen.push(excerpt)
        if (!this.#isPublishable(excerpt)) {
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
    // Anything in a bin below one that leaves enough above it is too far.
    const enough = this.#enough(seen)
    while (this.#above - (bins[this.#thresholdBin] ?? 0) >= enough) this.#above -= bins[this.#thresholdBin++] ?? 0
    this.#threshold = Math.max(this.#threshold, this.#thresholdBin / BINS_A_UNIT - 1)
  }

  /** How many excerpts a share of the blocks must yield before the threshold may rise. */
  #enough(seen: number): number {
    if (!this.#guesses) return this.#wanted
    const share = this.#wanted * seen
    return share + DEVIATIONS * Math.sqrt(share) + EXTRA
  }

  /** Returns the result and clears the state for the next search. */
  end(): ScanResult {
    const best = this.#best
    const least = this.#threshold - MARGIN
    const excerpts: number[] = []
    const distances: number[] = []
    const words: number[] = []
    for (const excerpt of this.#seen) {
      const similarity = best[excerpt] ?? UNMET
      best[excerpt] = UNMET
      if (similarity === HIDDEN || similarity < least) continue
      excerpts.push(excerpt)
      distances.push(1 - similarity)
      words.push(wordBits(this.#views, this.#request, excerpt))
    }
    const complete = this.#threshold > 1 - this.#request.farthest ? 1 - this.#threshold : Number.POSITIVE_INFINITY
    return { excerpts, distances: Float64Array.from(distances), words, complete }
  }
}

const clamped = (similarity: number) => Math.max(-1, Math.min(1, similarity))
const binOf = (similarity: number) => Math.floor((similarity + 1) * BINS_A_UNIT)

function wordBits(views: Views, { table, words }: ScanRequest, excerpt: number): number {
  if (words.count === 0) return 0
  const config = views.u8[byteOffset(table.excerptBlocks, 'config', excerpt)] ?? 0
  const [wanted, bits] = [words.wanted[config], words.bits[config]]
  if (!wanted || !bits) return 0
  const place = views.i32[byteOffset(table.excerptBlocks, 'words', excerpt) / 4] ?? 0
  const start = entryOffset(table.wordBlocks, place)
  let found = matchWords(views, start, wanted, bits)
  for (const { numbers, bit } of words.phrases[config] ?? [])
    if ((found & bit) === 0 && hasWords(views, start, numbers)) found |= bit
  return found >>> 0
}

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
