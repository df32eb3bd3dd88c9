import { LRUCache } from 'lru-cache'

/** What is known of an environment whose index is not in memory. */
export interface Asked {
  /** When it was searched the time before this one, in milliseconds of `performance.now()`; minus infinity for the first time. */
  before: number
  /** About what its index takes; 0 when that is unknown. */
  bytes: number
}

/** Two megabytes or so. */
const MOST = 10_000

/**
 * The environments that were searched last, loaded or not. An index is worth the room of another one when its environment was
 * searched twice since the other was used: where more environments take turns than there is room for, those that are there
 * stay, instead of each being put away for the next before it answers a second time (LRU-2: O'Neil, O'Neil and Weikum, "The
 * LRU-K page replacement algorithm", 1993).
 */
export class AskedScopes {
  readonly #asked = new LRUCache<string, { at: number; bytes: number }>({ max: MOST })

  /** Takes down that it is searched now. */
  note(key: string): Asked {
    const known = this.#asked.get(key)
    this.#asked.set(key, { at: performance.now(), bytes: known?.bytes ?? 0 })
    return { before: known?.at ?? Number.NEGATIVE_INFINITY, bytes: known?.bytes ?? 0 }
  }

  /** Remembers what its index takes. */
  takes(key: string, bytes: number): void {
    const known = this.#asked.peek(key)
    if (known) known.bytes = bytes
  }
}
