import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { codeOf } from '../../contract/code-of.ts'
import { ImporterError } from '../../importer/importer-error.ts'
import { takeoutFiles } from '../../importer/read/review-files.ts'
import { checkFileSize, type InputFile } from '../../importer/read/table.ts'
import { entriesIn, readFolder } from '../import/inputs.ts'

/** The state of a path of the watched folder at one moment. */
export interface Snapshot {
  kind: 'file' | 'folder' | 'other'
  /** Equal versions mean equal content. */
  version: string
  /** The regular files in a folder. */
  files: string[]
  /** An entry of a folder that is not a regular file, such as a link. */
  irregular: string | undefined
}

/** @returns undefined when the path does not exist */
export async function takeSnapshot(path: string): Promise<Snapshot | undefined> {
  const stats = await lstat(path).catch(() => undefined)
  if (!stats) return undefined
  const version = `${stats.ino} ${stats.mtimeMs} ${stats.size}`
  if (!stats.isDirectory()) return { kind: stats.isFile() ? 'file' : 'other', version, files: [], irregular: undefined }
  const entries = (await entriesIn(path).catch(emptyWhenGone)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const lines: string[] = []
  for (const { name } of entries) {
    const inside = await lstat(join(path, name)).catch(() => undefined)
    lines.push(`${name} ${inside?.mtimeMs} ${inside?.size}`)
  }
  return {
    kind: 'folder',
    version: hash('sha256', lines.join('\n'), 'hex'),
    files: entries.filter((entry) => entry.isFile).map((entry) => entry.name),
    irregular: entries.find((entry) => !entry.isFile)?.name,
  }
}

/** Why a file or folder is left in place, as a sentence; undefined if it is to be imported. */
export function reasonToLeave(name: string, snapshot: Snapshot): string | undefined {
  if (snapshot.kind === 'file') return undefined
  if (snapshot.kind === 'other') return `${name} is not an ordinary file (links are not followed): it is left alone.`
  if (takeoutFiles(snapshot.files).length === 0)
    return `${name} is not an environment, a saved mapping or a Google Takeout, and contains no mapping.json: its files are not imported.`
  if (snapshot.irregular === undefined) return undefined
  return `${name} contains ${snapshot.irregular}, which is not an ordinary file (links are not followed): the folder is left alone.`
}

/** Of several files, the one that was written to first. */
export async function firstWritten(paths: Iterable<string>): Promise<string | undefined> {
  const written = await Promise.all(
    [...paths].map(async (path) => ({ path, at: (await lstat(path).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  return written.sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1))[0]?.path
}

/** A folder that disappears during the listing counts as empty; the next snapshot will differ. */
function emptyWhenGone(error: unknown): [] {
  if (codeOf(error) === 'ENOENT') return []
  throw error
}

/**
 * Reads a file, or a folder as one archive, after checking sizes. Nothing is read through links.
 *
 * @param root the watched folder
 */
export async function readSnapshot(root: string, path: string, snapshot: Snapshot): Promise<InputFile> {
  if (snapshot.kind === 'folder')
    return readFolder(path, snapshot.files, { read: (file) => readFileSafely(root, file) })
  const bytes = await readFileSafely(root, path)
  if (bytes.byteLength === 0) throw new ImporterError('empty_file', `${basename(path)} is empty.`)
  return { name: basename(path), bytes }
}

async function readFileSafely(root: string, path: string): Promise<Uint8Array> {
  try {
    return await readRegularFile(root, path, (size) => checkFileSize(basename(path), size))
  } catch (error) {
    if (error instanceof NotRegularFile) throw new ImporterError('not_text', `${error.message}.`)
    throw error
  }
}

/** A path of the watched folder that must not be read: a link, a pipe, a device, or a file behind a link. */
export class NotRegularFile extends Error {
  constructor(path: string, reason: string) {
    super(`${basename(path)} ${reason}`)
  }
}

/**
 * Reads a regular file below a folder that others can write to. It is opened first and checked through its handle, so
 * that it cannot be swapped between check and read: links are not followed, pipes are not waited for, and a file behind
 * a linked folder is rejected.
 *
 * @param root the watched folder
 * @param checkSize throws when the file is too large; called before anything is read
 * @throws {NotRegularFile}
 */
export async function readRegularFile(
  root: string,
  path: string,
  checkSize: (size: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    const code = codeOf(error)
    // ELOOP: a link. ENXIO: a socket, or a missing device.
    if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO' || code === 'EISDIR') throw notAFile(path)
    throw error
  })
  try {
    const opened = await handle.stat()
    if (!opened.isFile()) throw notAFile(path)
    await requireBelow(root, path, opened)
    checkSize(opened.size)
    return await readBytes(handle, opened.size)
  } finally {
    await handle.close()
  }
}

/** The opened file must be the one at the path's real location, and that location below the root. */
async function requireBelow(root: string, path: string, opened: { dev: number; ino: number }): Promise<void> {
  const [folder, top] = await Promise.all([realpath(dirname(path)), realpath(root)])
  const there = await lstat(join(folder, basename(path)))
  const isSame = there.ino === opened.ino && there.dev === opened.dev
  if (isSame && (folder === top || folder.startsWith(top + sep))) return
  throw new NotRegularFile(path, 'is behind a link that leads out of the folder')
}

/** Reads no more than the checked size: anything appended since belongs to another version of the file. */
async function readBytes(handle: FileHandle, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let length = 0
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function notAFile(path: string): NotRegularFile {
  return new NotRegularFile(path, 'is not an ordinary file (links are not followed)')
}
