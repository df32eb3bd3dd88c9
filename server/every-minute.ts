import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable } from './db/unavailable.ts'
import type { Log } from './deps.ts'
import { describeError } from './describe-error.ts'

const MINUTE_MS = 60_000

export interface Background {
  /** Resolves when the current round is done. */
  done(): Promise<void>
  /** Stops it between two steps. */
  stop(): Promise<void>
}

/**
 * Runs background work now and every minute from then on.
 * @param work calls its argument between steps to see whether to continue
 * @param failed log message of a failure; an unavailable database is reported elsewhere
 */
export function everyMinute(
  work: (shouldContinue: () => boolean) => Promise<void>,
  log: Log,
  failed: string,
): Background {
  const stopping = new AbortController()
  const { signal } = stopping
  const attempt = () =>
    work(() => !signal.aborted).catch((error: unknown) => {
      if (signal.aborted) return
      log[isDatabaseUnavailable(error) ? 'debug' : 'warn']({ error: describeError(error) }, failed)
    })
  let running = attempt()
  const loop = (async () => {
    while (!signal.aborted) {
      await running
      await sleep(MINUTE_MS, undefined, { ref: false, signal }).catch(() => {})
      if (!signal.aborted) running = attempt()
    }
  })()
  return {
    done: () => running,
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
