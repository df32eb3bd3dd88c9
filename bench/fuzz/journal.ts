/** Which requests were under way when something was slow. */
export interface Entry<T> {
  number: number
  /** `Date.now()`. */
  from: number
  /** Absent: not answered yet. */
  to: number | undefined
  what: T
}

const KEPT = 3_000
/** What a request leaves to be done later, such as indexing, begins within this. */
const AFTERWARDS_MS = 1_500

export class Journal<T> {
  #entries: Entry<T>[] = []
  #suspects = new Map<number, { entry: Entry<T>; worstMs: number; times: number }>()

  begin(number: number, what: T): Entry<T> {
    const entry: Entry<T> = { number, from: Date.now(), to: undefined, what }
    this.#entries.push(entry)
    if (this.#entries.length > KEPT) this.#entries.splice(0, KEPT / 3)
    return entry
  }

  /** Everything that was under way between these two moments, or just before, is a suspect. */
  suspect(from: number, to: number, ms: number): void {
    for (const entry of this.#entries) {
      if (entry.from > to || (entry.to ?? Number.POSITIVE_INFINITY) < from - AFTERWARDS_MS) continue
      const known = this.#suspects.get(entry.number) ?? { entry, worstMs: 0, times: 0 }
      // One that came long before is a lesser suspect than one that was under way.
      const weight = (entry.to ?? to) >= from ? 1 : 0.5
      this.#suspects.set(entry.number, { entry, worstMs: Math.max(known.worstMs, ms * weight), times: known.times + 1 })
    }
  }

  /** Those of the longest stalls first. */
  suspects(): { entry: Entry<T>; worstMs: number }[] {
    return [...this.#suspects.values()].sort((a, b) => b.worstMs - a.worstMs || b.times - a.times)
  }
}
