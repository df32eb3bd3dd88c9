import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Time between two polls for I/O on the thread that answers requests. A request needs several polls, each database result one
 * more, and the embedded database idles while its next statement waits for one: with turns of 4 ms it was busy for only half
 * of the time during indexing.
 */
const MILLISECONDS_PER_TURN = 1

let since = 0
let queue: Promise<unknown> = Promise.resolve()

/**
 * Called by background work every fraction of a millisecond: yields to the event loop once a turn is over. All such work
 * shares the turns, so that two batches and an embedding take no longer than one.
 */
export async function yieldToEventLoop(): Promise<void> {
  if (performance.now() - since < MILLISECONDS_PER_TURN) return
  queue = queue.then(() => nextTurn())
  await queue
  since = performance.now()
}
