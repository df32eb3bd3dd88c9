import type { Candidates } from '../candidates.ts'
import type { Views } from './block-allocator.ts'
import { candidatesAmong } from './find-candidates.ts'
import { chooseNearest, type NearExcerpts, nearestExcerpts, OUT_AT, type Scanner } from './nearest-excerpts.ts'
import type { ScanRequest } from './scan-request.ts'

/** One thread's part of a search that several make together. */
export interface ScanPart {
  nth: number
  /** The first scratch block of each of the threads. */
  scratches: readonly number[]
  /** Byte of an int32 that counts those that are done, 0 before. */
  done: number
}

/** Most excerpts that a thread can leave for the others. */
const MOST_LEFT = 2_000
/** Bytes behind which the excerpts' distances stand: how many there are, and nothing. */
const HEADER = 8

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
  const { scratches, nth, done } = part
  const blocks = request.table.vectorBlocks.length
  const border = (place: number) => Math.round((blocks * place) / scratches.length)
  const [near] = nearestExcerpts(scanner, [request], { from: border(nth), to: border(nth + 1) })
  const views = scanner.views()
  if (near) leave(views, scratches[nth] ?? 0, near)
  if (Atomics.add(views.i32, done / 4, 1) + 1 < scratches.length) return undefined
  const all = putTogether(scratches.map((scratch) => leftAt(views, scratch)))
  return candidatesAmong(views, request, chooseNearest(views, request, all, request.nearest))
}

/** Where the kernel left what it found, which is not needed any more. */
function leave(views: Views, scratch: number, { excerpts, distances }: NearExcerpts): void {
  const at = scratch + OUT_AT
  views.i32[at / 4] = excerpts.length
  views.f64.set(distances, (at + HEADER) / 8)
  views.i32.set(excerpts, (at + HEADER) / 4 + excerpts.length * 2)
}

function leftAt(views: Views, scratch: number): { excerpts: Int32Array; distances: Float64Array } {
  const at = scratch + OUT_AT
  const count = views.i32[at / 4] ?? 0
  const distances = views.f64.subarray((at + HEADER) / 8).subarray(0, count)
  return { excerpts: views.i32.subarray((at + HEADER) / 4 + count * 2).subarray(0, count), distances }
}

function putTogether(parts: readonly ReturnType<typeof leftAt>[]): NearExcerpts {
  const least = new Map<number, number>()
  for (const { excerpts, distances } of parts) {
    for (let i = 0; i < excerpts.length; i++) {
      const excerpt = excerpts[i] ?? 0
      const distance = distances[i] ?? 0
      const known = least.get(excerpt)
      if (known === undefined || distance < known) least.set(excerpt, distance)
    }
  }
  return { excerpts: [...least.keys()], distances: Float64Array.from(least.values()) }
}
