import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { Log } from '../../deps.ts'
import { describeError } from '../../describe-error.ts'
import { startThread } from '../../start-thread.ts'
import type { Candidates } from '../candidates.ts'
import type { BlockAllocator } from './block-allocator.ts'
import type { ScanRequest } from './scan-request.ts'
import { isDivisible, type ScanPart } from './split-scan.ts'
import { bytesRead } from './table-view.ts'

/** Both sides are the same program, so messages are its own types. */
export interface ThreadRequest {
  /** Searches of one table. */
  requests: readonly ScanRequest[]
  /** This thread's part, if the only request is divided. */
  part?: ScanPart | undefined
}
/** In order of the requests; empty from a thread that was not the last to finish its part. */
export type ThreadAnswer = Candidates[]

/** A thread ended before it answered; the database still can. */
export class ScanThreadLost extends Error {
  readonly code = 'scan_thread_gone'
}

/** Searches of one table that a thread runs together: four take little more than twice as long as one. */
const MOST_TOGETHER = 4
/** Consecutive threads that ended without an answer; starting another would not help. */
const MOST_FAILURES = 3
const PAUSE_MS = 60_000
/** Heap of the thread's JavaScript, which retains nothing. */
const YOUNG_GENERATION_MB = 8

interface Waiting {
  request: ScanRequest
  resolve(found: Candidates): void
  reject(error: unknown): void
}

/** The work of some threads on some searches. */
interface Job {
  waiting: readonly Waiting[]
  /** Threads that have not answered. None of them gets another job before all have. */
  left: number
}

interface Thread {
  worker: Worker
  scratches: readonly number[]
  job: Job | undefined
}

export interface ScanThreadsOptions {
  allocator: BlockAllocator
  log: Log
  /** By default one per processor. */
  threads?: number | undefined
  /** A search of at least twice as many bytes is divided when no other is running. */
  partBytes: number
}

/**
 * Threads that search tables, started on demand and restarted after they end. A lone search is divided among them.
 * Searches that arrive meanwhile wait and are then run together; unless many wait, one thread stays idle to leave a
 * processor for the event loop and the database client.
 */
export class ScanThreads {
  readonly #options: ScanThreadsOptions
  readonly #threads: (Thread | undefined)[]
  readonly #queue: Waiting[] = []
  /** A block with the counters of a divided search. */
  #counters: number | undefined
  #failures = 0
  #failedAt = 0
  #stopped = false
  /** Searches started, and threads that ended by themselves. */
  scans = 0
  lost = 0

  constructor(options: ScanThreadsOptions) {
    this.#options = options
    this.#threads = Array.from({ length: options.threads ?? availableParallelism() }, () => undefined)
  }

  get running(): number {
    return this.#threads.filter(Boolean).length
  }

