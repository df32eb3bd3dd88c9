import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { watch as watchFiles } from 'chokidar'
import { isIgnored } from './layout.ts'
import { listFiles, WATCHED_DEPTH } from './listing.ts'
import { UnseenFiles } from './unseen-files.ts'

interface RootDeps {
  stableMs: number
  /** Called when a new or changed file has settled. */
  onWritten: (path: string) => void
  /** @param denied what this user may not read, in the folder */
  onError: (error: unknown, denied?: string) => void
  log: (line: string) => void
}

export interface RootWatch {
  /** Resolves when the initial scan is done. */
  ready: Promise<void>
  /** A file that was moved away. One that comes back at once may be no news to the watcher: it is looked for then. */
  forget(path: string): void
  close(): Promise<void>
}

/**
 * Watches a folder, even when another takes its place, because it was recreated or mounted over: the operating system
 * reports changes only in the folder that the watch was started on. What it does not report at all, as on network drives,
 * is looked for now and then.
 */
export function watchRoot(dir: string, { stableMs, onWritten, onError, log }: RootDeps): RootWatch {
  let isGone = false
  /** Paths that could not be read, for lack of permission: no event tells when they become readable. */
  const denied = new Set<string>()
  /** Files of which the watcher has told. One that is there for long without that waits for a clock that was set back. */
  const told = new Set<string>()
  const tell = (path: string) => {
    told.add(path)
    onWritten(path)
  }
  const start = () =>
    watchFiles(dir, {
      followSymlinks: false,
      depth: WATCHED_DEPTH,
      ignored: (path) => path !== dir && isIgnored(dir, path),
      awaitWriteFinish: { stabilityThreshold: stableMs, pollInterval: Math.min(200, stableMs / 2) },
    })
      .on('add', tell)
      .on('change', tell)
      .on('unlink', (path) => told.delete(path))
      .on('error', (error) => {
        const path = deniedPath(error)
        if (path !== undefined) denied.add(path)
        onError(error, relative(dir, path ?? dir) || undefined)
      })
      // A recreated folder may have the same inode number.
      .on('unlinkDir', (path) => {
        if (path === dir) isGone = true
      })
  let watcher = start()
  let watched = identityOf(dir)
  let looking = Promise.resolve()
  const named = new Set<string>()

  const unseen = new UnseenFiles()

  const lookInside = async () => {
    const { files, undecodable } = await listFiles(dir)
    for (const path of undecodable) {
      if (named.has(path)) continue
      named.add(path)
      log(`${relative(dir, path)} has a name that is not in UTF-8, so that it can't be opened here: rename it.`)
    }
    for (const path of await unseen.look(files, (one) => told.has(one))) onWritten(path)
  }

  const look = async () => {
    const [before, now] = [await watched, await identityOf(dir)]
    if (now === undefined) {
      if (before !== undefined) log('The folder is gone: nothing is imported until it is back.')
      watched = Promise.resolve(undefined)
      return
    }
    await lookInside()
    const isAnother = before !== now || isGone
    const opened = await firstReadable(denied)
    if (!isAnother && opened === undefined) return
    await watcher.close()
    told.clear()
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
    ready: new Promise<void>((resolve) => watcher.once('ready', resolve)),
    forget: (path) => told.delete(path),
    async close() {
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

/** @returns undefined when there is no such folder */
async function identityOf(dir: string): Promise<string | undefined> {
  const stats = await stat(dir).catch(() => undefined)
  return stats?.isDirectory() ? `${stats.dev} ${stats.ino}` : undefined
}
