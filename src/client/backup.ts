import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import * as v from 'valibot'
import { type BackupSummary, backupSummary } from '../contract/backup.ts'
import { ApiError, Cancelled, unexpectedResponse } from './errors.ts'
import { createPrivateFile } from './private-file.ts'
import { tolerant } from './tolerant.ts'
import type { Transport } from './transport.ts'

const header = v.pipe(v.string(), v.parseJson(), tolerant(backupSummary))
export type DownloadedBackup = BackupSummary & { bytes: number }

const LENGTH_LOST =
  'a proxy has compressed the backup or taken away its Content-Length, without which a backup that breaks off looks whole; ask the server itself, without the proxy'

export interface BackupOptions {
  signal: AbortSignal
  replace: boolean
  onBytes?: (bytes: number, total: number) => void
}

/**
 * Downloads a backup to `path`. The file appears under that name only when complete, and only its owner can read it.
 *
 * @throws {ApiError | ConnectionFailed | Cancelled | FileExists}
 */
export async function downloadBackup(
  stream: Transport['stream'],
  path: string,
  { signal, replace, onBytes }: BackupOptions,
): Promise<DownloadedBackup> {
  const response = await stream({ method: 'GET', path: '/operator/backup', signal })
  const described = v.safeParse(header, response.headers.get('x-backup') ?? '')
  if (!response.body || !described.success)
    throw unexpectedResponse(response, 'the answer is no backup', 'operator token')

  const length = response.headers.get('content-length')
  // Undici counts the decoded bytes, and leaves the length of the encoded ones.
  if (length === null || response.headers.has('content-encoding')) {
    await response.body.cancel()
    throw unexpectedResponse(response, LENGTH_LOST, 'operator token')
  }
  const total = Number(length)
  let bytes = 0
  const file = await createPrivateFile(path, { replace })
  try {
    const body = Readable.fromWeb(response.body as ReadableStream)
    const write = async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) {
        bytes += chunk.length
        onBytes?.(bytes, total)
        await file.handle.writeFile(chunk)
      }
    }
    await pipeline(body, write, { signal })
    if (bytes !== total) {
      const message = `the backup broke off after ${bytes} of ${total} bytes`
      throw new ApiError({ code: 'unexpected_answer', status: response.status, message })
    }
    await file.commit()
  } catch (error) {
    throw signal.aborted ? new Cancelled() : error
  } finally {
    await file.discard()
  }
  return { ...described.output, bytes }
}
