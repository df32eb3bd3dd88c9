import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work that may be left off at every `yield`, so that the thread can answer requests in between. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Segments, places or cuts handled between two steps: a fraction of a millisecond. */
export const SEGMENTS_A_STEP = 64
const MILLISECONDS_A_TURN = 8

/** Does all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Turns of some milliseconds, between which the thread does other things. */
export class Turns {
  #since = performance.now()

  /** Resolves when all steps are done; the turn that was begun goes on with the next call. */
  async run<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      await this.rest()
    }
  }

  /** Lets others have the thread when the turn is over. */
  async rest(): Promise<void> {
    if (performance.now() - this.#since < MILLISECONDS_A_TURN) return
    await nextTurn()
    this.#since = performance.now()
  }
}
