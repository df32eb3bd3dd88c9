import { stat } from 'node:fs/promises'
import { watch as watchFiles } from 'chokidar'
import { isIgnored } from './layout.ts'

/** A Takeout has its reviews four folders deep, and may itself lie in an environment's and a mapping's folder. */
const WATCHED_DEPTH = 8

interface RootDeps {
  stableMs: number
  /** A file was put there, or written to, and has settled. */
  onWritten: (path: string) => void
  onError: (error: unknown) => void
  log: (line: string) => void
}

/**
 * Watches a folder, also when another takes its place: one that was deleted and made again, or mounted over it. The system
 * tells of changes in the folder that it was asked about, and of none in the other.
 */
export function watchRoot(dir: string, { stableMs, onWritten, onError, log }: RootDeps) {
  let isGone = false
  const start = () =>
    watchFiles(dir, {
      followSymlinks: false,
      depth: WATCHED_DEPTH,
      ignored: (path) => path !== dir && isIgnored(dir, path),
      awaitWriteFinish: { stabilityThreshold: stableMs, pollInterval: Math.min(200, stableMs / 2) },
    })
      .on('add', onWritten)
      .on('change', onWritten)
      .on('error', onError)
      // A folder that is made again may have the number of the one before.
      .on('unlinkDir', (path) => {
        if (path === dir) isGone = true
      })
  let watcher = start()
  let watched = identityOf(dir)
  let looking = Promise.resolve()

  const look = async () => {
    const [before, now] = [await watched, await identityOf(dir)]
    if (now === undefined) {
      if (before !== undefined) log('The folder is gone: nothing is imported until it is there again.')
      watched = Promise.resolve(undefined)
      return
    }
    if (before === now && !isGone) return
    await watcher.close()
    isGone = false
    watched = Promise.resolve(now)
    watcher = start()
    log('Another folder is in its place: it is watched from now on.')
  }
  const timer = setInterval(() => {
    looking = looking.then(look).catch(onError)
  }, stableMs * 5)

  return {
    /** Resolves when what lay there at the start was seen. */
    ready: new Promise<void>((resolve) => watcher.once('ready', resolve)),
    async close(): Promise<void> {
      clearInterval(timer)
      await looking
      await watcher.close()
    },
  }
}

/** @returns undefined when there is no such folder */
async function identityOf(dir: string): Promise<string | undefined> {
  const stats = await stat(dir).catch(() => undefined)
  return stats?.isDirectory() ? `${stats.dev} ${stats.ino}` : undefined
}
