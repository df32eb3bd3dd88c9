import type { Views } from './block-allocator.ts'
import { STREAMS } from './kernel.ts'
import type { ScanRequest } from './scan-request.ts'
import { selectLeast } from './select-least.ts'
import { type Scanner, type ScanResult, TableScan } from './table-scan.ts'
import { byteOffset } from './table-view.ts'

/** Excerpts and their distances, as parallel arrays. */
export type NearExcerpts = Omit<ScanResult, 'complete'>

/** Claims the next run of strips for the caller alone; the number is past the last run when none are left. */
export type Claim = () => number

/** Groups of strips in a run: about forty microseconds. */
const RUN = 4
/**
 * Step between groups as a share of all: neighbouring blocks hold reviews that arrived together, which may all be near
 * or all far.
 */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * For each of several searches of one table, the publishable excerpts within `farthest`, limited to the `limit` nearest,
 * unordered. A scan is bound by memory, so each strip is compared with all queries while it is in the processor's cache.
 *
 * Distances equal pgvector's to the bit: the sums are integers below 2^24, which pgvector computes exactly too, and the rest
 * is the same arithmetic on doubles.
 * @param requests at most as many as the scanner has scratch blocks
 */
export function nearestExcerpts(scanner: Scanner, requests: readonly ScanRequest[]): NearExcerpts[] {
  const scans = requests.map((request, place) => {
    const wanted = limitOf(request)
    return new TableScan(scanner, request, place, { wanted, guesses: Number.isFinite(wanted) })
  })
  compareStrips(scans, requests[0]?.table.headBlocks.length ?? 0, everyRun())
  const met = scans.map((scan) => scan.end())
  return requests.map((request, i) => nearestInParts(scanner, request, met[i] ? [met[i]] : []))
}

/** Scans the blocks that this thread claims. All parts together probably contain every excerpt that the search wants. */
export function scanClaimed(scanner: Scanner, request: ScanRequest, claim: Claim): ScanResult {
  const scan = new TableScan(scanner, request, 0, { wanted: limitOf(request), guesses: true })
  compareStrips([scan], request.table.headBlocks.length, claim)
  return scan.end()
}

/** The nearest excerpts of all parts. If the guess left too few, rescans the whole table without guessing. */
export function nearestInParts(scanner: Scanner, request: ScanRequest, parts: readonly ScanResult[]): NearExcerpts {
  const limit = limitOf(request)
  const complete = Math.min(...parts.map((part) => part.complete))
  const near = parts.length === 1 && parts[0] ? parts[0] : mergeParts(parts)
  let met = 0
  for (const distance of near.distances) if (distance <= complete) met++
  if (complete === Number.POSITIVE_INFINITY || met >= limit) return chooseNearest(scanner.views(), request, near, limit)
  const again = new TableScan(scanner, request, 0, { wanted: limit, guesses: false })
  compareStrips([again], request.table.headBlocks.length, everyRun())
  return chooseNearest(scanner.views(), request, again.end(), limit)
}

const limitOf = ({ depth, nearest }: ScanRequest) => (depth.among === 'nearest' ? nearest : Number.POSITIVE_INFINITY)

function everyRun(): Claim {
  let next = 0
  return () => next++
}

/** Compares the claimed strips, as many as the table has blocks, visiting it in wide steps so that each run is a sample of it. */
function compareStrips(scans: readonly TableScan[], strips: number, claim: Claim): void {
  const groups = Math.ceil(strips / STREAMS)
  let step = Math.max(1, Math.floor(groups * GOLDEN))
  while (divisor(step, groups) > 1) step++
  let seen = 0
  for (let run = claim() * RUN; run < groups; run = claim() * RUN) {
    for (let i = run; i < Math.min(run + RUN, groups); i++) {
      const first = ((i * step) % groups) * STREAMS
      for (let strip = first; strip < Math.min(first + STREAMS, strips); strip++) {
        seen++
        for (const scan of scans) scan.compare(strip, seen / strips)
      }
    }
  }
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/** Merges parts. An excerpt is as near as its nearest vector, in whichever part that was. */
function mergeParts(parts: readonly NearExcerpts[]): NearExcerpts {
  const places = new Map<number, number>()
  const excerpts: number[] = []
  const words: number[] = []
  const distances = new Float64Array(parts.reduce((sum, part) => sum + part.excerpts.length, 0))
  for (const part of parts) {
    for (let i = 0; i < part.excerpts.length; i++) {
      const excerpt = part.excerpts[i] ?? 0
      const distance = part.distances[i] ?? 0
      const known = places.get(excerpt)
      if (known === undefined) {
        places.set(excerpt, excerpts.length)
        distances[excerpts.length] = distance
        excerpts.push(excerpt)
        words.push(part.words[i] ?? 0)
      } else if (distance < (distances[known] ?? 0)) distances[known] = distance
    }
  }
  return { excerpts, distances: distances.subarray(0, excerpts.length), words }
}

/** The `limit` nearest. */
function chooseNearest(views: Views, { table }: ScanRequest, near: NearExcerpts, limit: number): NearExcerpts {
  const { excerpts, distances, words } = near
  if (excerpts.length <= limit) return near
  const byKey = (a: number, b: number) => compareKeys(views, table.excerptBlocks, excerpts[a] ?? 0, excerpts[b] ?? 0)
  const chosen = selectLeast(distances, limit, byKey)
  const kept = new Float64Array(chosen.length)
  for (let i = 0; i < chosen.length; i++) kept[i] = distances[chosen[i] ?? 0] ?? 0
  return {
    excerpts: chosen.map((place) => excerpts[place] ?? 0),
    distances: kept,
    words: chosen.map((place) => words[place] ?? 0),
  }
}

/** Compares by review id and ordinal, as the database breaks ties. */
export function compareKeys({ u8, i32 }: Views, blocks: Uint32Array, a: number, b: number): number {
  const [first, second] = [byteOffset(blocks, 'reviewId', a), byteOffset(blocks, 'reviewId', b)]
  for (let i = 0; i < 16; i++) {
    const difference = (u8[first + i] ?? 0) - (u8[second + i] ?? 0)
    if (difference !== 0) return difference
  }
  return (i32[byteOffset(blocks, 'ordinal', a) / 4] ?? 0) - (i32[byteOffset(blocks, 'ordinal', b) / 4] ?? 0)
}
