import type { Candidates } from '../candidates.ts'
import type { Views } from './block-allocator.ts'
import { passingCandidates } from './find-candidates.ts'
import { nearestInParts, scanClaimed } from './nearest-excerpts.ts'
import type { ScanRequest } from './scan-request.ts'
import { OUT_AT, type Scanner, type ScanResult } from './table-scan.ts'

/** One thread's part of a divided search. */
export interface ScanPart {
  nth: number
  /** The first scratch block of each thread. */
  scratches: readonly number[]
  /** Byte offset of two int32, initially 0: threads that are done, and claimed runs of blocks. */
  counters: number
}

/** Maximum number of excerpts that a thread can hand over. */
const MOST_HANDED_OVER = 2_000
/**
 * Bytes before the excerpts' distances, numbers and words: their count (int32), padding, and the distance up to which
 * they are complete (float64).
 */
const HEADER = 16

/** Whether results of parts can be merged: not for a search that examines every excerpt. */
export function isDivisible({ depth, nearest }: ScanRequest): boolean {
  return depth.among === 'nearest' && nearest <= MOST_HANDED_OVER
}

/**
 * Scans a part of the table's vectors. The last thread to finish merges the parts: one of the nearest excerpts is also among
 * the nearest in the part that has its nearest vector.
 * @returns undefined when others are not done yet
 */
export function findInPart(scanner: Scanner, request: ScanRequest, part: ScanPart): Candidates | undefined {
  const { scratches, nth, counters } = part
  const views = scanner.views()
  // Claims runs one by one, so that a thread without a processor leaves more to the others.
  const met = scanClaimed(scanner, request, () => Atomics.add(views.i32, counters / 4 + 1, 1))
  writeResult(views, scratches[nth] ?? 0, met)
  if (Atomics.add(views.i32, counters / 4, 1) + 1 < scratches.length) return undefined
  const all = scratches.map((scratch) => readResult(views, scratch))
  return passingCandidates(views, request, nearestInParts(scanner, request, all))
}

/** Overwrites the kernel's output, which is no longer needed. If there is not room for all, marks them as incomplete. */
function writeResult(views: Views, scratch: number, { excerpts, distances, words, complete }: ScanResult): void {
  const at = scratch + OUT_AT
  const count = Math.min(excerpts.length, MOST_HANDED_OVER)
  views.i32[at / 4] = count
  views.f64[at / 8 + 1] = count < excerpts.length ? Number.NEGATIVE_INFINITY : complete
  views.f64.set(distances.subarray(0, count), (at + HEADER) / 8)
  views.i32.set(excerpts.slice(0, count), (at + HEADER) / 4 + count * 2)
  views.i32.set(words.slice(0, count), (at + HEADER) / 4 + count * 3)
}

function readResult(views: Views, scratch: number): ScanResult {
  const at = scratch + OUT_AT
  const count = views.i32[at / 4] ?? 0
  const distances = views.f64.subarray((at + HEADER) / 8).subarray(0, count)
  const first = (at + HEADER) / 4 + count * 2
  const [excerpts, words] = [first, first + count].map((from) => Array.from(views.i32.subarray(from, from + count)))
  return { excerpts: excerpts ?? [], distances, words: words ?? [], complete: views.f64[at / 8 + 1] ?? 0 }
}
