import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isIgnored } from './layout.ts'

/** A Takeout has its reviews four folders deep, and may itself be in an environment's and a mapping's folder. */
export const WATCHED_DEPTH = 8
/** A folder with more holds something else; listing it again and again would take long. */
const MOST_ENTRIES = 5_000

export interface Listing {
  files: string[]
  /**
   * Files and folders whose names are in an older encoding, as programs for FTP and zips leave them: read as UTF-8, they name
   * nothing, and no event tells of them.
   */
  undecodable: string[]
}

/** What lies below a watched folder, apart from what is never imported. */
export async function listFiles(dir: string): Promise<Listing> {
  const listing: Listing = { files: [], undecodable: [] }
  let left = MOST_ENTRIES
  const list = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name)
      if (left-- <= 0) return
      if (isIgnored(dir, path)) continue
      if (entry.name.includes('\ufffd') && !(await lstat(path).catch(() => undefined))) listing.undecodable.push(path)
      else if (entry.isFile()) listing.files.push(path)
      else if (entry.isDirectory() && depth < WATCHED_DEPTH) await list(path, depth + 1)
    }
  }
  await list(dir, 0)
  return listing
}
