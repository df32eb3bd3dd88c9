import { closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { Unzip, type UnzipFile } from 'fflate'
import type { Log } from '../../deps.ts'

/** Made by the build (scripts/build-empty-database.ts): the sources have none. */
const PACKED = new URL('./empty-database.zip.br', import.meta.url)

/**
 * Lays out a database without tables in `folder`, as initdb makes it: that would take 2.5 s and 500 MB of memory for
 * what is the same everywhere. It comes from the PGlite that the package was built with, so a later one opens it as it
 * opens any database of that one.
 *
 * @returns false where the package has none, or one that cannot be read, which is logged; a part of it may lie there
 * @throws what the system says when `folder` cannot be written
 */
export async function layOutEmptyDatabase(folder: string, log: Log, packed = PACKED): Promise<boolean> {
  if (!existsSync(packed)) return false
  const unzip = new Unzip((entry) => layOut(entry, join(folder, entry.name)))
  try {
    const decompress = createBrotliDecompress()
    decompress.end(await readFile(packed))
    for await (const chunk of decompress) unzip.push(chunk)
    unzip.push(new Uint8Array(), true)
  } catch (error) {
    // The system names its call; what is wrong with the file itself is said without one.
    if (!(error instanceof Error) || 'syscall' in error) throw error
    log.warn(
      { file: fileURLToPath(packed), error: error.message },
      'a file of the package is damaged: install it again',
    )
    return false
  }
  return true
}

function layOut(entry: UnzipFile, path: string): void {
  const isFolder = entry.name.endsWith('/')
  // Reviews are personal data, and the folder around may be open to others.
  mkdirSync(isFolder ? path : dirname(path), { recursive: true, mode: 0o700 })
  if (isFolder) return
  const file = openSync(path, 'wx', 0o600)
  entry.ondata = (error, data, final) => {
    if (error) throw error
    for (let at = 0; at < data.length; ) at += writeSync(file, data, at)
    if (final) closeSync(file)
  }
  entry.start()
}
