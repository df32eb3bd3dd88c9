import { CELLS, FILE_ERROR, FILE_ERROR_AT, FILE_ERRORS, PROGRESS, TURN } from './progress.js'

/** Counters that the database's thread writes and the main thread reads. */
export function sharedProgress(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT))
}

/** The error code of the last file operation that failed for lack of space or a working disk. */
export function lastFileError(shared: Int32Array): string | undefined {
  return FILE_ERRORS[Atomics.load(shared, FILE_ERROR)] || undefined
}

/** Milliseconds between checks, and checks without progress after which a thread is stuck. */
const WATCH = {
  everyMs: 500,
  /** After a failed write for lack of space, or with hardly any left: five seconds. */
  afterTrouble: 10,
  /** Any statement: two minutes without a single file operation. A long one on a large database reads and writes. */
  statement: 240,
}

/**
 * Checks whether the thread makes progress. A full disk at a switch of the write-ahead log is a panic for PostgreSQL, which
 * in PGlite (0.5.14) ends in an infinite loop: no more file operations, no turn of the event loop, and space freed later does
 * not help. Counts checks instead of time, so that a machine that slept or a busy main thread does not make a healthy
 * database look stuck.
 * @param isFull whether the database's disk is full, checked when the thread stalls
 * @param stuck called once, with the preceding file error, if any
 * @returns ends the watch
 */
export function watchThread(
  shared: Int32Array,
  isFull: () => boolean,
  stuck: (trouble: string | undefined) => void,
  limits = WATCH,
): () => void {
  let before = Atomics.load(shared, PROGRESS)
  let still = 0
  const timer = setInterval(() => {
    const now = Atomics.load(shared, PROGRESS)
    if (now !== before) {
      before = now
      still = 0
      return
    }
    still++
    if (still < limits.afterTrouble) return
    const sinceTrouble = (now - Atomics.load(shared, FILE_ERROR_AT)) | 0
    const seen = sinceTrouble < TURN ? lastFileError(shared) : undefined
    const trouble = seen ?? (isFull() ? 'ENOSPC' : undefined)
    if (trouble === undefined && still < limits.statement) return
    clearInterval(timer)
    stuck(trouble)
  }, limits.everyMs).unref()
  return () => clearInterval(timer)
}
