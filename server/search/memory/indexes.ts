import { type Asked, AskedScopes } from './asked-scopes.ts'
import type { IndexEntry } from './index-entry.ts'

/** The indexes that are in memory or on their way into it, within a budget in bytes. */
export class Indexes {
  /** Least recently used first. */
  readonly #entries = new Map<string, IndexEntry>()
  readonly #asked = new AskedScopes()
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

  /** Takes down that an environment is searched now; its index is then the most recently used. */
  use(key: string): Asked {
    const known = this.#entries.get(key)
    if (known) this.add(known)
    return this.#asked.note(key)
  }

  add(entry: IndexEntry): void {
    entry.usedAt = performance.now()
    this.#entries.delete(entry.key)
    this.#entries.set(entry.key, entry)
  }

  /** Lets go of all, whose memory goes with the process. */
  clear(): void {
    for (const entry of this.#entries.values()) entry.state = 'gone'
    this.#entries.clear()
  }

  /** Remembers what an index takes, for when it is asked for again. */
  takes({ key, table }: IndexEntry, isWhole: boolean): void {
    this.#asked.takes(key, isWhole ? table.bytes : Math.min(table.bytes * 2, this.#budget))
  }

  /** Its memory is free when the searches that are under way have ended. */
  async evict(entry: IndexEntry): Promise<void> {
    entry.state = 'gone'
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key)
    await entry.lock.write(() => entry.table.free())
  }

  /**
   * Lets go of what was least recently used until all fits. Others that are being loaded do not count: they make room for
   * themselves after each page, or give up, and what is ready must not go for a load that comes to nothing.
   *
   * @param since others that were used later stay; by default none does
   * @returns false when there is no room for the entry
   */
  async evictUntilFits(entry: IndexEntry, since = Number.POSITIVE_INFINITY): Promise<boolean> {
    const counts = (other: IndexEntry) => other === entry || other.state !== 'loading'
    const fits = () => bytesOf(this.all().filter(counts)) <= this.#budget
    for (const other of this.all()) {
      if (other === entry || other.state !== 'ready' || other.usedAt > since) continue
      // Asked of these alone, since it looks at every index.
      if (fits()) return true
      await this.evict(other)
    }
    return fits()
  }

  /** Whether there is room for an index, or that of others which were not used since its environment was searched before. */
  isWorthItsRoom({ before, bytes }: Asked): boolean {
    const ready = this.all().filter(({ state, usedAt }) => state === 'ready' && usedAt <= before)
    return bytes <= this.#budget - this.bytes + bytesOf(ready)
  }
}

const bytesOf = (entries: readonly IndexEntry[]) => entries.reduce((sum, { table }) => sum + table.bytes, 0)
