import { AsyncLocalStorage } from 'node:async_hooks'

/** The part of a distributed database does not answer that this asks. Known as the database's own errors of that kind are. */
export class ServerSilent extends Error {
  readonly code = '08006'
  readonly severity = 'ERROR'

  constructor() {
    super('A server of the database cluster does not answer')
  }
}

export interface LaneOptions {
  /** How many statements and transactions may be under way together. */
  most: number
  /** What is under way for so long is told of, and again after as long. */
  slowMs: number
  onSlow(): void
}

/**
 * What is asked of one server of a cluster, or of all: so many at once that connections are left for what is asked of others, and
 * nothing at all while it is known not to answer.
 */
export class Lane {
  readonly #options: LaneOptions
  readonly #underWay = new Set<(error: Error) => void>()
  readonly #waiting: { begin(): void; fail(error: Error): void }[] = []
  #running = 0
  #closed = false

  constructor(options: LaneOptions) {
    this.#options = options
  }

  /**
   * @param work begins when there is room
   * @throws {ServerSilent} also while the work is under way; what comes of it then, nobody hears
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
      // Whoever is next takes the place over.
      if (next) next.begin()
      else this.#running--
    }
  }

  /** Everything fails now, and whatever comes until it is opened. */
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

/** Carries a lane to the pool, which sends its statements and transactions by it, so that it is not passed from call to call. */
const current = new AsyncLocalStorage<Lane | undefined>()

export function inLane<T>(lane: Lane | undefined, work: () => Promise<T>): Promise<T> {
  return current.run(lane, work)
}

export function currentLane(): Lane | undefined {
  return current.getStore()
}
