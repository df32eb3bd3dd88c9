// @ts-check
// Puts the embedded database's files on the disk when PostgreSQL says so. Plain JavaScript, since the thread starts
// without the TypeScript loader.
import fs from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/**
 * What PGlite does not flush by itself: its file system (Emscripten's NODEFS) has no fsync, and PGlite turns PostgreSQL's own
 * off (-F). A power cut could then leave a table's pages written but not their log. `wal_sync_method` must be one whose call
 * reaches the file system; Emscripten's fdatasync does nothing.
 */
export const FLUSHING = { fsync: 'on', wal_sync_method: 'fsync' }

/**
 * @typedef {{ nfd?: number, node: { mode: number } }} Stream `nfd` is the descriptor, which a folder has on Windows only
 * @typedef {{
 *   stream_ops: { fsync?: (stream: Stream) => number },
 *   realPath(node: object): string,
 *   convertNodeCode(error: unknown): number,
 * }} NodeFileSystem Emscripten's NODEFS
 */

/** PGlite's folder on disk, flushed whenever PostgreSQL asks for it. */
export class FlushedFiles extends NodeFS {
  /** @override @param {Parameters<NodeFS['init']>} values */
  async init(...values) {
    const { emscriptenOpts } = await super.init(...values)
    /**
     * @param {{ FS: {
     *   filesystems: { NODEFS: NodeFileSystem }, isDir(mode: number): boolean, ErrnoError: new (errno: number) => Error
     * } }} module
     */
    const teachFlushing = ({ FS }) => {
      const { NODEFS } = FS.filesystems
      NODEFS.stream_ops.fsync = (stream) => {
        try {
          const path = NODEFS.realPath(stream.node)
          if (stream.nfd === undefined || FS.isDir(stream.node.mode)) flushFolder(path)
          else flushFile(stream.nfd, path)
        } catch (error) {
          throw new FS.ErrnoError(NODEFS.convertNodeCode(error))
        }
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), teachFlushing] } }
  }
}

/** @param {number} descriptor @param {string} path */
function flushFile(descriptor, path) {
  // Called by name each time, so that progress.js counts it. Data and size are enough; PostgreSQL reads no timestamps.
  try {
    fs.fdatasyncSync(descriptor)
  } catch (error) {
    // Windows only flushes files opened for writing, and PostgreSQL opens some for reading.
    if (Reflect.get(Object(error), 'code') !== 'EPERM') throw error
    flushOpened(path, 'r+')
  }
}

/** @param {string} path of a folder, whose names are put on the disk; Windows does that by itself */
function flushFolder(path) {
  if (process.platform !== 'win32') flushOpened(path, 'r')
}

/** @param {string} path @param {'r' | 'r+'} flags */
function flushOpened(path, flags) {
  const descriptor = fs.openSync(path, flags)
  try {
    fs.fsyncSync(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}
