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

/**
 * Finds files of which no event tells, because another machine wrote them into a shared folder (NFS, SMB, a container's
 * mount): those that the watcher does not know and that have not changed from one look to the next.
 */
export class UnseenFiles {
  #before = new Map<string, string>()
  readonly #told = new Map<string, string>()

  /** @returns each version of such a file once */
  async look(files: readonly string[], isKnown: (path: string) => boolean): Promise<string[]> {
    const now = new Map<string, string>()
    for (const path of files) {
      if (isKnown(path)) continue
      const stats = await lstat(path).catch(() => undefined)
      if (stats) now.set(path, `${stats.mtimeMs} ${stats.size}`)
    }
    const settled = [...now].filter(([path, version]) => this.#before.get(path) === version)
    const news = settled.filter(([path, version]) => this.#told.get(path) !== version)
    for (const path of this.#told.keys()) if (!now.has(path)) this.#told.delete(path)
    for (const [path, version] of news) this.#told.set(path, version)
    this.#before = now
    return news.map(([path]) => path)
  }
}
