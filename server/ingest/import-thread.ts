/** The worker thread that reads an upload: parsing 10 MiB takes seconds, which would block the server. */
import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { ImporterError } from '../../src/importer/importer-error.ts'
import { type ThreadAnswer, threadRequest, type Upload } from './import-thread-messages.ts'
import { readInThisThread } from './read-in-this-thread.ts'

if (!parentPort) throw new Error('import-thread runs as a worker thread')
const port = parentPort
const send = (answer: ThreadAnswer) => port.postMessage(answer)

async function read(): Promise<void> {
  try {
    const { upload }: { upload: Upload } = workerData
    const { batches: rowsIn, errors, close: _, ...summary } = await readInThisThread(upload)
    let batches = rowsIn(1)[Symbol.asyncIterator]()
    port.on('message', async (message) => {
      const request = v.parse(threadRequest, message)
      if (request.type === 'rewind') batches = rowsIn(request.size)[Symbol.asyncIterator]()
      else if (request.type === 'next') {
        const next = await batches.next()
        send({ type: 'rows', rows: next.done ? undefined : next.value })
      } else send({ type: 'errors', packed: await errors() })
    })
    send({ type: 'prepared', summary })
  } catch (error) {
    if (error instanceof ImporterError) send({ type: 'refused', code: error.code, message: error.message })
    else send({ type: 'failed', error })
  }
}

// Not awaited: see thread-start.js.
void read()
