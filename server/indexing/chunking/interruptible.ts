import { yieldToEventLoop } from '../../event-loop.ts'

/** Work that can pause at every `yield`, so that the thread can answer requests. */
export type Interruptible<T> = Generator<undefined, T, undefined>

/** Segments, places or cuts handled between two yields: a fraction of a millisecond. */
export const SEGMENTS_PER_STEP = 64

/** Runs the work in steps, yielding to the event loop in between. */
export async function runYielding<T>(work: Interruptible<T>): Promise<T> {
  for (;;) {
    await yieldToEventLoop()
    const { done, value } = work.next()
    if (done) return value
  }
}
