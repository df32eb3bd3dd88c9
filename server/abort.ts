import { once } from 'node:events'

/** Resolves with `work`, or rejects with the signal's reason as soon as it fires; the work itself continues unobserved. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  // Nobody waits for it any more.
  if (signal.aborted) work.catch(() => {})
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

/**
 * Runs `work` with a controller that aborts with `signal` or after `timeoutMs`. Unlike `AbortSignal.any` it leaves no
 * listeners on a signal that lives as long as the process.
 */
export async function withAbort<T>(
  { signal, timeoutMs }: { signal?: AbortSignal | undefined; timeoutMs?: number },
  work: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const follow = () => controller.abort(signal?.reason)
  const expire = () => controller.abort(new DOMException('took too long', 'TimeoutError'))
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs)
  if (signal?.aborted) follow()
  signal?.addEventListener('abort', follow, { once: true })
  try {
    return await work(controller)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', follow)
  }
}
