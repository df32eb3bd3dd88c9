import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../contract/code-of.ts'

/** Longer than it takes to change a small file: the lock of a command that was killed. */
const STALE_LOCK_MS = 5_000

/**
 * Waits until no other process changes a file, and keeps others waiting until the returned function is called.
 *
 * @param path of a small file, which takes no time to change
 */
export async function lockFile(path: string): Promise<() => Promise<void>> {
  const lock = `${path}.lock`
  for (;;) {
    try {
      closeSync(openSync(lock, 'wx', 0o600))
      return () => rm(lock, { force: true })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    // By its own age and at one go, so that of many who wait none takes the lock of one that has just got it.
    const mtimeMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Math.abs(Date.now() - mtimeMs) > STALE_LOCK_MS) rmSync(lock, { force: true })
    else await sleep(20)
  }
}
