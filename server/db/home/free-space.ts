import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'

/** A segment of the write-ahead log: without room for the next one the embedded database cannot write anything. */
const SEGMENT_BYTES = 16 * 1024 * 1024
/** What a write may still need: two segments, the batch itself and the excerpts that the pipeline makes of it. */
export const LEAST_FREE_BYTES = 64 * 1024 * 1024
const LOOK_EVERY_MS = 1_000

/** Whether the disk of `folder` lacks room for the next segment. False when that cannot be determined. */
export function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < SEGMENT_BYTES
  } catch {
    return false
  }
}

/** Free bytes for this user on a folder's disk; undefined when that cannot be determined. */
export type FreeSpace = () => Promise<number | undefined>

/** Checks the disk at most once a second. */
export function freeSpaceOf(folder: string): FreeSpace {
  let looked: { at: number; bytes: Promise<number | undefined> } | undefined
  return () => {
    const now = performance.now()
    if (looked === undefined || now - looked.at >= LOOK_EVERY_MS) {
      const bytes = statfs(folder).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => undefined,
      )
      looked = { at: now, bytes }
    }
    return looked.bytes
  }
}
