import { lstat, readdir, readFile } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { type AsyncZipOptions, type AsyncZippable, zip } from 'fflate'
import { checkFileSizes, type PassedOverFile, passedOverIn, reviewFiles } from '../../importer/read/review-files.ts'
import { checkFileSize, type InputFile } from '../../importer/read/table.ts'
import { usageError } from '../errors/failure.ts'

/** Everything below a folder that is no folder, as paths from it with slashes. Links are not followed. */
export async function entriesIn(folder: string): Promise<{ name: string; isFile: boolean }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => ({
      name: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'),
      isFile: entry.isFile(),
    }))
}

/** A folder as one file to import, and what in it is not. */
export interface FolderFile extends InputFile {
  passedOver: PassedOverFile[]
}

const pack = promisify<AsyncZippable, AsyncZipOptions, Uint8Array>(zip)

/**
 * A folder's review files as one archive, so that its pages are one import.
 *
 * @param names the ordinary files below the folder
 * @param odd what lies there beside them, such as links
 * @throws ImporterError `file_too_large` or `archive_too_large`, before anything is read
 */
export async function readFolder(
  path: string,
  names: readonly string[],
  {
    odd = [],
    read = (file) => readFile(file),
  }: { odd?: readonly string[]; read?: (path: string) => Promise<Uint8Array> } = {},
): Promise<FolderFile> {
  const wanted = reviewFiles(names)
  const name = basename(resolve(path))
  const passedOver: PassedOverFile[] = [
    ...passedOverIn(names),
    ...odd.map((file) => ({
      file,
      code: 'no_review_file' as const,
      reason: 'a link or another thing that is no ordinary file',
    })),
  ].map((one) => ({ ...one, file: `${name}/${one.file}` }))
  if (wanted.length === 0) {
    const archives = passedOver.filter(({ code }) => code === 'nested_archive').map(({ file }) => file)
    throw usageError(
      `${path} holds no CSV, JSON or JSON lines file`,
      archives.length > 0
        ? `the archives in it are not read; import them by themselves: ${archives.slice(0, 5).join(', ')}${archives.length > 5 ? ', …' : ''}`
        : 'name a folder of an export',
    )
  }
  const sizes = await Promise.all(wanted.map(async (name) => ({ name, size: (await lstat(join(path, name))).size })))
  checkFileSizes(path, sizes)
  const entries: [string, Uint8Array][] = []
  for (const name of wanted) entries.push([name, await read(join(path, name))])
  // In threads of its own, since a server that watches the folder does this beside its requests.
  const bytes = await pack(Object.fromEntries(entries), { level: 6 })
  checkFileSize(name, bytes.byteLength)
  return { name, bytes, passedOver }
}
