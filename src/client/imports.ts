import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import * as v from 'valibot'
import {
  type ImportProgress,
  type ImportResponse,
  importProgress,
  importResponse,
  PROGRESS_MEDIA_TYPE,
} from '../contract/import.ts'
import { FILE_NAME_LENGTH } from '../contract/limits.ts'
import { Cancelled, ConnectionFailed, responseError, unexpectedResponse } from './errors.ts'
import { tolerant } from './tolerant.ts'
import type { Transport } from './transport.ts'

export interface Upload {
  fileName: string
  /** A function is called for each try, so that nothing here holds a large file while the server imports it. */
  bytes: Uint8Array | (() => Promise<Uint8Array>)
  /** A mapping as the server takes it. */
  mapping: object
  dryRun: boolean
}

// Of the last line.
const result = v.object({ result: tolerant(importResponse) })

export interface UploadOptions {
  onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Ends the import between two batches; sending the file again continues it. */
  signal?: AbortSignal | undefined
}

/** Sends a file to the server's own import route. Throws what the other methods of a client throw. */
export async function uploadFile(
  stream: Transport['stream'],
  baseUrl: string,
  { fileName, bytes, mapping, dryRun }: Upload,
  { onProgress = () => {}, signal }: UploadOptions = {},
): Promise<ImportResponse> {
  const query = {
    file_name: fileName.slice(-FILE_NAME_LENGTH),
    mapping: JSON.stringify(mapping),
    dry_run: String(dryRun),
  }
  const response = await stream({
    method: 'POST',
    path: '/imports',
    query,
    headers: { accept: PROGRESS_MEDIA_TYPE, 'content-type': 'application/octet-stream' },
    body: async () => (typeof bytes === 'function' ? bytes() : bytes),
    signal,
  })
  if (!response.headers.get('content-type')?.startsWith(PROGRESS_MEDIA_TYPE))
    throw unexpectedResponse(response, 'the answer to POST /imports is not what this version expects')
  let last: unknown
  try {
    for await (const line of linesOf(response, signal)) {
      const step = v.safeParse(importProgress, line)
      if (step.success) onProgress(step.output.progress)
      else last = line
    }
  } catch (error) {
    if (signal?.aborted) throw new Cancelled()
    throw new ConnectionFailed(baseUrl, { cause: error })
  }
  if (signal?.aborted) throw new Cancelled()
  // A stream that ends without its last line broke off: the server was stopped in the middle.
  if (last === undefined) throw new ConnectionFailed(baseUrl, { cause: new Error('the answer broke off') })
  const checked = v.safeParse(result, last)
  if (checked.success) return checked.output.result
  throw responseError(response, JSON.stringify(last))
}

async function* linesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<unknown> {
  if (!response.body) return
  // The signal cancels the stream too: in one process nothing else tells the server that nobody listens any more.
  const text = Readable.fromWeb(response.body as ReadableStream, { encoding: 'utf8', signal })
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}
