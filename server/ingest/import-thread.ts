/** The thread in which an upload is read: parsing 10 MiB takes seconds, in which a server could answer nobody. */
import { promisify } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import { gzip } from 'node:zlib'
import * as v from 'valibot'
import type { ImportOptions } from '../../src/importer/formats/mapping.ts'
import { ImporterError } from '../../src/importer/importer-error.ts'
import { prepareImport } from '../../src/importer/rows/prepare.ts'
import { inBatches, summarizeImport } from '../../src/importer/rows/summary.ts'
import { errorsCsv } from '../../src/importer/write/errors-csv.ts'
import { type ThreadAnswer, threadRequest, type Upload } from './import-thread-messages.ts'

if (!parentPort) throw new Error('import-thread runs as a worker thread')
const port = parentPort
const say = (answer: ThreadAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(answer, transfer)

const data: { upload?: Upload } = workerData
try {
  const { name, isZip, options, now } = data.upload ?? fail()
  const prepared = await prepareImport(uploaded(), options as ImportOptions, { wholeFolder: isZip, now })
  let batches = inBatches(prepared.rows, 1)
  port.on('message', async (message) => {
    const request = v.parse(threadRequest, message)
    if (request.type === 'rewind') batches = inBatches(prepared.rows, request.size)
    else if (request.type === 'next') {
      const next = await batches.next()
      say({ type: 'rows', rows: next.done ? undefined : next.value })
    } else {
      const text = [...errorsCsv(prepared)].join('')
      const packed = await promisify(gzip)(text)
      say({ type: 'errors', packed })
    }
  })
  say({ type: 'prepared', summary: summarizeImport(prepared) })

  /** Nothing holds the file once it is read. */
  function* uploaded() {
    const bytes = data.upload?.bytes
    delete data.upload
    if (bytes) yield { name, bytes }
  }
} catch (error) {
  if (error instanceof ImporterError)
    say({ type: 'refused', code: error.code, message: error.message, choices: [...error.choices] })
  else say({ type: 'failed', error })
}

function fail(): never {
  throw new Error('there is no upload')
}
