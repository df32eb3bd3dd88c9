/** A source of random choices, the same for the same seed: mulberry32. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** In [0, below). */
  int(below: number): number {
    return Math.floor(this.next() * below)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(options: readonly T[]): T {
    const chosen = options[this.int(options.length)]
    if (chosen === undefined && options.length === 0) throw new Error('nothing to pick from')
    return chosen as T
  }

  list<T>(length: number, make: () => T): T[] {
    return Array.from({ length }, make)
  }
}
