import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../contract/code-of.ts'
import { HOME_POLL_MS, HOME_WAIT_MS } from '../contract/server-file.ts'
import { Cancelled } from './errors.ts'

/**
 * Repeats `open` while another process holds the home: a command that will close it soon, or a server about to publish
 * its address. The wait begins anew with each holder, so that commands started together all have their turn.
 *
 * @throws whatever `open` throws; `home_in_use` when one process held it for the whole wait
 */
export async function waitForHome<T>(
  open: () => Promise<T>,
  {
    signal,
    waitMs = HOME_WAIT_MS,
    pollMs = HOME_POLL_MS,
  }: { signal?: AbortSignal | undefined; waitMs?: number; pollMs?: number },
): Promise<T> {
  let holder: unknown
  let deadline = Date.now() + waitMs
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (signal?.aborted) throw new Cancelled()
      if (codeOf(error) !== 'home_in_use') throw error
      const found = holderOf(error)
      if (found !== holder) deadline = Date.now() + waitMs
      if (Date.now() > deadline) throw error
      holder = found
    }
    await sleep(pollMs, undefined, { signal }).catch(() => {})
  }
}

/** The process id that the error names. */
function holderOf(error: unknown): unknown {
  const { holder } = error as { holder?: { pid?: unknown } }
  return holder?.pid
}
