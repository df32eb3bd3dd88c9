import { fsync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { codeOf } from '../../../src/contract/code-of.ts'

/** Node's file operations have four threads. */
const AT_ONCE = 4

/** Of file systems that know it for files only, which PostgreSQL passes over too. */
const UNKNOWN_TO_FILE_SYSTEM = new Set(['EINVAL', 'EBADF', 'ENOTSUP'])

/** Puts everything below `folder`, and the folder itself, on the disk: contents, names and all. */
export async function flushFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = (wanted: boolean) =>
    entries.filter((entry) => entry.isDirectory() === wanted).map((entry) => join(entry.parentPath, entry.name))
  const limit = pLimit(AT_ONCE)
  await limit.map(paths(false), (path) => flush(path, 'r+'))
  await limit.map([...paths(true), folder], flushNames)
}

/** Puts the name of a file or folder on the disk, after it was made or renamed. */
export async function flushNameOf(path: string): Promise<void> {
  await flushNames(dirname(path))
}

/** Windows does it by itself, and lets no folder be opened for it. */
async function flushNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await flush(folder, 'r').catch((error: unknown) => {
    if (!UNKNOWN_TO_FILE_SYSTEM.has(codeOf(error) ?? '')) throw error
  })
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags)
  try {
    // By its number: the files that Yarn's Plug'n'Play puts in the place of Node's have no `sync()`.
    await promisify(fsync)(file.fd)
  } finally {
    await file.close()
  }
}
