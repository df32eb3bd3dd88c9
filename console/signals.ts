/**
 * A signal that ends with the first of several. In place of `AbortSignal.any`, which Firefox has since 124 and Safari
 * since 17.4.
 */
export function firstOf(...signals: AbortSignal[]): AbortSignal {
  const ending = new AbortController()
  for (const signal of signals) {
    const end = () => ending.abort(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { signal: ending.signal })
  }
  return ending.signal
}