  /** @throws {ScanThreadLost} */
  find(request: ScanRequest): Promise<Candidates> {
    if (this.#isOff()) return Promise.reject(new ScanThreadLost('There is no thread'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject })
      this.#dispatch()
    })
  }

  /** Running searches fail with {@link ScanThreadLost}. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const { reject } of this.#queue.splice(0)) reject(new ScanThreadLost('The threads were stopped'))
    await Promise.all(this.#threads.map((thread) => thread?.worker.terminate()))
  }

  #isOff(): boolean {
    return this.#stopped || (this.#failures >= MOST_FAILURES && performance.now() - this.#failedAt < PAUSE_MS)
  }

  #dispatch(): void {
    for (let first = this.#queue[0]; first; first = this.#queue[0]) {
      const busy = this.#threads.filter((thread) => thread?.job).length
      const parts = busy === 0 && this.#queue.length === 1 ? this.#partsOf(first.request) : 1
      const most = parts > 1 ? parts : this.#mostThreads()
      if (busy >= most) return
      const threads = this.#idle(parts)
      if (threads.length === 0) {
        if (busy > 0) return
        for (const { reject } of this.#queue.splice(0)) reject(new ScanThreadLost('There is no thread'))
        return
      }
      const count = Math.min(MOST_TOGETHER, Math.ceil(this.#queue.length / (most - busy)))
      this.#send(this.#takeLike(first, count), threads)
    }
  }

  /** Leaves one processor free, unless more searches wait than the other threads take at once. */
  #mostThreads(): number {
    const rest = Math.max(1, this.#threads.length - 1)
    return this.#queue.length > rest * MOST_TOGETHER ? this.#threads.length : rest
  }

  #partsOf(request: ScanRequest): number {
    if (!isDivisible(request)) return 1
    const bytes = bytesRead(request.table)
    return Math.max(1, Math.min(this.#threads.length, Math.floor(bytes / Math.max(1, this.#options.partBytes))))
  }

  /** The first in the queue, and others that search the same table. */
  #takeLike(first: Waiting, most: number): Waiting[] {
    const { table } = first.request
    const taken = this.#queue.filter(({ request }) => request.table === table).slice(0, most)
    for (const one of taken) this.#queue.splice(this.#queue.indexOf(one), 1)
    return taken
  }

  #send(waiting: readonly Waiting[], threads: readonly Thread[]): void {
    const job: Job = { waiting, left: threads.length }
    const requests = waiting.map(({ request }) => request)
    this.scans += waiting.length
    const counters = threads.length > 1 ? this.#zero() : 0
    const scratches = threads.map((thread) => thread.scratches[0] ?? 0)
    for (const [nth, thread] of threads.entries()) {
      thread.job = job
      const part = threads.length > 1 ? { nth, scratches, counters } : undefined
      thread.worker.postMessage({ requests, part } satisfies ThreadRequest)
    }
  }

  /** Resets the counters and returns their byte offset. */
  #zero(): number {
    const { allocator } = this.#options
    this.#counters ??= allocator.allocate()
    for (const at of [0, 1]) Atomics.store(allocator.views().i32, this.#counters / 4 + at, 0)
    return this.#counters
  }

  /** Up to `most` threads without a job. */
  #idle(most: number): Thread[] {
    const found: Thread[] = []
    for (let place = 0; place < this.#threads.length && found.length < most; place++) {
      const thread = this.#threads[place] ?? this.#start(place)
      if (thread && !thread.job) found.push(thread)
    }
    return found
  }

  #start(place: number): Thread | undefined {
    const { allocator, log } = this.#options
    const scratches: number[] = []
    try {
      for (let i = 0; i < MOST_TOGETHER; i++) scratches.push(allocator.allocate())
    } catch {
      allocator.free(scratches)
      return undefined
    }
    const worker = startThread('search/memory/scan-thread', {
      workerData: { memory: allocator.memory, scratches },
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    })
    // A waiting search belongs to a request, whose socket keeps the process alive.
    worker.unref()
    const thread: Thread = { worker, scratches, job: undefined }
    worker.on('message', (answer: ThreadAnswer) => {
      this.#failures = 0
      for (const [i, found] of answer.entries()) thread.job?.waiting[i]?.resolve(found)
      this.#answered(thread)
    })
    worker.on('error', (error) => log.error({ error: describeError(error) }, 'a thread that searches in memory failed'))
    worker.once('exit', () => this.#ended(place, thread))
    this.#threads[place] = thread
    return thread
  }

  /** A thread is free once all threads of its job have answered: one of them may still read its results. */
  #answered({ job }: Thread): void {
    if (!job || --job.left > 0) return
    for (const thread of this.#threads) if (thread?.job === job) thread.job = undefined
    this.#dispatch()
  }

  #ended(place: number, thread: Thread): void {
    this.#threads[place] = undefined
    this.#options.allocator.free(thread.scratches)
    const waiting = thread.job?.waiting ?? []
    if (!this.#stopped) {
      this.lost++
      this.#failures++
      this.#failedAt = performance.now()
      const message = 'a thread that searches in memory ended; the database answers instead'
      this.#options.log.warn({ waiting: waiting.length }, message)
    }
    for (const { reject } of waiting) reject(new ScanThreadLost('The thread ended'))
    if (this.#isOff()) for (const { reject } of this.#queue.splice(0)) reject(new ScanThreadLost('There is no thread'))
    this.#answered(thread)
  }
}
