import { yieldToEventLoop } from '../../event-loop.ts'

/** Work that may be left off at every `yield`, so that the thread can answer requests in between. */
export type Interruptible<T> = Generator<undefined, T, undefined>

/** Segments, places or cuts handled between two yields: a fraction of a millisecond. */
export const SEGMENTS_PER_STEP = 64

/** Does the work in turns, between which the thread does other things. */
export async function runYielding<T>(work: Interruptible<T>): Promise<T> {
  for (;;) {
    await yieldToEventLoop()
    const { done, value } = work.next()
    if (done) return value
  }
}
