/**
 * Runs `work`, giving it a signal that follows `signal` and ends by itself after `timeoutMs`. Unlike `AbortSignal.any` it
 * leaves nothing behind on a signal that lives as long as the process.
 */
export async function withAbort<T>(
  options: { signal?: AbortSignal | undefined; timeoutMs?: number },
  work: (controller: AbortController, timedOut: () => boolean) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs } = options
  const controller = new AbortController()
  let late = false
  const follow = () => controller.abort(signal?.reason)
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          late = true
          controller.abort(new DOMException('took too long', 'TimeoutError'))
        }, timeoutMs)
  if (signal?.aborted) follow()
  signal?.addEventListener('abort', follow, { once: true })
  try {
    return await work(controller, () => late)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', follow)
  }
}
