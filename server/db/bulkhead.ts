import { AsyncLocalStorage } from 'node:async_hooks'

/** The requested part of a distributed database does not respond. Classified like the database's own errors of that kind. */
export class ServerSilent extends Error {
  readonly code = '08006'
  readonly severity = 'ERROR'

  constructor() {
    super('A server of the database cluster does not answer')
  }
}

export interface BulkheadOptions {
  /** Maximum concurrent statements and transactions. */
  most: number
  /** Work this slow is reported, and again after as long. */
  slowMs: number
  onSlow(): void
}

/**
 * Requests to one server of a cluster, or to all: limited in number so that connections are left for others, and failing at
 * once while the server is known not to respond.
 */
export class Bulkhead {
  readonly #options: BulkheadOptions
  readonly #underWay = new Set<(error: Error) => void>()
  readonly #waiting: { begin(): void; fail(error: Error): void }[] = []
  #running = 0
  #closed = false

  constructor(options: BulkheadOptions) {
    this.#options = options
  }

  /**
   * @param work begins when there is room
   * @throws {ServerSilent} also while the work is running; its outcome is then ignored
   */
  async run<T>(work: () => PromiseLike<T>): Promise<T> {
    if (this.#closed) throw new ServerSilent()
    if (this.#running >= this.#options.most) {
      await new Promise<void>((begin, fail) => this.#waiting.push({ begin, fail }))
    } else this.#running++
    let fail: (error: Error) => void = () => {}
    const slow = setInterval(this.#options.onSlow, this.#options.slowMs).unref()
    try {
      return await new Promise<T>((resolve, reject) => {
        fail = reject
        this.#underWay.add(fail)
        work().then(resolve, reject)
      })
    } finally {
      clearInterval(slow)
      this.#underWay.delete(fail)
      const next = this.#waiting.shift()
      // The next in line takes over the slot.
      if (next) next.begin()
      else this.#running--
    }
  }

  /** Fails everything now, and whatever comes until it is opened. */
  close(): void {
    this.#closed = true
    for (const { fail } of this.#waiting.splice(0)) fail(new ServerSilent())
    for (const fail of this.#underWay) fail(new ServerSilent())
  }

  open(): void {
    this.#closed = false
  }

  get closed(): boolean {
    return this.#closed
  }
}

/** Carries a bulkhead to the pool, so that it need not be passed from call to call. */
const current = new AsyncLocalStorage<Bulkhead | undefined>()

export function inBulkhead<T>(bulkhead: Bulkhead | undefined, work: () => Promise<T>): Promise<T> {
  return current.run(bulkhead, work)
}

export function currentBulkhead(): Bulkhead | undefined {
  return current.getStore()
}
