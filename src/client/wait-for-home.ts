import { setTimeout as sleep } from 'node:timers/promises'
import { CodedError, codeOf } from '../contract/code-of.ts'
import { HOME_POLL_MS, HOME_WAIT_MS, HOME_WAITS_MS } from '../contract/server-file.ts'
import { Cancelled } from './errors.ts'

/**
 * Repeats `open` while another process holds the home: a command that will close it soon, or a server about to publish
 * its address. The wait begins anew with each holder, so that commands started together all have their turn, but a stream
 * of them is not waited for without end.
 *
 * @throws whatever `open` throws; `home_in_use` when one process held it for `waitMs`, or several for `waitsMs`
 */
export async function waitForHome<T>(
  open: () => Promise<T>,
  {
    signal,
    waitMs = HOME_WAIT_MS,
    waitsMs = HOME_WAITS_MS,
    pollMs = HOME_POLL_MS,
  }: { signal?: AbortSignal | undefined; waitMs?: number; waitsMs?: number; pollMs?: number },
): Promise<T> {
  let holder: unknown
  const end = Date.now() + waitsMs
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
      if (Date.now() > end) throw new CodedError('home_in_use', `${(error as Error).message} ${ONE_AFTER_ANOTHER}`)
      holder = found
    }
    await sleep(pollMs, undefined, { signal }).catch(() => {})
  }
}

const ONE_AFTER_ANOTHER =
  'Others had it before, one after another: while "pullquote serve" runs, commands work at the same time.'

/** The process id that the error names. */
function holderOf(error: unknown): unknown {
  const { holder } = error as { holder?: { pid?: unknown } }
  return holder?.pid
}
