import module from 'node:module'
import type { Worker, WorkerOptions } from 'node:worker_threads'

/** Threads that keep this process alive; Node's own list leaves them out. */
const threads = new Set<Worker>()

/** Counts threads started from now on among what is open. Before any module that imports `Worker`. */
export function countThreads(): void {
  const builtin: { Worker: typeof Worker } = module.createRequire(import.meta.url)('node:worker_threads')
  builtin.Worker = class extends builtin.Worker {
    #hasEnded = false

    constructor(script: string | URL, options?: WorkerOptions) {
      super(script, options)
      threads.add(this)
      this.once('exit', () => {
        threads.delete(this)
        this.#hasEnded = true
      })
    }

    override ref(): void {
      // `terminate` calls it, also of a thread that has ended.
      if (!this.#hasEnded) threads.add(this)
      super.ref()
    }

    override unref(): void {
      threads.delete(this)
      super.unref()
    }
  }
  module.syncBuiltinESMExports()
}

/** Names of what keeps this process alive at this moment. */
export function openResources(): string[] {
  return [...process.getActiveResourcesInfo(), ...Array.from(threads, () => 'Worker')]
}
