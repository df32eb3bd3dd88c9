import type { IncomingMessage } from 'node:http'
import type { ServerRequest } from 'srvx'
import { ApiError, validationFailed } from './api-error.ts'
import type { BodyRule } from './body-rule.ts'
import { bodyMemoryExhausted } from './byte-budget.ts'

const JSON_ONLY = ['application/json'] as const
export const BODY_TIMEOUT_MS = 30_000

/**
 * Checks a request's body before a byte is read: its type and its declared length.
 *
 * srvx's `limitRequestBody`, on which h3's `bodyLimit` is built, would limit the size alone: it supports neither the memory
 * shared by all bodies nor a timeout. Eight concurrent uploads of 10 MiB took 307 MB with it and 270 MB here, and half as
 * much processor time again (48 of them: 1.4 to 1.6 s against 0.8 to 1.0 s).
 * @param rule undefined on a route without a body: then only checks whether there is one
 * @returns undefined without a body; `'unexpected'` when there is one and the route takes none
 * @throws {ApiError} `unsupported_media_type`, `payload_too_large`
 */
export async function announcedBody(
  request: ServerRequest,
  rule: Pick<BodyRule<unknown>, 'maxBytes' | 'mediaTypes'> | undefined,
) {
  const source = await sourceOf(request)
  if (source === undefined) return undefined
  checkMediaType(request.headers.get('content-type'), rule?.mediaTypes ?? JSON_ONLY)
  if (rule === undefined) return 'unexpected' as const
  const { maxBytes } = rule
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > maxBytes) throw tooLarge(maxBytes)
  return {
    /**
     * Reads a body that passed those checks.
     * @param hold called with the number of bytes as they arrive; false stops reading
     * @returns undefined when it turns out to be empty
     * @throws {ApiError} `payload_too_large`, `service_unavailable` when `hold` has no room, or `validation_failed` when it
     * never ends
     */
    async read(hold: (bytes: number) => boolean, timeoutMs = BODY_TIMEOUT_MS): Promise<Uint8Array | undefined> {
      sendContinue(request)
      let inTime = true
      const take = (bytes: number) => inTime && hold(bytes)
      const outcome = await within(timeoutMs, receive(source, maxBytes, take))
      // Anything that arrives after the response would never be released.
      inTime = false
      if (outcome === 'too large') throw tooLarge(maxBytes)
      if (outcome === 'no room') throw bodyMemoryExhausted()
      if (outcome === 'too slow') throw incomplete(`did not arrive within ${timeoutMs / 1000} seconds`)
      if (outcome === 'broken off') throw incomplete('broke off before its end')
      return outcome.byteLength === 0 ? undefined : outcome
    },
  }
}

/** A client may wait for `100 Continue` before it sends its body (RFC 9110, section 10.1.1). */
function sendContinue(request: ServerRequest): void {
  const node = request.runtime?.node
  if (!node?.res || !('writeContinue' in node.res) || node.req.httpVersion !== '1.1') return
  if (node.req.headers.expect?.trim().toLowerCase() === '100-continue') node.res.writeContinue()
}

type Outcome = Uint8Array | 'too large' | 'too slow' | 'broken off' | 'no room'

/** Over a socket, headers announce the body (RFC 9112, section 6); a Request made in this process contains it. */
async function sourceOf(request: ServerRequest): Promise<IncomingMessage | Uint8Array | undefined> {
  const incoming = request.runtime?.node?.req
  if (incoming && 'httpVersionMajor' in incoming) {
    return announcesBody(incoming) ? (incoming as IncomingMessage) : undefined
  }
  if (request.body === null) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of request.body) chunks.push(chunk)
  // A body made from bytes is one chunk: avoids a second copy of a large file.
  const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  return whole.byteLength === 0 ? undefined : whole
}

export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

async function receive(
  source: IncomingMessage | Uint8Array,
  maxBytes: number,
  hold: (bytes: number) => boolean,
): Promise<Outcome> {
  if (!(source instanceof Uint8Array)) return receiveFromSocket(source, maxBytes, hold)
  if (source.byteLength > maxBytes) return 'too large'
  return hold(source.byteLength) ? source : 'no room'
}

function receiveFromSocket(
  incoming: IncomingMessage,
  maxBytes: number,
  hold: (bytes: number) => boolean,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (outcome: Outcome) => {
      incoming.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
      // An error without a listener would end the process; whatever still arrives is discarded.
      incoming.on('error', () => {}).resume()
      resolve(outcome)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > maxBytes) end('too large')
      else if (!hold(chunk.byteLength)) end('no room')
      else chunks.push(chunk)
    }
    const onEnd = () => end(Buffer.concat(chunks, size))
    const onBroken = () => end('broken off')
    if (incoming.readableEnded || incoming.destroyed) return end('broken off')
    incoming.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  })
}

function within(ms: number, work: Promise<Outcome>): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('too slow'), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function checkMediaType(header: string | null, allowed: readonly string[]): void {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== undefined && allowed.includes(type)) return
  const message = `A request with a body needs Content-Type: ${allowed.join(' or ')}; ${sentType(header, type)}.`
  throw new ApiError('unsupported_media_type', message)
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,60}\/[\w!#$&^.+-]{1,60}$/

/** Many clients set a default type, so the message names the one that was sent. */
function sentType(header: string | null, type = ''): string {
  if (header === null) return 'none was sent'
  if (header.includes(',')) return 'two were sent'
  if (!MEDIA_TYPE.test(type)) return 'another was sent'
  return type === 'multipart/form-data'
    ? 'a form was sent: send the JSON or the file itself as the body'
    : `${type} was sent`
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body is larger than the ${maxBytes / 1024} KiB that this route takes.`)
}

function incomplete(message: string): ApiError {
  return validationFailed([{ path: '(body)', message }])
}
