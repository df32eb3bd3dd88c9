import { hash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { codeOf } from '../../contract/code-of.ts'
import { ImporterError } from '../../importer/importer-error.ts'
import { checkFileSize, type InputFile } from '../../importer/read/table.ts'
import { entriesIn, readFolder } from '../import/folder-input.ts'
import { NotRegularFile, readRegularFile } from './regular-file.ts'

/** What lies at a path of the watched folder at one moment. */
export type Snapshot =
  | { kind: 'file'; version: string }
  | {
      kind: 'folder'
      version: string
      files: string[]
      /** A link or another thing that is no ordinary file. */
      odd: string | undefined
    }
  | { kind: 'other'; version: string }

/** @returns undefined when nothing is there. Two snapshots of one version saw the same. */
export async function takeSnapshot(path: string): Promise<Snapshot | undefined> {
  const stats = await lstat(path).catch(() => undefined)
  if (!stats) return undefined
  const version = `${stats.ino} ${stats.mtimeMs} ${stats.size}`
  if (stats.isFile()) return { kind: 'file', version }
  if (!stats.isDirectory()) return { kind: 'other', version }
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
