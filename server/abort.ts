import { once } from 'node:events'

/** What `work` resolves with, or the signal's reason as soon as it fires; the work itself is left behind. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  signal.throwIfAborted()
  const listening = new AbortController()
  const aborted = once(signal, 'abort', { signal: listening.signal }).then((): never => {
    throw signal.reason
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    listening.abort()
  }
}
