import { fsync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { ignoreCodes } from '../../../src/contract/code-of.ts'

/** Node's file operations use four threads. */
const AT_ONCE = 4

/** From file systems that can flush only files; PostgreSQL ignores them too. */
const UNKNOWN_TO_FILE_SYSTEM = ['EINVAL', 'EBADF', 'ENOTSUP']

/** Flushes everything below `folder`, and the folder itself, to disk: contents and names. */
export async function flushFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = (wanted: boolean) =>
    entries.filter((entry) => entry.isDirectory() === wanted).map((entry) => join(entry.parentPath, entry.name))
  const limit = pLimit(AT_ONCE)
  await limit.map(paths(false), (path) => flush(path, 'r+'))
  await limit.map([...paths(true), folder], flushNames)
}

/** Flushes the name of a new or renamed file or folder to disk. */
export async function flushNameOf(path: string): Promise<void> {
  await flushNames(dirname(path))
}

/** Windows does this by itself, and does not let a folder be opened for it. */
async function flushNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await flush(folder, 'r').catch(ignoreCodes(...UNKNOWN_TO_FILE_SYSTEM))
}

async function flush(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags)
  try {
    // By descriptor: the file handles with which Yarn's Plug'n'Play replaces Node's have no `sync()`.
    await promisify(fsync)(file.fd)
  } finally {
    await file.close()
  }
}
