import { rest } from '../../event-loop.ts'

/** Work that may be left off at every `yield`, so that the thread can answer requests in between. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Segments, places or cuts handled between two steps: a fraction of a millisecond. */
export const SEGMENTS_A_STEP = 64

/** Does all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Does them in turns, between which the thread does other things. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    await rest()
    const { done, value } = steps.next()
    if (done) return value
  }
}
