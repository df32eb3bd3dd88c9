import { closeSync, existsSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { Unzip, type UnzipFile } from 'fflate'
import type { Log } from '../../deps.ts'

/** Made by the build (scripts/build-empty-database.ts); absent from the sources. */
const PACKED = new URL('./empty-database.zip.br', import.meta.url)

/**
 * Unpacks a database without tables into `folder`, as initdb would create it: that takes 2.5 s and 500 MB of memory for the
 * same result everywhere. It is from the PGlite that the package was built with, so a later one opens it like any database of
 * that version.
 * @returns false when the package has none or an unreadable one, which is logged; parts of it may be left in `folder`
 * @throws the system's error when `folder` cannot be written
 */
export async function unpackEmptyDatabase(folder: string, log: Log, packed = PACKED): Promise<boolean> {
  if (!existsSync(packed)) return false
  const unzip = new Unzip((entry) => layOut(entry, join(folder, entry.name)))
  try {
    const decompress = createBrotliDecompress()
    decompress.end(await readFile(packed))
    for await (const chunk of decompress) unzip.push(chunk)
    unzip.push(new Uint8Array(), true)
  } catch (error) {
    // System errors carry a syscall; errors about the file itself do not.
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
  // Reviews are personal data, and the parent folder may be readable by others.
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
