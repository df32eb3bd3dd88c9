/** Reviews per claim. A service that is slow regardless of the batch would starve on fewer than `least`. */
const BATCH = { probe: 1, least: 8, first: 32, most: 256 }
const FAST_BATCH_MS = 500
const SLOW_BATCH_MS = 2_000

/** How many reviews to claim: more while batches are fast, fewer when they are slow, one after a failure. */
export class BatchSize {
  #size = BATCH.first

  get current(): number {
    return this.#size
  }

  static get most(): number {
    return BATCH.most
  }

  /** The embedding service failed: the next claim is a probe. */
  failed(): void {
    this.#size = BATCH.probe
  }

  /** A batch succeeded. @param full whether it had as many reviews as requested */
  finished({ saved, full, milliseconds }: { saved: number; full: boolean; milliseconds: number }): void {
    if (saved > 0) this.#size = Math.max(BATCH.least, this.#size)
    if (full && milliseconds < FAST_BATCH_MS) this.#size = Math.min(BATCH.most, this.#size * 2)
    else if (milliseconds > SLOW_BATCH_MS) this.#size = Math.max(BATCH.least, Math.floor(this.#size / 2))
  }
}
