import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Of the thread that answers requests, between two looks for some. A request needs several such looks, each database
 * answer one more, and the embedded database does nothing while its next statement waits for one: with turns of 4 ms it worked for
 * half of the time that reviews were indexed.
 */
const MILLISECONDS_PER_TURN = 1

let since = 0
let queue: Promise<unknown> = Promise.resolve()

/**
 * Called by work in the background every fraction of a millisecond: lets the thread answer requests once a turn is over.
 * All such work shares the turns, one after the other, so that two batches and an embedding take no longer than one.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (performance.now() - since < MILLISECONDS_PER_TURN) return
  queue = queue.then(() => nextTurn())
  await queue
  since = performance.now()
}
