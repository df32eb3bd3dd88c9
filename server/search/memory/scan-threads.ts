import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { Log } from '../../deps.ts'
import { describeError } from '../../describe-error.ts'
import { startThread } from '../../start-thread.ts'
import type { Candidates } from '../candidates.ts'
import type { BlockAllocator } from './block-allocator.ts'
import type { ScanRequest } from './scan-request.ts'

/** Both sides are one program: the shapes are those of its own types. */
export interface ThreadRequest {
  id: number
  request: ScanRequest
}
export interface ThreadAnswer {
  id: number
  candidates: Candidates
}

/** A thread ended before it answered. The database can. */
export class ScanThreadLost extends Error {
  readonly code = 'scan_thread_gone'
}

/** Leaves one processor to the event loop and the database's client. */
const THREADS = Math.max(1, availableParallelism() - 1)
/** Threads that end one after another without an answer: something is wrong that another one would not mend. */
const MOST_FAILURES = 3
const PAUSE_MS = 60_000
/** Of the thread's JavaScript, which keeps nothing. */
const YOUNG_GENERATION_MB = 8

interface Thread {
  worker: Worker
  scratch: number
  waiting: Map<number, { resolve(found: Candidates): void; reject(error: unknown): void }>
}

/** Threads that search tables, each started when it is first needed, and again after it ended. */
export class ScanThreads {
  readonly #allocator: BlockAllocator
  readonly #log: Log
  readonly #threads: (Thread | undefined)[]
  #next = 0
  #failures = 0
  #failedAt = 0
  #stopped = false
  /** Scans that were begun, and threads that ended by themselves. */
  scans = 0
  lost = 0

  constructor(allocator: BlockAllocator, log: Log, threads = THREADS) {
    this.#allocator = allocator
    this.#log = log
    this.#threads = Array.from({ length: threads }, () => undefined)
  }

  get running(): number {
    return this.#threads.filter(Boolean).length
  }

  /** @throws {ScanThreadLost} */
  find(request: ScanRequest): Promise<Candidates> {
    const thread = this.#leastBusy()
    if (!thread) return Promise.reject(new ScanThreadLost('There is no thread'))
    return new Promise((resolve, reject) => {
      const id = this.#next++
      thread.waiting.set(id, { resolve, reject })
      this.scans++
      const message: ThreadRequest = { id, request }
      thread.worker.postMessage(message)
    })
  }

  /** What is under way fails with {@link ScanThreadLost}. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#threads.map((thread) => thread?.worker.terminate()))
  }

  #leastBusy(): Thread | undefined {
    if (this.#stopped) return undefined
    if (this.#failures >= MOST_FAILURES && performance.now() - this.#failedAt < PAUSE_MS) return undefined
    const idle = this.#threads.find((thread) => thread?.waiting.size === 0)
    if (idle) return idle
    const free = this.#threads.indexOf(undefined)
    if (free >= 0) return this.#start(free)
    return this.#threads.reduce((least, one) =>
      (one?.waiting.size ?? Number.POSITIVE_INFINITY) < (least?.waiting.size ?? Number.POSITIVE_INFINITY) ? one : least,
    )
  }

  #start(place: number): Thread | undefined {
    let scratch: number
    try {
      scratch = this.#allocator.allocate()
    } catch {
      return undefined
    }
    const worker = startThread('search/memory/scan-thread', {
      workerData: { memory: this.#allocator.memory, scratch },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
    // A search that waits for it is a request, which keeps the process up by its socket.
    worker.unref()
    const thread: Thread = { worker, scratch, waiting: new Map() }
    worker.on('message', ({ id, candidates }: ThreadAnswer) => {
      this.#failures = 0
      const waiting = thread.waiting.get(id)
      thread.waiting.delete(id)
      waiting?.resolve(candidates)
    })
    worker.on('error', (error) =>
      this.#log.error({ error: describeError(error) }, 'a thread that searches in memory failed'),
    )
    worker.once('exit', () => this.#ended(place, thread))
    this.#threads[place] = thread
    return thread
  }

  #ended(place: number, { scratch, waiting }: Thread): void {
    this.#threads[place] = undefined
    this.#allocator.free([scratch])
    if (!this.#stopped) {
      this.lost++
      this.#failures++
      this.#failedAt = performance.now()
      this.#log.warn({ waiting: waiting.size }, 'a thread that searches in memory ended; the database answers instead')
    }
    for (const { reject } of waiting.values()) reject(new ScanThreadLost('The thread ended'))
    waiting.clear()
  }
}
