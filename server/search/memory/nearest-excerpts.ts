import type { Views } from './block-allocator.ts'
import type { ScanRequest } from './scan-request.ts'
import { selectLeast } from './select-least.ts'
import { type Met, type Scanner, TableScan } from './table-scan.ts'
import { byteOffset } from './table-view.ts'

/** Excerpts with their distances, in step. */
export type NearExcerpts = Omit<Met, 'complete'>

/** Gives the number of the next run of blocks that nobody else compares; beyond the last when there is none. */
export type Claim = () => number

/** Blocks of a run: some forty microseconds. */
const RUN = 16
/** The steps between blocks, as a share of all: neighbours hold reviews that came together, which may all be near or none. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * The publishable excerpts no farther than `farthest`, the `limit` nearest of them, in no order, for each of some searches of one
 * table. A scan mostly waits for memory, so that each block is compared with all of the queries while the processor's cache has it.
 *
 * Distances are those of pgvector to the bit: the sums are whole numbers below 2^24, which it has exactly too, and the rest
 * is the same arithmetic on doubles.
 *
 * @param requests no more than the scanner has scratch blocks
 */
export function nearestExcerpts(scanner: Scanner, requests: readonly ScanRequest[]): NearExcerpts[] {
  const scans = requests.map((request, place) => {
    const wanted = limitOf(request)
    return new TableScan(scanner, request, place, { wanted, guesses: Number.isFinite(wanted) })
  })
  compareBlocks(scans, requests[0]?.table.vectorBlocks.length ?? 0, everyRun())
  const met = scans.map((scan) => scan.end())
  return requests.map((request, i) => nearestOf(scanner, request, met[i] ? [met[i]] : []))
}

/** What a search meets in its part of a table, so that together with what the others meet it is likely to have all that it wants. */
export function meetIn(scanner: Scanner, request: ScanRequest, claim: Claim): Met {
  const scan = new TableScan(scanner, request, 0, { wanted: limitOf(request), guesses: true })
  compareBlocks([scan], request.table.vectorBlocks.length, claim)
  return scan.end()
}

/** The nearest of what was met in the parts of a table. Where too few were, the whole of it is scanned again, without a guess. */
export function nearestOf(scanner: Scanner, request: ScanRequest, parts: readonly Met[]): NearExcerpts {
  const limit = limitOf(request)
  const complete = Math.min(...parts.map((part) => part.complete))
  const near = parts.length === 1 && parts[0] ? parts[0] : putTogether(parts)
  let met = 0
  for (const distance of near.distances) if (distance <= complete) met++
  if (complete === Number.POSITIVE_INFINITY || met >= limit) return chooseNearest(scanner.views(), request, near, limit)
  const again = new TableScan(scanner, request, 0, { wanted: limit, guesses: false })
  compareBlocks([again], request.table.vectorBlocks.length, everyRun())
  return chooseNearest(scanner.views(), request, again.end(), limit)
}

const limitOf = ({ depth, nearest }: ScanRequest) => (depth.among === 'nearest' ? nearest : Number.POSITIVE_INFINITY)

function everyRun(): Claim {
  let next = 0
  return () => next++
}

/** Compares the blocks of the runs that are claimed, on a way in wide steps through all of a table's. */
function compareBlocks(scans: readonly TableScan[], blocks: number, claim: Claim): void {
  let step = Math.max(1, Math.floor(blocks * GOLDEN))
  while (divisor(step, blocks) > 1) step++
  let seen = 0
  for (let run = claim() * RUN; run < blocks; run = claim() * RUN) {
    for (let i = run; i < Math.min(run + RUN, blocks); i++) {
      seen++
      for (const scan of scans) scan.compare((i * step) % blocks, seen / blocks)
    }
  }
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/** An excerpt is as near as its nearest vector, in whichever part that lies. */
function putTogether(parts: readonly NearExcerpts[]): NearExcerpts {
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

/** The `limit` nearest of some. */
function chooseNearest(views: Views, { table }: ScanRequest, near: NearExcerpts, limit: number): NearExcerpts {
  const { excerpts, distances, words } = near
  if (excerpts.length <= limit) return near
  const byKey = (a: number, b: number) =>
    compareKeys(views.u8, views.i32, table.excerptBlocks, excerpts[a] ?? 0, excerpts[b] ?? 0)
  const chosen = selectLeast(distances, limit, byKey)
  const kept = new Float64Array(chosen.length)
  for (let i = 0; i < chosen.length; i++) kept[i] = distances[chosen[i] ?? 0] ?? 0
  return {
    excerpts: chosen.map((place) => excerpts[place] ?? 0),
    distances: kept,
    words: chosen.map((place) => words[place] ?? 0),
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
