import type { IndexEntry } from './index-entry.ts'
import { type LastSearch, SearchHistory } from './search-history.ts'

/** The indexes that are loaded or loading, within a budget in bytes. */
export class Indexes {
  /** Least recently used first. */
  readonly #entries = new Map<string, IndexEntry>()
  readonly #asked = new SearchHistory()
  readonly #budget: number

  constructor(budget: number) {
    this.#budget = budget
  }

  get(key: string): IndexEntry | undefined {
    return this.#entries.get(key)
  }

  all(): IndexEntry[] {
    return [...this.#entries.values()]
  }

  get bytes(): number {
    return bytesOf(this.all())
  }

  /** Records a search of an environment and makes its index the most recently used. */
  use(key: string): LastSearch {
    const known = this.#entries.get(key)
    if (known) this.add(known)
    return this.#asked.note(key)
  }

  add(entry: IndexEntry): void {
    entry.usedAt = performance.now()
    this.#entries.delete(entry.key)
    this.#entries.set(entry.key, entry)
  }

  /** Drops all; their memory goes with the process. */
  clear(): void {
    for (const entry of this.#entries.values()) entry.state = 'gone'
    this.#entries.clear()
  }

  /** Records the size of an index for its next load. */
  takes({ key, table }: IndexEntry, isWhole: boolean): void {
    this.#asked.takes(key, isWhole ? table.bytes : Math.min(table.bytes * 2, this.#budget))
    if (!isWhole) this.#asked.hadNoRoom(key)
  }

  /** Environments that the database searched for want of room, other than those too large for the budget. */
  get withoutRoom(): number {
    return this.#asked.withoutRoom
  }

  /** Its memory is freed when the running searches have ended. */
  async evict(entry: IndexEntry): Promise<void> {
    entry.state = 'gone'
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key)
    await entry.lock.write(() => entry.table.free())
  }

  /**
   * Evicts the least recently used indexes until everything fits. Others that are loading do not count: they make room for
   * themselves after each page or give up, and a ready index must not go for a load that comes to nothing.
   * @param since keeps those used later; by default none
   * @returns false when there is no room for the entry
   */
  async evictUntilFits(entry: IndexEntry, since = Number.POSITIVE_INFINITY): Promise<boolean> {
    const counts = (other: IndexEntry) => other === entry || other.state !== 'loading'
    const fits = () => bytesOf(this.all().filter(counts)) <= this.#budget
    for (const other of this.all()) {
      if (other === entry || other.state !== 'ready' || other.usedAt > since) continue
      // Checked only here, since it sums over every index.
      if (fits()) return true
      await this.evict(other)
    }
    return fits()
  }

  /** Whether an index fits into free space plus that of indexes not used since its environment was last searched. */
  isWorthItsRoom(key: string, { before, bytes }: LastSearch): boolean {
    const ready = this.all().filter(({ state, usedAt }) => state === 'ready' && usedAt <= before)
    const fits = bytes <= this.#budget - this.bytes + bytesOf(ready)
    if (!fits) this.#asked.hadNoRoom(key)
    return fits
  }
}

const bytesOf = (entries: readonly IndexEntry[]) => entries.reduce((sum, { table }) => sum + table.bytes, 0)
