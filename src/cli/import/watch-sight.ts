import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { ImporterError } from '../../importer/importer-error.ts'
import { checkFileSize, type InputFile } from '../../importer/table.ts'
import { entriesIn, readFolder } from './folder-input.ts'

/** What lies at a path of the watched folder at one moment. */
export type Sight =
  | { kind: 'file'; version: string }
  | {
      kind: 'folder'
      version: string
      files: string[]
      /** A link or another thing that is no ordinary file. */
      odd: string | undefined
    }
  | { kind: 'other'; version: string }

/** @returns undefined when nothing is there. Two looks with the same version saw the same. */
export async function lookAt(path: string): Promise<Sight | undefined> {
  const stats = await lstat(path).catch(() => undefined)
  if (!stats) return undefined
  const version = `${stats.mtimeMs} ${stats.size}`
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
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}

/**
 * Reads a file, or a folder as one archive, after the sizes were checked. Nothing is read through a link or behind one.
 *
 * @param root the watched folder
 */
export async function readSafely(root: string, path: string, sight: Sight): Promise<InputFile> {
  if (sight.kind === 'folder') return readFolder(path, sight.files, (file) => readFileSafely(root, file))
  return { name: basename(path), bytes: await readFileSafely(root, path) }
}

async function readFileSafely(root: string, path: string): Promise<Uint8Array> {
  const [folder, top] = await Promise.all([realpath(dirname(path)), realpath(root)])
  if (folder !== top && !folder.startsWith(top + sep))
    throw new ImporterError('not_text', `${path} lies behind a link that leads out of the folder.`)
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    checkFileSize(basename(path), (await handle.stat()).size)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
