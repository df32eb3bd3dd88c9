import { errorText } from './api.ts'
import { dialog, el } from './dom.ts'
import { firstOf } from './signals.ts'

/**
 * Work of a view of which only the latest run counts: each breaks off the one before, and `leaving` the last. What fails is
 * shown in `place`.
 */
export function latestOnly<TGiven extends unknown[]>(
  leaving: AbortSignal,
  place: HTMLElement,
  work: (signal: AbortSignal, ...given: TGiven) => Promise<void>,
): (...given: TGiven) => Promise<void> {
  let running = new AbortController()
  return async (...given) => {
    running.abort()
    running = new AbortController()
    const signal = firstOf(running.signal, leaving)
    if (signal.aborted) return
    try {
      await work(signal, ...given)
    } catch (error) {
      if (!signal.aborted) place.replaceChildren(problem(error))
    }
  }
}

/** What failed, as a paragraph. */
export function problem(error: unknown): HTMLElement {
  return el('p', { class: 'problem' }, errorText(error))
}

/** What failed of what somebody set going: in its place, or over the page where that is gone with its view. */
export function tellProblem(place: HTMLElement, error: unknown, what: string): void {
  if (place.isConnected) place.replaceChildren(problem(error))
  else dialog(what, problem(error))
}
