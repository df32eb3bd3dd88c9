import { type IncomingMessage, request as send } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import type { BufferedRequest, BufferedResponse, Fetch } from './fetch.ts'

/** As long as Node's own `fetch` waits for the next byte. */
const SILENCE_MS = 300_000

/**
 * `fetch` for a server on this machine, based on `node:http`. Node's own compiles an HTTP parser on its first call, and
 * `Request` and `Response` alone load 0.02 s of code, which {@link sendBuffered} avoids for JSON. One connection per
 * request, so that none keeps the process alive; no redirects, no compression.
 *
 * @param request a JSON body is sent with its length, any other is streamed
 * @throws the reason of the request's signal, or Node's connection error
 */
export const localFetch: Fetch & { buffered: NonNullable<Fetch['buffered']> } = Object.assign(sendStreamed, {
  buffered: sendBuffered,
})

async function sendStreamed(request: Request): Promise<Response> {
  const headers = Object.fromEntries(request.headers)
  const isJson = isJsonType(headers['content-type'])
  const whole = isJson && request.body ? Buffer.from(await request.arrayBuffer()) : undefined
  const body = request.body && !whole ? Readable.fromWeb(request.body as ReadableStream) : whole
  const message = await sendOnce({ method: request.method, url: request.url, headers, signal: request.signal }, body)
  return toResponse(message, request)
}

async function sendBuffered(request: BufferedRequest): Promise<BufferedResponse> {
  const message = await sendOnce(request, request.body)
  const bytes = await readAll(message, request.signal)
  const { statusCode: status = 500 } = message
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name) => headerOf(message, name) },
    text: async () => bytes.toString('utf8'),
  }
}

/** @param body bytes or text are sent with their length, a stream is piped */
function sendOnce(
  { method, url, headers, signal }: Omit<BufferedRequest, 'body'>,
  body: Buffer | string | Readable | undefined,
): Promise<IncomingMessage> {
  const options = { method, headers, agent: false, timeout: SILENCE_MS, signal }
  return new Promise((resolve, reject) => {
    const sent = send(url, options, resolve)
    sent.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
    sent.on('timeout', () => sent.destroy(new Error(`no answer for ${SILENCE_MS / 1000} s`)))
    if (!(body instanceof Readable)) {
      sent.end(body)
      return
    }
    body.on('error', (error) => sent.destroy(error))
    // A server that rejects the request responds before reading all of it.
    sent.on('close', () => body.destroy())
    body.pipe(sent)
  })
}

async function readAll(message: IncomingMessage, signal: AbortSignal | undefined): Promise<Buffer> {
  return buffer(message).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error
  })
}

async function toResponse(message: IncomingMessage, request: Request): Promise<Response> {
  const { statusCode: status = 500, rawHeaders } = message
  const headers = new Headers()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  if (status === 204 || status === 304 || request.method === 'HEAD') {
    message.resume()
    return new Response(null, { status, headers })
  }
  // JSON is read whole anyway; Node's web streams would load for another 0.01 s.
  if (!isJsonType(headers.get('content-type') ?? undefined)) {
    return new Response(Readable.toWeb(message), { status, headers })
  }
  return new Response(await readAll(message, request.signal), { status, headers })
}

function headerOf(message: IncomingMessage, name: string): string | null {
  const value = message.headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : (value ?? null)
}

function isJsonType(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim() === 'application/json'
}
