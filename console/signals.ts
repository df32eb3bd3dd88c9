/** `AbortSignal.any`, for Firefox before 124 and Safari before 17.4. */
export function anySignal(...signals: AbortSignal[]): AbortSignal {
  const ending = new AbortController()
  for (const signal of signals) {
    const end = () => ending.abort(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { signal: ending.signal })
  }
  return ending.signal
}
