import { CELLS, PROGRESS, TROUBLE, TROUBLE_AT, TROUBLES, TURN } from './progress.js'

/** Numbers that the database's thread writes and the main thread reads. */
export function sharedProgress(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(CELLS * Int32Array.BYTES_PER_ELEMENT))
}

/** The file system's code of the last operation that failed for want of room or of a working disk. */
export function lastTrouble(shared: Int32Array): string | undefined {
  return TROUBLES[Atomics.load(shared, TROUBLE)] || undefined
}

/** Milliseconds between two looks, and looks without progress after which a thread is stuck. */
const WATCH = {
  everyMs: 500,
  /** After a write for which there was no room, or with hardly any left: five seconds. */
  afterTrouble: 10,
  /** Any statement: two minutes without a single file operation. A long one of a large database reads and writes. */
  statement: 240,
}

/**
 * Looks whether the thread gets on. A full disk at a switch of the write-ahead log is a panic for PostgreSQL, which in
 * PGlite (0.5.14) ends in an endless loop: no file operation any more, no turn of the event loop, and room made later
 * changes nothing. Looks are counted and not time, so that a machine that slept or a main thread that was busy does
 * not make a healthy database look stuck.
 *
 * @param isFull whether the disk of the database has no room left, looked at when the thread stands still
 * @param stuck called once, with the trouble that came before, if any
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
    const sinceTrouble = (now - Atomics.load(shared, TROUBLE_AT)) | 0
    const seen = sinceTrouble < TURN ? lastTrouble(shared) : undefined
    const trouble = seen ?? (isFull() ? 'ENOSPC' : undefined)
    if (trouble === undefined && still < limits.statement) return
    clearInterval(timer)
    stuck(trouble)
  }, limits.everyMs).unref()
  return () => clearInterval(timer)
}
