import type { Candidates } from '../candidates.ts'
import type { Views } from './block-allocator.ts'
import { candidatesAmong } from './find-candidates.ts'
import { meetIn, nearestOf } from './nearest-excerpts.ts'
import type { ScanRequest } from './scan-request.ts'
import { type Met, OUT_AT, type Scanner } from './table-scan.ts'

/** One thread's part of a search that several make together. */
export interface ScanPart {
  nth: number
  /** The first scratch block of each of the threads. */
  scratches: readonly number[]
  /** Byte of two int32, 0 before: the threads that are done, and the runs of blocks that were claimed. */
  counters: number
}

/** Most excerpts that a thread can leave for the others. */
const MOST_LEFT = 2_000
/** Bytes behind which the excerpts' distances, numbers and words stand: how many there are (int32), nothing, how far they are complete (float64). */
const HEADER = 16

/** Whether what the parts find can be put together: not what looks at every excerpt. */
export function isDivisible({ depth, nearest }: ScanRequest): boolean {
  return depth.among === 'nearest' && nearest <= MOST_LEFT
}

/**
 * Scans a part of the table's vectors. Whoever is done last puts the parts together: an excerpt that is among the nearest is
 * so in the part where its nearest vector lies.
 *
 * @returns `undefined` when others are not done yet
 */
export function findInPart(scanner: Scanner, request: ScanRequest, part: ScanPart): Candidates | undefined {
  const { scratches, nth, counters } = part
  const views = scanner.views()
  // Each takes the next as soon as it can: a thread that waits for a processor leaves more to the others.
  const met = meetIn(scanner, request, () => Atomics.add(views.i32, counters / 4 + 1, 1))
  leave(views, scratches[nth] ?? 0, met)
  if (Atomics.add(views.i32, counters / 4, 1) + 1 < scratches.length) return undefined
  const all = scratches.map((scratch) => leftAt(views, scratch))
  return candidatesAmong(views, request, nearestOf(scanner, request, all))
}

/** Where the kernel left what it found, which is not needed any more. Where there is no room for all, they are not complete. */
function leave(views: Views, scratch: number, { excerpts, distances, words, complete }: Met): void {
  const at = scratch + OUT_AT
  const count = Math.min(excerpts.length, MOST_LEFT)
  views.i32[at / 4] = count
  views.f64[at / 8 + 1] = count < excerpts.length ? Number.NEGATIVE_INFINITY : complete
  views.f64.set(distances.subarray(0, count), (at + HEADER) / 8)
  views.i32.set(excerpts.slice(0, count), (at + HEADER) / 4 + count * 2)
  views.i32.set(words.slice(0, count), (at + HEADER) / 4 + count * 3)
}

function leftAt(views: Views, scratch: number): Met {
  const at = scratch + OUT_AT
  const count = views.i32[at / 4] ?? 0
  const distances = views.f64.subarray((at + HEADER) / 8).subarray(0, count)
  const first = (at + HEADER) / 4 + count * 2
  const [excerpts, words] = [first, first + count].map((from) => Array.from(views.i32.subarray(from, from + count)))
  return { excerpts: excerpts ?? [], distances, words: words ?? [], complete: views.f64[at / 8 + 1] ?? 0 }
}
