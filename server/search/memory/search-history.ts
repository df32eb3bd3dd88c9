import { recentlyUsed } from '../../recently-used.ts'

/** What is known about an environment whose index is not in memory. */
export interface LastSearch {
  /** When it was last searched before now, in milliseconds of `performance.now()`; minus infinity the first time. */
  before: number
  /** Approximate size of its index; 0 when unknown. */
  bytes: number
}

/** At most about two megabytes. */
const MOST = 10_000
/** How long it is told of an environment that its last search found no room. */
const LATELY_MS = 3_600_000

interface Asked {
  at: number
  bytes: number
  hadNoRoom?: boolean
}

/**
 * The most recently searched environments, loaded or not. An index may displace another when its environment was
 * searched twice since the other was used: where more environments take turns than there is room for, those in memory
 * stay, instead of each being evicted for the next before it answers a second time (LRU-2: O'Neil, O'Neil and Weikum,
 * "The LRU-K page replacement algorithm", 1993).
 */
export class SearchHistory {
  readonly #asked = recentlyUsed<Asked>(MOST)

  /** Records a search now. */
  note(key: string): LastSearch {
    const known = this.#asked.get(key)
    this.#asked.set(key, { at: performance.now(), bytes: known?.bytes ?? 0 })
    return { before: known?.at ?? Number.NEGATIVE_INFINITY, bytes: known?.bytes ?? 0 }
  }

  /** Records the size of its index. */
  takes(key: string, bytes: number): void {
    const known = this.#asked.peek(key)
    if (known) known.bytes = bytes
  }

  /** Records that there was no room for its index. */
  hadNoRoom(key: string): void {
    const known = this.#asked.peek(key)
    if (known) known.hadNoRoom = true
  }

  /** How many environments lately had no room when they were last searched. */
  get withoutRoom(): number {
    const since = performance.now() - LATELY_MS
    return [...this.#asked.values()].filter(({ at, hadNoRoom }) => hadNoRoom && at > since).length
  }
}
