import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CodedError, ignoreCodes } from '../../../src/contract/code-of.ts'
import { untilAborted } from '../../abort.ts'
import type { Log, Pool } from '../../deps.ts'
import { connect } from '../connect.ts'
import { LEAST_FREE_BYTES } from '../home/free-space.ts'
import { startDatabaseThread } from './thread.ts'

/** A table's or the log's file may disappear during the listing; the second pass handles that. */
const unlessGone = ignoreCodes('ENOENT')

/** A snapshot of the database, for long reads while requests continue. */
export interface DatabaseCopy {
  sql: Pool
  /** Closes the copy and removes its files. */
  close(): Promise<void>
}

/** There is no room for a second set of the database's files. */
export class NoRoomForCopy extends CodedError<'no_room_for_copy'> {
  constructor(bytes: number) {
    super(
      'no_room_for_copy',
      `A copy of the database takes ${Math.ceil(bytes / 1e6)} MB, and the disk has not as much.`,
    )
  }
}

interface CopyOptions {
  sql: Pool
  dataDir: string
  /** Folder for the copy's files, on the same disk; it may be removed. */
  folder: string
  /** An unused path for the socket of the copy's thread. */
  socketPath: string
  log: Log
}

/** Makes copies one at a time (`copy` throws {@link NoRoomForCopy}). Closing it closes a copy that is open or being made. */
export function createCopier(options: CopyOptions): { copy(): Promise<DatabaseCopy>; close(): Promise<void> } {
  const abort = new AbortController()
  let latest: Promise<DatabaseCopy> | undefined
  let lastClosed = Promise.resolve()
  const copy = async () => {
    const previous = lastClosed
    let closed = () => {}
    lastClosed = new Promise((resolve) => {
      closed = resolve
    })
    await previous
    try {
      latest = copyDatabase(options, closed, abort.signal)
      return await latest
    } catch (error) {
      closed()
      throw error
    }
  }
  const close = async () => {
    abort.abort(new Error('The database is being closed.'))
    const copy = await latest?.catch(() => undefined)
    await copy?.close()
  }
  return { copy, close }
}

/**
 * Copies the embedded database, which has one connection: a long read would block every request (15 s for 60,000 excerpts).
 * Its files are copied while requests continue; then, while the connection is held and nothing runs, those written in the
 * meantime are copied again. What the database had not yet written to its tables' files is in the write-ahead log next to
 * them, from which the copy recovers it at its start, as after a kill.
 * @throws {NoRoomForCopy}
 */
async function copyDatabase(
  { sql, dataDir, folder, socketPath, log }: CopyOptions,
  onClosed: () => void,
  signal: AbortSignal,
): Promise<DatabaseCopy> {
  const remove = () => rm(folder, { recursive: true, force: true })
  signal.throwIfAborted()
  await remove()
  try {
    await copyFiles(sql, dataDir, folder, signal)
    const thread = await startDatabaseThread({ dataDir: folder, shortLived: false, flushed: false }, socketPath, log)
    const copy = connect({ path: socketPath, max: 1, keep: true })
    const end = async () => {
      await copy.end({ timeout: 0 })
      await thread.close()
      await remove()
    }
    let ended: Promise<void> | undefined
    return { sql: copy, close: () => (ended ??= end().finally(onClosed)) }
  } catch (error) {
    await remove()
    throw error
  }
}

interface FileState {
  size: number
  mtimeMs: number
}

/** A file system's clock ticks every few milliseconds (FAT: 2 s), so a write right after a check may not show. */
const CLOCK_TICK_MS = 3_000

async function copyFiles(sql: Pool, from: string, to: string, signal: AbortSignal): Promise<void> {
  const before = await filesIn(from)
  await requireRoom(to, [...before.values()])
  const begun = Date.now()
  const copy = async (name: string) => {
    signal.throwIfAborted()
    // On a file system that can clone, the copy shares blocks until they are written to.
    await copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE).catch(unlessGone)
  }
  await makeFolders(from, to)
  for (const name of before.keys()) await copy(name)
  // An empty transaction, so that everything else waits for its end. Closing does not queue behind it.
  const copying = sql.begin(async (tx) => {
    await tx`select`
    signal.throwIfAborted()
    const now = await filesIn(from)
    await makeFolders(from, to)
    for (const [name, { size, mtimeMs }] of now) {
      const seen = before.get(name)
      if (seen?.size !== size || seen.mtimeMs !== mtimeMs || mtimeMs > begun - CLOCK_TICK_MS) await copy(name)
    }
    for (const name of before.keys()) if (!now.has(name)) await rm(join(to, name), { force: true })
  })
  copying.catch(() => {})
  await untilAborted(copying, signal)
}

async function requireRoom(folder: string, files: FileState[]): Promise<void> {
  const bytes = files.reduce((sum, { size }) => sum + size, LEAST_FREE_BYTES)
  const { bavail, bsize } = await statfs(dirname(folder))
  if (bavail * bsize < bytes) throw new NoRoomForCopy(bytes)
}

/** Regular files below a folder, by relative path. */
async function filesIn(folder: string): Promise<Map<string, FileState>> {
  const files = new Map<string, FileState>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const state = await stat(path).catch(unlessGone)
    if (state) files.set(path.slice(folder.length + 1), { size: state.size, mtimeMs: state.mtimeMs })
  }
  return files
}

/** Including empty ones, without which PostgreSQL does not start. */
async function makeFolders(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  for (const entry of [undefined, ...entries.filter((one) => one.isDirectory())]) {
    const path = entry ? join(entry.parentPath, entry.name).slice(from.length + 1) : ''
    await mkdir(join(to, path), { recursive: true, mode: 0o700 })
  }
}
