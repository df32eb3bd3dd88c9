import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { codeOf } from '../../contract/code-of.ts'
import { ImporterError } from '../../importer/importer-error.ts'
import { checkFileSize, type InputFile } from '../../importer/read/table.ts'
import { entriesIn, readFolder } from '../import/inputs.ts'

/** What lies at a path of the watched folder at one moment. */
export interface Snapshot {
  kind: 'file' | 'folder' | 'other'
  version: string
  /** The files in a folder, and one thing in it that is not a regular file, such as a link. */
  files: string[]
  odd: string | undefined
}

/** @returns undefined when nothing is there. Two snapshots of one version saw the same. */
export async function takeSnapshot(path: string): Promise<Snapshot | undefined> {
  const stats = await lstat(path).catch(() => undefined)
  if (!stats) return undefined
  const version = `${stats.ino} ${stats.mtimeMs} ${stats.size}`
  if (!stats.isDirectory()) return { kind: stats.isFile() ? 'file' : 'other', version, files: [], odd: undefined }
  const entries = (await entriesIn(path).catch(noneWhenGone)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const lines: string[] = []
  for (const { name } of entries) {
    const inside = await lstat(join(path, name)).catch(() => undefined)
    lines.push(`${name} ${inside?.mtimeMs} ${inside?.size}`)
  }
  return {
    kind: 'folder',
    version: hash('sha256', lines.join('\n'), 'hex'),
    files: entries.filter((entry) => entry.isFile).map((entry) => entry.name),
    odd: entries.find((entry) => !entry.isFile)?.name,
  }
}

/** A folder that goes away while it is looked at is seen as empty; the next look sees another. */
function noneWhenGone(error: unknown): [] {
  if (codeOf(error) === 'ENOENT') return []
  throw error
}

/**
 * Reads a file, or a folder as one archive, after the sizes were checked. Nothing is read through a link or behind one.
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

/** Something at a path of the watched folder that is not read: a link, a pipe, a device, or what lies behind a link. */
export class NotRegularFile extends Error {
  constructor(path: string, reason: string) {
    super(`${basename(path)} ${reason}`)
  }
}

/**
 * Reads an ordinary file below a folder that others may write to. The file is opened first and judged by what was opened,
 * so that nothing can be put in its place between a look and the reading: no link is followed, a pipe is not waited for,
 * and a file behind a folder that is a link is refused.
 *
 * @param root the watched folder
 * @param checkSize throws when the file is too long; it is called before anything is read
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
    // ELOOP: a link. ENXIO: a socket, or a device that is not there.
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

/** What was opened must be what lies at the path's real place, and that place below the root. */
async function requireBelow(root: string, path: string, opened: { dev: number; ino: number }): Promise<void> {
  const [folder, top] = await Promise.all([realpath(dirname(path)), realpath(root)])
  const there = await lstat(join(folder, basename(path)))
  const isSame = there.ino === opened.ino && there.dev === opened.dev
  if (isSame && (folder === top || folder.startsWith(top + sep))) return
  throw new NotRegularFile(path, 'lies behind a link that leads out of the folder')
}

/** At most as much as there was when the size was checked: what is written meanwhile is another version of the file. */
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
  return new NotRegularFile(path, 'is no ordinary file (a link is not followed)')
}
