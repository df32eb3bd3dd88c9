import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../contract/code-of.ts'

/** Longer than changing a small file takes: an older lock is from a command that was killed. */
const STALE_LOCK_MS = 5_000

/**
 * Waits for exclusive access to a file, held until the returned function is called.
 *
 * @param path of a small file that is changed quickly
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
    // Synchronous, and judged by the lock's own age, so that no waiting process removes a lock just taken by another.
    const mtimeMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Math.abs(Date.now() - mtimeMs) > STALE_LOCK_MS) rmSync(lock, { force: true })
    else await sleep(20)
  }
}
