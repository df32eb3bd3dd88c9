import { lstat } from 'node:fs/promises'

/**
 * Finds files of which no event tells, because another machine wrote them into a shared folder (NFS, SMB, a container's
 * mount), or too late: those that the watcher does not know and that have not changed from one look to the next.
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
