import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { toNodeHandler } from 'srvx/node'
import { ERROR_STATUS } from '../../src/contract/errors.ts'
import type { Log } from '../deps.ts'
import { ApiError, validationFailed } from './api-error.ts'
import { commonHeaders, envelope } from './exchange.ts'
import { describeError } from './failure.ts'
import { requestIdOf } from './request-id.ts'

export interface ListenOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  log: Log
  /** For the envelopes of requests that Node's parser refuses. */
  docsUrl: () => string
  timeouts?: Partial<typeof TIMEOUTS>
}

export interface Listening {
  /** `http://host:port`, the port that was taken. */
  url: string
  /** Lets the requests in progress end, for at most `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>
}

/** Milliseconds. */
export const TIMEOUTS = {
  /** Until the headers are there. */
  headers: 15_000,
  /** Until the whole request is there; more than the routes give a body. */
  request: 60_000,
  /** A connection between two requests. More than the 60 s after which proxies drop theirs, so that they never meet. */
  keepAlive: 65_000,
  /** For a body that nobody reads any more: its sender may finish sending, to see the answer. */
  linger: 5_000,
  /** Between two looks at the first two. */
  check: 1_000,
}

/** A query by GET with every parameter at its longest, in three-byte letters, percent-encoded, is 170 KB. */
const MAX_HEADER_BYTES = 256 * 1024

/** Serves `fetch` on a socket. Requests that are no HTTP get the envelope as well, when one can still be written. */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  options: ListenOptions,
): Promise<Listening> {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const inProgress = new Set<ServerResponse>()
  let closing = false

  const handle = toNodeHandler(async (request: Request) => {
    try {
      return await fetch(request)
    } catch (error) {
      options.log.error({ error: describeError(error) }, 'request failed outside the routes')
      return failedResponse(options.docsUrl())
    }
  }) as (incoming: IncomingMessage, response: ServerResponse) => unknown

  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    inProgress.add(response)
    response.once('close', () => inProgress.delete(response))
    if (closing) response.shouldKeepAlive = false
    else letFinishSending(incoming, response, timeouts.linger)
    void handle(incoming, response)
  }

  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.check,
      maxHeaderSize: MAX_HEADER_BYTES,
      // A request without Host has a route all the same; Node's own refusal would have no envelope.
      requireHostHeader: false,
    },
    onRequest,
  )
  // An expectation other than 100-continue: Node's own 417 would have no envelope.
  server.on('checkExpectation', onRequest)
  server.on('clientError', (error, socket) => refuseMalformed(error, socket, inProgress, options))

  await started(server, options)
  return {
    url: urlOf(options.host, server.address() as AddressInfo),
    async close(graceMs) {
      closing = true
      const ended = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const response of inProgress) if (!response.headersSent) response.shouldKeepAlive = false
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await ended
      clearTimeout(timer)
    },
  }
}

function started(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function urlOf(host: string, { port }: AddressInfo): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/**
 * A request may be answered before its body was sent. Closing at once would make the kernel reset the connection, and
 * the client would lose the answer; keeping it open would let a body without end run on. So what still comes is thrown
 * away for a moment, and then the connection is cut.
 */
function letFinishSending(incoming: IncomingMessage, response: ServerResponse, lingerMs: number): void {
  const { headers, socket } = incoming
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return
  // Node closes right after the answer when the client asked for that; here it is done when the body has come.
  const closeAfterwards = !response.shouldKeepAlive
  response.shouldKeepAlive = true
  response.once('finish', () => {
    const finish = () => {
      if (closeAfterwards) socket.end()
    }
    if (incoming.complete) return finish()
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    incoming.once('end', finish).once('close', () => clearTimeout(timer))
    incoming.on('error', () => {}).resume()
  })
}

const answered = new WeakSet<Duplex>()

/** Answers what Node's parser refuses, or what took too long to arrive, if nothing was written on the connection yet. */
function refuseMalformed(
  error: Error & { code?: string },
  socket: Duplex,
  inProgress: ReadonlySet<ServerResponse>,
  options: ListenOptions,
): void {
  if (answered.has(socket)) return
  answered.add(socket)
  const half = [...inProgress].some((response) => (response.socket as Socket | null) === socket && response.headersSent)
  if (error.code === 'ECONNRESET' || !socket.writable || half) {
    socket.destroy()
    return
  }
  const refusal = validationFailed([{ path: '(request)', message: complaint(error.code) }])
  const requestId = requestIdOf(null)
  const status = ERROR_STATUS[refusal.code]
  options.log.info({ requestId, status, code: error.code }, 'malformed request')
  const body = JSON.stringify(envelope(refusal, requestId, options.docsUrl()))
  const headers = {
    ...commonHeaders(requestId),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), 1_000).unref()
}

function complaint(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return `has an address and headers of more than ${MAX_HEADER_BYTES / 1024} KiB`
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'did not arrive completely in time'
  return 'is not valid HTTP'
}

function failedResponse(docsUrl: string): Response {
  const requestId = requestIdOf(null)
  const refusal = new ApiError(
    'internal',
    `Something failed on the server. Its log has the cause under request ${requestId}.`,
  )
  return new Response(JSON.stringify(envelope(refusal, requestId, docsUrl)), {
    status: ERROR_STATUS[refusal.code],
    headers: { ...commonHeaders(requestId), 'content-type': 'application/json' },
  })
}
