// @ts-check
// Tells the main thread that the database's thread gets on: every file operation counts, and every turn of its event
// loop between two statements. Plain JavaScript, since the thread starts without the TypeScript loader.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Permanent errors of the file system; the main thread reads the index. */
export const FILE_ERRORS = ['', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG']

/** A turn of the event loop proves more than a file operation: the statement that hit the error has ended. */
export const TURN = 1_000
const TURN_MS = 250

/** Indexes of the shared array: progress, last error, and progress at that error. */
export const PROGRESS = 0
export const FILE_ERROR = 1
export const FILE_ERROR_AT = 2
export const CELLS = 3

/**
 * Counts from now on. PGlite's file system calls the synchronous functions of `node:fs` by name at each operation, so
 * that wrapping them reaches it; a thread has a `node:fs` of its own.
 *
 * @param {Int32Array} shared
 */
export function reportProgress(shared) {
  /** @param {string} code */
  const note = (code) => {
    const trouble = FILE_ERRORS.indexOf(code)
    if (trouble <= 0) return
    Atomics.store(shared, FILE_ERROR, trouble)
    Atomics.store(shared, FILE_ERROR_AT, Atomics.load(shared, PROGRESS))
  }
  const functions = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (fs))
  for (const [name, original] of Object.entries(functions)) {
    if (!name.endsWith('Sync') || typeof original !== 'function') continue
    functions[name] = Object.assign(
      /** @this {unknown} @param {unknown[]} values */
      function (...values) {
        try {
          const result = Reflect.apply(original, this, values)
          Atomics.add(shared, PROGRESS, 1)
          // A full disk may accept part of a write instead of rejecting it.
          if (name === 'writeSync' && typeof values[3] === 'number' && Number(result) < values[3]) note('ENOSPC')
          return result
        } catch (error) {
          Atomics.add(shared, PROGRESS, 1)
          note(String(Reflect.get(Object(error), 'code')))
          throw error
        }
      },
      original,
    )
  }
  syncBuiltinESMExports()
  // A statement runs within one turn. One that is still open at the next turn was left by a panic and will never end.
  let statements = 0
  setInterval(() => {
    if (statements === 0) Atomics.add(shared, PROGRESS, TURN)
  }, TURN_MS).unref()
  return {
    /** @template T @param {() => Promise<T>} run @returns {Promise<T>} */
    async statement(run) {
      statements++
      try {
        return await run()
      } finally {
        statements--
      }
    },
  }
}
