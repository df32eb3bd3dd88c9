import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { zipSync } from 'fflate'
import { checkMerged, reviewFiles } from '../../importer/archive.ts'
import { checkFileSize, type InputFile } from '../../importer/table.ts'
import { usageError } from '../failure.ts'

/** Everything below a folder that is no folder, as paths from it with slashes. */
export async function entriesIn(folder: string): Promise<{ name: string; isFile: boolean }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({
      name: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'),
      isFile: entry.isFile(),
    }))
}

/** The ordinary files below a folder. Symbolic links are not followed: they may lead anywhere. */
export async function filesIn(folder: string): Promise<string[]> {
  return (await entriesIn(folder)).filter((entry) => entry.isFile).map((entry) => entry.name)
}

/**
 * A folder's review files as one archive, so that its pages are one import.
 *
 * @param names the ordinary files below the folder
 * @throws ImporterError `file_too_large` or `archive_too_large`, before anything is read
 */
export async function readFolder(
  path: string,
  names: readonly string[],
  read: (path: string) => Promise<Uint8Array> = (file) => readFile(file),
): Promise<InputFile> {
  const wanted = reviewFiles(names)
  if (wanted.length === 0)
    throw usageError(`${path} holds no CSV, JSON or JSON lines file`, 'name a folder of an export')
  const sizes = await Promise.all(wanted.map(async (name) => ({ name, size: (await lstat(join(path, name))).size })))
  checkMerged(path, sizes)
  const entries: [string, Uint8Array][] = []
  for (const name of wanted) entries.push([name, await read(join(path, name))])
  const bytes = zipSync(Object.fromEntries(entries), { level: 6 })
  const name = basename(resolve(path))
  checkFileSize(name, bytes.byteLength)
  return { name, bytes }
}
