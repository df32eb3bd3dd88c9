import type { ResourceLimits, Worker } from 'node:worker_threads'
import { codeOf } from '../../src/contract/code-of.ts'
import { ImporterError } from '../../src/importer/importer-error.ts'
import { startThread } from '../start-thread.ts'
import type { ThreadAnswer, ThreadRequest, Upload } from './import-thread-messages.ts'
import type { ReadImport } from './read-in-this-thread.ts'

/** Up to this size an upload is read on this thread: that takes milliseconds, while starting a thread takes a hundred. */
const SMALL_BYTES = 65_536
/** In an errors.csv: 9 KB of 900 columns whose rows are to be read in a hundred ways took nine seconds. */
const READ_AS = Buffer.from('read_as')
/** The thread's heap, with room for an archive of 40 MiB; a malicious file ends its own import and not the server. */
const HEAP_MB = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 16 }

/**
 * Reads an upload, on a thread of its own when it is large.
 * @param upload its bytes are transferred and empty afterwards
 * @param heap of the thread
 * @throws ImporterError when the file as a whole cannot be imported
 */
export async function readImport(
  upload: Upload,
  signal: AbortSignal,
  heap: ResourceLimits = HEAP_MB,
): Promise<ReadImport> {
  if (!isQuicklyRead(upload)) return inThread(upload, signal, heap)
  // Most commands import nothing, and the importer takes 80 ms to load.
  const { readInThisThread } = await import('./read-in-this-thread.ts')
  return readInThisThread(upload)
}

function isQuicklyRead({ isZip, bytes }: Upload): boolean {
  if (isZip || bytes.byteLength > SMALL_BYTES) return false
  // UTF-16, in which the word would not be found, has zeros.
  return !bytes.includes(0) && !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(READ_AS)
}

async function inThread(upload: Upload, signal: AbortSignal, heap: ResourceLimits): Promise<ReadImport> {
  signal.throwIfAborted()
  const thread = new ImportThread(upload, heap)
  const end = () => void thread.close(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  const close = async () => {
    signal.removeEventListener('abort', end)
    await thread.close()
  }
  try {
    const { summary } = await thread.receive('prepared')
    return {
      ...summary,
      async *batches(size) {
        thread.send({ type: 'rewind', size })
        for (;;) {
          thread.send({ type: 'next' })
          const { rows } = await thread.receive('rows')
          if (rows === undefined) return
          yield rows
        }
      },
      async errors() {
        thread.send({ type: 'errors' })
        return (await thread.receive('errors')).packed
      },
      close,
    }
  } catch (error) {
    await close()
    signal.throwIfAborted()
    throw error
  }
}

/** The thread, which handles one request at a time. */
class ImportThread {
  readonly #worker: Worker
  #waiting: { resolve(answer: ThreadAnswer): void; reject(error: unknown): void } | undefined
  #early: ThreadAnswer | undefined
  #ended: unknown

  constructor(upload: Upload, heap: ResourceLimits) {
    const bytes = ofItsOwn(upload.bytes)
    upload.bytes = new Uint8Array()
    this.#worker = startThread('ingest/import-thread', {
      workerData: { upload: { ...upload, bytes } },
      transferList: [bytes.buffer],
      resourceLimits: heap,
    })
    this.#worker.on('message', (answer: ThreadAnswer) => {
      const waiting = this.#waiting
      this.#waiting = undefined
      if (waiting) waiting.resolve(answer)
      else this.#early = answer
    })
    this.#worker.on('error', (error) => this.#end(outOfMemory(error, upload.name)))
    this.#worker.on('exit', () => this.#end(new Error('the thread that read the import has ended')))
  }

  send(request: ThreadRequest): void {
    this.#worker.postMessage(request)
  }

  async receive<T extends ThreadAnswer['type']>(type: T): Promise<Extract<ThreadAnswer, { type: T }>> {
    const answer = await new Promise<ThreadAnswer>((resolve, reject) => {
      const early = this.#early
      this.#early = undefined
      if (early) resolve(early)
      else if (this.#ended !== undefined) reject(this.#ended)
      else this.#waiting = { resolve, reject }
    })
    const isExpected = (one: ThreadAnswer): one is Extract<ThreadAnswer, { type: T }> => one.type === type
    if (isExpected(answer)) return answer
    if (answer.type === 'refused') throw new ImporterError(answer.code, answer.message)
    throw answer.type === 'failed' ? answer.error : new Error(`the thread said ${answer.type}, not ${type}`)
  }

  /** @param reason the error for a pending caller, when somebody else ended the thread */
  async close(reason?: unknown): Promise<void> {
    if (reason !== undefined) this.#end(reason)
    await this.#worker.terminate()
  }

  #end(error: unknown): void {
    this.#ended ??= error
    this.#waiting?.reject(this.#ended)
    this.#waiting = undefined
  }
}

/** The bytes in a buffer of their own, which can be transferred to a thread. */
function ofItsOwn(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) return new Uint8Array(buffer)
  return Uint8Array.from(bytes)
}

function outOfMemory(error: unknown, name: string): unknown {
  if (codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  const message = `${name} needs more memory than one import may take. Split it into several files, each with the header row.`
  return new ImporterError('needs_memory', message)
}
