import { setTimeout as sleep } from 'node:timers/promises'

/** Sleeps that can all be ended early. */
export class WakeableSleep {
  #wake = new AbortController()

  /** Sleeps until the time is over or {@link wakeAll} is called. */
  async sleep(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.#wake.signal }).catch(() => {})
  }

  wakeAll(): void {
    this.#wake.abort()
    this.#wake = new AbortController()
  }
}
