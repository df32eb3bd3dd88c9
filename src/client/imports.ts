import * as v from 'valibot'
import { ERROR_STATUS, type ErrorCode } from '../contract/errors.ts'
import {
  type ImportProgress,
  type ImportResponse,
  importProgress,
  importResponse,
  PROGRESS_MEDIA_TYPE,
} from '../contract/import.ts'
import { DEFAULT_RETRY, type Fetch, type RetryPolicy, sleepSeconds } from './call.ts'
import { ApiError, Cancelled, ConnectionFailed } from './errors.ts'

export interface Upload {
  fileName: string
  /** A function is called for each try, so that nothing here holds a large file while the server imports it. */
  bytes: Uint8Array | (() => Promise<Uint8Array>)
  /** A mapping as the server takes it. */
  mapping: object
  dryRun: boolean
}

/** A client of the server's own import route. Its methods throw what the client of `/v1` throws. */
export interface ImportClient {
  /** @param signal ends the import between two batches; sending the file again continues it */
  upload(
    upload: Upload,
    options?: { onProgress?: (progress: ImportProgress) => void; signal?: AbortSignal },
  ): Promise<ImportResponse>
  /** @param path `errors_csv` of an answer */
  errorsCsv(path: string): Promise<Uint8Array>
}

const envelope = v.looseObject({
  error: v.looseObject({
    code: v.picklist(Object.keys(ERROR_STATUS) as ErrorCode[]),
    message: v.string(),
    request_id: v.optional(v.string()),
    details: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
  }),
})
const lastLine = v.object({ result: importResponse })

export function createImportClient(deps: {
  fetch: Fetch
  baseUrl: string
  key: string
  retry?: RetryPolicy
}): ImportClient {
  const retry = deps.retry ?? DEFAULT_RETRY
  const authorization = `Bearer ${deps.key}`

  async function send(path: string, { read, ...init }: Call): Promise<Response> {
    const body = read && (await read())
    let response: Response
    try {
      response = await deps.fetch(new Request(`${deps.baseUrl}${path}`, body ? { ...init, body } : init))
    } catch (error) {
      if (init.signal?.aborted) throw new Cancelled()
      throw new ConnectionFailed(deps.baseUrl, { cause: error })
    }
    if (response.ok) return response
    throw refusal(response, await response.text().catch(() => ''))
  }

  /** Tries again while nothing has begun: the rate limit, a server that starts, a connection that was refused. */
  async function sendPatiently(path: string, init: Call): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(path, init)
      } catch (error) {
        const wait = attempt < retry.attempts ? waitSeconds(error, attempt) : undefined
        if (wait === undefined || wait.seconds > retry.longestWaitSeconds) throw error
        retry.onWait?.({ ...wait, attempt, attempts: retry.attempts })
        await (retry.sleep ?? sleepSeconds)(wait.seconds, init.signal ?? undefined)
        if (init.signal?.aborted) throw new Cancelled()
      }
    }
  }

  return {
    async upload({ fileName, bytes, mapping, dryRun }, { onProgress, signal } = {}) {
      const query = new URLSearchParams({
        file_name: fileName.slice(-255),
        mapping: JSON.stringify(mapping),
        dry_run: String(dryRun),
      })
      const response = await sendPatiently(`/imports?${query}`, {
        method: 'POST',
        headers: { authorization, accept: PROGRESS_MEDIA_TYPE, 'content-type': 'application/octet-stream' },
        read: async () => plain(typeof bytes === 'function' ? await bytes() : bytes),
        ...(signal ? { signal } : {}),
      })
      return readAnswer(response, deps.baseUrl, onProgress ?? (() => {}), signal)
    },
    async errorsCsv(path) {
      const response = await sendPatiently(path, { method: 'GET', headers: { authorization } })
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}

type Call = RequestInit & { headers: Record<string, string>; read?: () => Promise<Uint8Array<ArrayBuffer>> }

function plain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
}

async function readAnswer(
  response: Response,
  baseUrl: string,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal | undefined,
): Promise<ImportResponse> {
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
  const checked = v.safeParse(lastLine, last)
  if (checked.success) return checked.output.result
  throw refusal(response, JSON.stringify(last))
}

async function* linesOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<unknown> {
  const reader = response.body?.getReader()
  if (!reader) return
  // In one process nothing but this tells the server that nobody listens any more.
  const cancel = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel, { once: true })
  if (signal?.aborted) cancel()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const lines = (rest + decoder.decode(chunk.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line)
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

function refusal(response: Response, text: string): ApiError {
  const retryAfter = response.headers.get('retry-after')
  const common = {
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
  }
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), envelope), text)
  const requestId = response.headers.get('x-request-id') ?? undefined
  if (!checked.success) {
    const message = `the server answered ${response.status} without an error envelope`
    return new ApiError({ ...common, code: 'unexpected_answer', status: response.status, message, requestId })
  }
  const { code, message, request_id, details } = checked.output.error
  return new ApiError({
    ...common,
    code,
    message,
    details,
    status: ERROR_STATUS[code],
    requestId: request_id ?? requestId,
  })
}

function waitSeconds(error: unknown, attempt: number) {
  const backoff = 2 ** (attempt - 1)
  if (error instanceof ConnectionFailed) return { reason: 'connection_failed' as const, seconds: backoff }
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'rate_limited')
    return { reason: 'rate_limited' as const, seconds: error.retryAfterSeconds ?? backoff }
  if (error.status !== 503) return undefined
  return { reason: 'service_unavailable' as const, seconds: Math.max(error.retryAfterSeconds ?? 1, backoff) }
}
