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
  /** A function is called for each attempt, so that a large file is not held in memory while the server imports it. */
  bytes: Uint8Array | (() => Promise<Uint8Array>)
  /** The mapping, in the server's format. */
  mapping: object
  dryRun: boolean
}

const step = v.object({ progress: importProgress })
// The last line.
const result = v.object({ result: tolerant(importResponse) })

export interface UploadOptions {
  onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Stops the import between batches; sending the file again continues it. */
  signal?: AbortSignal | undefined
}

/** Uploads a file to the server's own import route. Throws as the client's other methods do. */
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
      const parsed = v.safeParse(step, line)
      if (parsed.success) onProgress(parsed.output.progress)
      else last = line
    }
  } catch (error) {
    if (signal?.aborted) throw new Cancelled()
    throw new ConnectionFailed(baseUrl, { cause: error })
  }
  if (signal?.aborted) throw new Cancelled()
  // Without its last line the stream was cut off: the server was stopped.
  if (last === undefined) throw new ConnectionFailed(baseUrl, { cause: new Error('the answer broke off') })
  const checked = v.safeParse(result, last)
  if (checked.success) return checked.output.result
  throw responseError(response, JSON.stringify(last))
}

async function* linesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<unknown> {
  if (!response.body) return
  // The signal also cancels the stream: in process, nothing else tells the server that nobody is listening.
  const text = Readable.fromWeb(response.body as ReadableStream, { encoding: 'utf8', signal })
  let rest = ''
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}
