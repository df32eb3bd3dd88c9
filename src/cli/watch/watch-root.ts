import { constants } from 'node:fs'
import { access, lstat, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { watch as watchFiles } from 'chokidar'
import { isIgnored } from './layout.ts'

/** A Takeout has its reviews four folders deep, and may itself be in an environment's and a mapping's folder. */
const WATCHED_DEPTH = 8

interface RootDeps {
  stableMs: number
  /** Called when a new or changed file has settled. */
  onWritten: (path: string) => void
  onError: (error: unknown) => void
  log: (line: string) => void
}

/**
 * Watches a folder, even when another takes its place, because it was recreated or mounted over: the operating system
 * reports changes only in the folder that the watch was started on.
 */
export function watchRoot(dir: string, { stableMs, onWritten, onError, log }: RootDeps) {
  let isGone = false
  /** Paths that could not be read, for lack of permission: no event tells when they become readable. */
  const denied = new Set<string>()
  const start = () =>
    watchFiles(dir, {
      followSymlinks: false,
      depth: WATCHED_DEPTH,
      ignored: (path) => path !== dir && isIgnored(dir, path),
      awaitWriteFinish: { stabilityThreshold: stableMs, pollInterval: Math.min(200, stableMs / 2) },
    })
      .on('add', onWritten)
      .on('change', onWritten)
      .on('error', (error) => {
        const path = deniedPath(error)
        if (path !== undefined) denied.add(path)
        onError(error)
      })
      // A recreated folder may have the same inode number.
      .on('unlinkDir', (path) => {
        if (path === dir) isGone = true
      })
  let watcher = start()
  let watched = identityOf(dir)
  let looking = Promise.resolve()
  const named = new Set<string>()

  const reportUndecodable = async () => {
    for (const path of await undecodable(dir, dir)) {
      if (named.has(path)) continue
      named.add(path)
      log(`${relative(dir, path)} has a name that is not in UTF-8, so that it can't be opened here: rename it.`)
    }
  }

  const look = async () => {
    const [before, now] = [await watched, await identityOf(dir)]
    if (now === undefined) {
      if (before !== undefined) log('The folder is gone: nothing is imported until it is back.')
      watched = Promise.resolve(undefined)
      return
    }
    await reportUndecodable()
    const isAnother = before !== now || isGone
    const opened = await firstReadable(denied)
    if (!isAnother && opened === undefined) return
    await watcher.close()
    isGone = false
    denied.clear()
    watched = Promise.resolve(now)
    watcher = start()
    log(
      isAnother
        ? 'Another folder has taken its place and is watched from now on.'
        : `${relative(dir, opened ?? dir)} can be read now.`,
    )
  }
  const timer = setInterval(() => {
    looking = looking.then(look).catch(onError)
  }, stableMs * 5)

  return {
    /** Resolves when the initial scan is done. */
    ready: new Promise<void>((resolve) => watcher.once('ready', resolve)),
    async close(): Promise<void> {
      clearInterval(timer)
      await looking
      await watcher.close()
    },
  }
}

/** The file or folder that this user may not read; undefined for other errors. */
function deniedPath(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, path }: NodeJS.ErrnoException = error
  return code === 'EACCES' || code === 'EPERM' ? path : undefined
}

async function firstReadable(paths: Iterable<string>): Promise<string | undefined> {
  for (const path of paths) {
    try {
      const isFolder = (await stat(path)).isDirectory()
      await access(path, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK)
      return path
    } catch {
      // Still denied, or gone.
    }
  }
  return undefined
}

/** A file may be in an environment's folder, and there in a mapping's. */
const FOLDERS_ABOVE = 2

/**
 * The files and folders whose names are in an older encoding, as programs for FTP and zips leave them: read as UTF-8, they
 * name nothing, and no event tells of them.
 */
async function undecodable(dir: string, folder: string, depth = 0): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (isIgnored(dir, path)) continue
    const isNamed = !entry.name.includes('\ufffd') || (await lstat(path).catch(() => undefined)) !== undefined
    if (!isNamed) found.push(path)
    else if (entry.isDirectory() && depth < FOLDERS_ABOVE) found.push(...(await undecodable(dir, path, depth + 1)))
  }
  return found
}

/** @returns undefined when there is no such folder */
async function identityOf(dir: string): Promise<string | undefined> {
  const stats = await stat(dir).catch(() => undefined)
  return stats?.isDirectory() ? `${stats.dev} ${stats.ino}` : undefined
}
