import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { prepareImport } from '../../src/importer/rows/prepare.ts'
import { type BatchedImport, batchedImport } from '../../src/importer/rows/summary.ts'
import { errorsCsv } from '../../src/importer/write/errors-csv.ts'
import type { Upload } from './import-thread-messages.ts'

/** An upload that was read; its rows are produced on demand. */
export interface ReadImport extends BatchedImport {
  /** errors.csv, gzipped. */
  errors(): Promise<Uint8Array>
  close(): Promise<void>
}

/** Reads an upload on this thread. Nothing retains its bytes afterwards. */
export async function readInThisThread(upload: Upload): Promise<ReadImport> {
  const { isZip, options, now } = upload
  const prepared = await prepareImport(takeFile(upload), options, { wholeFolder: isZip, now })
  return {
    ...batchedImport(prepared),
    errors: () => promisify(gzip)([...errorsCsv(prepared)].join('')),
    close: async () => {},
  }
}

function* takeFile(upload: Upload) {
  const { name, bytes } = upload
  upload.bytes = new Uint8Array()
  yield { name, bytes }
}
