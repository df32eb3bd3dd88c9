import { errorText } from './api.ts'
import { dialog, el } from './dom.ts'
import { anySignal } from './signals.ts'

/**
 * Wraps work of which only the latest run counts: each run aborts the previous one, and `leaving` the last. Errors are
 * shown in `place`.
 */
export function latestOnly<TArgs extends unknown[]>(
  leaving: AbortSignal,
  place: HTMLElement,
  work: (signal: AbortSignal, ...args: TArgs) => Promise<void>,
): (...args: TArgs) => Promise<void> {
  let running = new AbortController()
  return async (...args) => {
    running.abort()
    running = new AbortController()
    const signal = anySignal(running.signal, leaving)
    if (signal.aborted) return
    try {
      await work(signal, ...args)
    } catch (error) {
      if (!signal.aborted) place.replaceChildren(problem(error))
    }
  }
}

/** An error as a paragraph. */
export function problem(error: unknown): HTMLElement {
  return el('p', { class: 'problem' }, errorText(error))
}

/** Shows the error of a user's action in `place`, or in a dialog with this heading when its view is gone. */
export function showProblem(place: HTMLElement, error: unknown, heading: string): void {
  if (place.isConnected) place.replaceChildren(problem(error))
  else dialog(heading, problem(error))
}
