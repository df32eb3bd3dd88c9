import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { CodedError } from '../../src/contract/code-of.ts'
import { startThread } from '../start-thread.ts'
import { EmbeddingUnavailable } from './embedder.ts'
import { type ModelIdentity, type OpenModel, TRANSFORMERS_PACKAGE } from './transformers-model.ts'

export interface ThreadSettings {
  model: string
  /** The package's name; in tests, the address of a module. */
  package: string
}
/** What the thread is sent: texts for one run. */
export type ThreadRequest = { texts: readonly string[] } | 'close'
/** What it answers: one message after its start, and one for each run. */
export type ThreadResponse =
  | { opened: ModelIdentity }
  | { refused: { code: string | undefined; message: string } }
  | { vectors: Float32Array[] }
  | { failed: string }

interface Run {
  texts: readonly string[]
  resolve: (vectors: Float32Array[]) => void
  reject: (error: unknown) => void
}

/** How long a thread may take to give back what it holds before it is ended. */
const CLOSING_MS = 2_000

/**
 * Opens a model in a thread of its own. In the main thread, each run would keep everything else waiting: all-MiniLM-L6-v2 on
 * two busy processors held a request up for four seconds while reviews were indexed.
 * @throws what `openTransformersModel` throws, as errors with the same codes and messages
 */
export async function openModelInThread(model: string, name: string = TRANSFORMERS_PACKAGE): Promise<OpenModel> {
  const thread = new ModelThread({ model, package: name })
  return {
    ...(await thread.open()),
    run: (texts, isUrgent) => thread.run(texts, isUrgent),
    close: () => thread.close(),
  }
}

class ModelThread {
  readonly #settings: ThreadSettings
  #worker: Promise<Worker> | undefined
  /** The thread that counts: one that was given up may still send or end. */
  #current: Worker | undefined
  #identity: ModelIdentity | undefined
  #running: Run | undefined
  #waiting: Run[] = []
  #isClosed = false

  constructor(settings: ThreadSettings) {
    this.#settings = settings
  }

  async open(): Promise<ModelIdentity> {
    await this.#started()
    if (!this.#identity) throw new Error('The thread did not say which model it opened')
    return this.#identity
  }

  run(texts: readonly string[], isUrgent: boolean): Promise<Float32Array[]> {
    if (this.#isClosed) return Promise.reject(new EmbeddingUnavailable('The embedding model was closed'))
    return new Promise((resolve, reject) => {
      const run = { texts, resolve, reject }
      if (isUrgent) this.#waiting.unshift(run)
      else this.#waiting.push(run)
      void this.#next()
    })
  }

  /** Runs that wait fail, and the one in progress unless it ends soon. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new EmbeddingUnavailable('The embedding model was closed'))
    const worker = await this.#worker?.catch(() => undefined)
    if (!worker) return
    const ended = once(worker, 'exit')
    worker.postMessage('close' satisfies ThreadRequest)
    const timer = setTimeout(() => void worker.terminate(), CLOSING_MS)
    await ended
    clearTimeout(timer)
  }

  /** The thread, with its model loaded; started again if it ended. */
  #started(): Promise<Worker> {
    this.#worker ??= this.#start().catch((error: unknown) => {
      this.#worker = undefined
      throw error
    })
    return this.#worker
  }

  #start(): Promise<Worker> {
    const worker = startThread('embed/transformers-thread', { workerData: this.#settings })
    this.#current = worker
    return new Promise((resolve, reject) => {
      let failure: unknown
      worker.on('message', (response: ThreadResponse) => {
        if ('opened' in response) {
          this.#identity = response.opened
          // From here on, whoever waits for a run keeps the process alive.
          worker.unref()
          resolve(worker)
        } else if ('refused' in response) {
          const { code, message } = response.refused
          this.#current = undefined
          reject(code === undefined ? new Error(message) : new CodedError(code, message))
          void worker.terminate()
        } else this.#finish(response)
      })
      worker.on('error', (error) => {
        failure = error
      })
      worker.once('exit', () => {
        const error = new EmbeddingUnavailable('The thread of the embedding model ended', { cause: failure })
        reject(error)
        if (this.#current !== worker) return
        this.#current = undefined
        this.#worker = undefined
        const run = this.#running
        this.#running = undefined
        run?.reject(error)
        void this.#next()
      })
    })
  }

  async #next(): Promise<void> {
    const run = this.#running ? undefined : this.#waiting.shift()
    if (!run) return
    this.#running = run
    try {
      const worker = await this.#started()
      worker.ref()
      worker.postMessage({ texts: run.texts } satisfies ThreadRequest)
    } catch (error) {
      if (this.#running !== run) return
      this.#running = undefined
      run.reject(new EmbeddingUnavailable('The embedding model cannot be opened again', { cause: error }))
      void this.#next()
    }
  }

  async #finish(response: { vectors: Float32Array[] } | { failed: string }): Promise<void> {
    const run = this.#running
    this.#running = undefined
    if (this.#waiting.length === 0) (await this.#worker)?.unref()
    if ('vectors' in response) run?.resolve(response.vectors)
    else run?.reject(new Error(response.failed))
    await this.#next()
  }
}
