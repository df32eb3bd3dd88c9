import { untilAborted } from '../abort.ts'

/** How much longer a search may take because of the texts that the service already has. */
const LONGEST_WAIT_MS = 1_000
/** A service that is slow regardless of the number would get too little done with fewer texts. */
const LEAST = 4
/** A service whose first answers took longer was loading its model, or had others to serve. */
const LONGEST_ALONE_MS = 2_000

/**
 * Limits the texts that a service has at a time, so that a search waits for about a second behind them at most. Without a graphics
 * card, most services embed one text after another: four requests of 32 texts take longer than a search may. The limit is one
 * full request at first, and follows the time that requests take.
 */
export class TextWindow {
  readonly #requests: number
  readonly #least: number
  readonly #most: number
  #size: number
  #sent = 0
  #texts = 0
  #alone = LONGEST_ALONE_MS
  #waiting: (() => void)[] = []

  /** @param requests the most requests at a time @param batch the most texts in one of them */
  constructor(requests: number, batch: number) {
    this.#requests = requests
    this.#least = Math.min(LEAST, batch)
    this.#most = requests * batch
    this.#size = batch
  }

  /** The texts that the service has. */
  get texts(): number {
    return this.#texts
  }

  /** Waits until a request may be sent. @returns how many of up to `most` texts it may have; each call needs a `leave` */
  async enter(most: number, signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted()
      const texts = Math.min(most, Math.floor(this.#size))
      if (this.#sent === 0 || (this.#sent < this.#requests && this.#texts + texts <= this.#size)) {
        this.#sent++
        this.#texts += texts
        return texts
      }
      await untilAborted(new Promise<void>((resolve) => this.#waiting.push(resolve)), signal)
    }
  }

  leave(texts: number): void {
    this.#sent--
    this.#texts -= texts
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** A request with a single text took so long. */
  tookAlone(milliseconds: number): void {
    this.#alone = Math.min(this.#alone, milliseconds)
  }

  /** A request took so long, while the service had `texts` texts, those of the request included. */
  took(milliseconds: number, texts: number): void {
    const fitting = (texts * LONGEST_WAIT_MS) / Math.max(1, milliseconds - this.#alone)
    // A request that left room says nothing about larger ones.
    if (fitting > this.#size && texts < this.#size / 2) return
    const size = Math.min(2 * this.#size, Math.max(this.#size / 2, fitting))
    this.#size = Math.min(this.#most, Math.max(this.#least, size))
  }
}
