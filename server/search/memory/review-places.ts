/** Linked lists of numbers, each number in at most one list: 4 bytes a list and 4 a number. */
export class NumberLists {
  /** `#heads`, by list: the number added last. `#next`, by number: the one added before it. Both plus one, 0 for none. */
  #heads: Int32Array = new Int32Array(0)
  #next: Int32Array = new Int32Array(0)

  get bytes(): number {
    return this.#heads.byteLength + this.#next.byteLength
  }

  add(list: number, number: number): void {
    this.#heads = longEnough(this.#heads, list)
    this.#next = longEnough(this.#next, number)
    this.#next[number] = this.#heads[list] ?? 0
    this.#heads[list] = number + 1
  }

  /** Empties the list and returns its numbers. */
  take(list: number): number[] {
    const numbers: number[] = []
    for (let at = this.#heads[list] ?? 0; at > 0; at = this.#next[at - 1] ?? 0) numbers.push(at - 1)
    if (numbers.length > 0) this.#heads[list] = 0
    return numbers
  }
}

const LEAST = 64

function longEnough(array: Int32Array, place: number): Int32Array {
  if (place < array.length) return array
  // Grows by half: growing by an eighth left 50 MB of outgrown arrays before they were collected.
  const longer = new Int32Array(Math.max(LEAST, place + 1, Math.ceil(array.length * 1.5)))
  longer.set(array)
  return longer
}

/**
 * Finds a review's excerpts by the first bytes of its id, so that a changed review does not need a scan of every
 * excerpt: that took 1.8 ms of the event loop per write with 240,000, and 8 ms with a million.
 */
export class ReviewPlaces {
  readonly #beginningOf: (excerpt: number) => number
  #lists = new NumberLists()
  /** A power of two. */
  #slots = LEAST
  #count = 0

  /** @param beginningOf the first four bytes of the id of an excerpt's review, which is random */
  constructor(beginningOf: (excerpt: number) => number) {
    this.#beginningOf = beginningOf
  }

  get bytes(): number {
    return this.#lists.bytes
  }

  add(excerpt: number): void {
    if (this.#count >= this.#slots * 2) this.#spread()
    this.#lists.add(this.#slotOf(this.#beginningOf(excerpt)), excerpt)
    this.#count++
  }

  /** Removes and returns the wanted excerpts among those whose review id begins like this. */
  take(beginning: number, isWanted: (excerpt: number) => boolean): number[] {
    const slot = this.#slotOf(beginning)
    const taken: number[] = []
    for (const excerpt of this.#lists.take(slot)) {
      if (isWanted(excerpt)) taken.push(excerpt)
      else this.#lists.add(slot, excerpt)
    }
    this.#count -= taken.length
    return taken
  }

  #slotOf(beginning: number): number {
    return beginning & (this.#slots - 1)
  }

  #spread(): void {
    const [before, slots] = [this.#lists, this.#slots]
    this.#lists = new NumberLists()
    this.#slots *= 4
    for (let slot = 0; slot < slots; slot++) {
      for (const excerpt of before.take(slot)) this.#lists.add(this.#slotOf(this.#beginningOf(excerpt)), excerpt)
    }
  }
}
