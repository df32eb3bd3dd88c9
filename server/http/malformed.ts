import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { parseUrl } from '../../src/contract/parse-url.ts'
import type { Log } from '../deps.ts'
import { validationFailed } from './api-error.ts'
import { rawErrorResponse } from './error-envelope.ts'
import { requestIdOf } from './request-context.ts'

/** A GET query with every parameter at its maximum, in three-byte letters, percent-encoded, is 170 KB. */
export const MAX_HEADER_BYTES = 256 * 1024
/** A browser behind three proxies sends forty. Beyond its own limit Node would drop headers silently. */
export const MAX_HEADERS = 200

export interface RejectOptions {
  log: Log
  /** For the envelopes of requests that Node's parser rejects. */
  docsUrl: () => string
}

/** Why a request that Node's parser accepted must be rejected; undefined if it need not be. */
export function findRequestError({ rawHeaders, url = '' }: IncomingMessage): string | undefined {
  if (rawHeaders.length / 2 > MAX_HEADERS) return `has more than ${MAX_HEADERS} headers`
  // With several, a proxy and this server may each use a different one (RFC 9112, section 3.2).
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host')
  if (hosts.length > 1) return 'has more than one Host header'
  if (/^https?:\/\//i.test(url) && !parseUrl(url)) return 'has an address that is no URL'
  return undefined
}

/**
 * Replaces a host that is not valid in a URL, such as one with a port beyond 65535. Every route answers whatever `Host` says,
 * but the request's URL is built from it, and some are parsed before any route is reached.
 */
export function replaceInvalidHost({ headers }: IncomingMessage): void {
  if (headers.host && !parseUrl(`http://${headers.host}`)) headers.host = '_invalid_'
}

/** Answers a request that was parsed as HTTP but is invalid, and closes its connection. */
export function rejectRequest(response: ServerResponse, complaint: string, options: RejectOptions): void {
  const { status, headers, body } = rejection(complaint, undefined, options)
  response.shouldKeepAlive = false
  response.writeHead(status, headers)
  response.end(body)
}

const answered = new WeakSet<Duplex>()
/** With a request that was answered before it had arrived. What comes after is its rest, which needs no second answer. */
const answeredEarly = new WeakSet<Duplex>()

export function noteEarlyAnswer(socket: Duplex): void {
  answeredEarly.add(socket)
}

/**
 * Answers what Node's parser rejects, or what took too long to arrive, if nothing was written on the connection yet. Behind
 * complete requests that are still worked on it would be taken for their answer: those are answered, and nothing else.
 */
export function rejectMalformed(
  error: Error & { code?: string },
  socket: Duplex,
  inProgress: ReadonlySet<ServerResponse>,
  options: RejectOptions,
): void {
  if (answered.has(socket)) return
  answered.add(socket)
  const before = [...inProgress].filter(({ req }) => req.socket === socket)
  const last = before.findLast(({ req }) => req.complete)
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  if (answeredEarly.has(socket)) {
    endSoon(socket)
    return
  }
  if (last) {
    last.shouldKeepAlive = false
    last.once('finish', () => endSoon(socket))
    return
  }
  if (before.some(({ headersSent }) => headersSent)) {
    socket.destroy()
    return
  }
  const { status, headers, body } = rejection(parserErrorMessage(error.code), error.code, options)
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  endSoon(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** Answers CONNECT. Node has let go of its connection by then, and watches it for nothing any more. */
export function rejectTunnel(socket: Duplex, inProgress: ReadonlySet<ServerResponse>, options: RejectOptions): void {
  socket.on('error', () => socket.destroy()).resume()
  rejectMalformed(Object.assign(new Error('a tunnel'), { code: 'CONNECT' }), socket, inProgress, options)
}

function endSoon(socket: Duplex, lastWords = ''): void {
  socket.end(lastWords)
  setTimeout(() => socket.destroy(), 1_000).unref()
}

/** Logs the rejection and returns its response in the contract's form. */
function rejection(complaint: string, code: string | undefined, { log, docsUrl }: RejectOptions) {
  const error = validationFailed([{ path: '(request)', message: complaint }])
  const requestId = requestIdOf(null)
  const response = rawErrorResponse(error, requestId, docsUrl())
  log.info({ requestId, status: response.status, complaint, code }, 'malformed request')
  return response
}

const ADDRESS = 'has letters beyond ASCII or spaces in its address, which must be escaped (%20)'

/** By the parser's code. */
const COMPLAINTS: Partial<Record<string, string>> = {
  // Node 24 counts headers here too.
  HPE_HEADER_OVERFLOW: `has an address and headers of more than ${MAX_HEADER_BYTES / 1024} KiB, or more than ${MAX_HEADERS} headers`,
  HPE_INVALID_URL: ADDRESS,
  // Behind a space it expects "HTTP/".
  HPE_INVALID_CONSTANT: ADDRESS,
  HPE_PAUSED_H2_UPGRADE: 'is HTTP/2, which needs a proxy in front of this server',
  CONNECT: 'asks for a tunnel (CONNECT), and this server is no proxy',
  ERR_HTTP_REQUEST_TIMEOUT: 'did not arrive completely in time',
}

function parserErrorMessage(code = ''): string {
  return COMPLAINTS[code] ?? 'is not valid HTTP'
}
