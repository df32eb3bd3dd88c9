import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { toNodeHandler } from 'srvx/node'
import { describeError } from '../describe-error.ts'
import { readProcessLimits } from '../process-limits.ts'
import { announcesBody } from './body.ts'
import {
  answerHalfClosed,
  connectionLimit,
  limitConnections,
  limitPipelinedRequests,
  watchDescriptors,
} from './connections.ts'
import { rawErrorResponse } from './error-envelope.ts'
import {
  findRequestError,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  noteEarlyAnswer,
  type RejectOptions,
  rejectMalformed,
  rejectRequest,
  rejectTunnel,
  replaceInvalidHost,
} from './malformed.ts'
import { reachableUrl } from './reachable-url.ts'
import { requestIdOf } from './request-context.ts'
import { toApiError } from './to-api-error.ts'

export interface ListenOptions extends RejectOptions {
  host: string
  /** 0 for any free port. */
  port: number
  timeouts?: Partial<typeof TIMEOUTS>
  /** Concurrent connections; default: what the process limits allow, at most 1,000. */
  maxConnections?: number
}

export type Listening = Awaited<ReturnType<typeof listen>>

/** Milliseconds. */
export const TIMEOUTS = {
  /** Until the headers are complete. */
  headers: 15_000,
  /** Until the whole request is complete; longer than routes allow for a body. */
  request: 60_000,
  /**
   * Idle time of a connection. Longer than the 60 s of proxies and the 90 s of Go's clients: a client that sends a POST while
   * the connection is being closed cannot know whether it was carried out, and fails.
   */
  keepAlive: 95_000,
  /** How long a client may read nothing of its response: otherwise strangers could hold all connections by not reading. */
  stalled: 60_000,
  /** For a body that is no longer read: its sender may finish sending, to see the response. */
  linger: 5_000,
  /** How long a request is still worked on after its client's last byte: it may wait for the answer, or be gone. */
  halfClosed: 5_000,
  /** Interval of checking the first two, and the file descriptors. */
  check: 1_000,
}

/** Serves `fetch` on a socket. Invalid HTTP gets the envelope as well, if it can still be written. */
export async function listen(fetch: (request: Request) => Response | Promise<Response>, options: ListenOptions) {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const inProgress = new Set<ServerResponse>()
  const mayBegin = limitPipelinedRequests(options.log)
  let closing = false

  const handle = toNodeHandler(async (request: Request) => {
    try {
      return await fetch(request)
    } catch (error) {
      const requestId = requestIdOf(null)
      options.log.error({ requestId, error: describeError(error) }, 'request failed outside the routes')
      const { body, ...answer } = rawErrorResponse(toApiError(error, requestId), requestId, options.docsUrl())
      return new Response(body, answer)
    }
  }) as (incoming: IncomingMessage, response: ServerResponse) => unknown

  const onRequest = (incoming: IncomingMessage, response: ServerResponse, waitsForContinue = false) => {
    if (!mayBegin(incoming, response)) return
    inProgress.add(response)
    response.once('close', () => {
      inProgress.delete(response)
      // Its headers may have promised keep-alive, and nothing else would close the connection before the grace period ends.
      if (closing) setImmediate(() => server.closeIdleConnections())
    })
    if (closing) response.shouldKeepAlive = false
    else if (announcesBody(incoming))
      (waitsForContinue ? lingerUnlessContinued : drainBody)(incoming, response, timeouts.linger)
    replaceInvalidHost(incoming)
    const complaint = findRequestError(incoming)
    if (complaint !== undefined) rejectRequest(response, complaint, options)
    else void handle(incoming, response)
  }

  const server = createServer(
    {
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: timeouts.check,
      maxHeaderSize: MAX_HEADER_BYTES,
      // A request without Host still has a route; Node's own error would lack the envelope.
      requireHostHeader: false,
    },
    (incoming, response) => onRequest(incoming, response),
  )
  // An expectation other than 100-continue: Node's own 417 would lack the envelope.
  server.on('checkExpectation', (incoming, response) => onRequest(incoming, response))
  // The reader of the body sends `100 Continue`, after every check that does not need the body.
  server.on('checkContinue', (incoming, response) => onRequest(incoming, response, true))
  // Node reports the loss of a connection only to the response of the first pipelined request: the others would be retained
  // forever, with their bodies.
  server.on('connection', (socket) => {
    socket.once('close', () => {
      for (const response of inProgress) if (response.req.socket === socket) inProgress.delete(response)
    })
  })
  // A listener for this event must close silent connections itself, idle ones included, as Node would; those have their own
  // timeout.
  server.setTimeout(timeouts.stalled, (socket) => {
    const isWorkedOn = [...inProgress].some((response) => response.req.socket === socket)
    if (socket.writableLength > 0 || !isWorkedOn) socket.destroy()
  })
  answerHalfClosed(server, inProgress, timeouts.halfClosed)
  server.on('clientError', (error, socket) => rejectMalformed(error, socket, inProgress, options))
  // Without a listener Node closes such a connection, and the requests before it that are still worked on get no answer.
  server.on('connect', (_incoming, socket) => rejectTunnel(socket, inProgress, options))
  // One more than allowed, so that an excess can be detected.
  server.maxHeadersCount = MAX_HEADERS + 1
  limitConnections(server, options.maxConnections ?? connectionLimit(readProcessLimits()), options.log)

  server.listen(options.port, options.host)
  await once(server, 'listening')
  server.on('error', (error) => options.log.error({ error: describeError(error) }, 'a connection was not accepted'))
  const unwatch = watchDescriptors(options.log, { everyMs: timeouts.check })
  return {
    /** `http://host:port` with the actual port. */
    url: reachableUrl(options.host, (server.address() as AddressInfo).port),
    /** Lets requests in progress finish for at most `graceMs`, then cuts the rest. */
    async close(graceMs: number) {
      closing = true
      unwatch()
      const ended = once(server.close(), 'close')
      for (const response of inProgress) if (!response.headersSent) response.shouldKeepAlive = false
      server.closeIdleConnections()
      const timer = setTimeout(() => {
        // Each is logged as if its client had disconnected.
        if (inProgress.size > 0)
          options.log.warn({ requests: inProgress.size }, 'stopping: cuts requests that take longer')
        server.closeAllConnections()
      }, graceMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/**
 * A request may be answered before its body was sent. Closing at once would make the kernel reset the connection, and the
 * client would lose the response; keeping it open would allow an endless body. So incoming data is discarded for a moment,
 * and then the connection is cut.
 */
function drainBody(incoming: IncomingMessage, response: ServerResponse, lingerMs: number): void {
  const { socket } = incoming
  let answered = false
  let closes = false
  // Where the connection is to be closed, Node does it right after the answer; here it is done when the body has come.
  const destroySoon = () => {
    if (answered) Socket.prototype.destroySoon.call(socket)
    else closes = true
  }
  socket.destroySoon = destroySoon
  const { writeHead } = response
  response.writeHead = (...given: unknown[]) => {
    // Java's client takes the answer for the end of its request, and sends the next one into the body that was announced.
    if (!incoming.complete) response.shouldKeepAlive = false
    return Reflect.apply(writeHead, response, given)
  }
  response.once('finish', () => {
    answered = true
    const finish = () => {
      // Not one upon the other, request by request: ten thousand of them were more than the stack holds.
      if (socket.destroySoon === destroySoon) Reflect.deleteProperty(socket, 'destroySoon')
      if (closes) endGently(socket, lingerMs)
    }
    if (incoming.complete) return finish()
    noteEarlyAnswer(socket)
    // Nothing is kept from ending by it: a socket that is still there does that itself.
    const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
    incoming.once('end', finish).once('close', () => clearTimeout(timer))
    incoming.on('error', () => {}).resume()
  })
}

/** The other direction stays open for a moment, for a client that is still sending: a reset would lose it the answer. */
function endGently(socket: Socket, lingerMs: number): void {
  socket.end()
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(timer))
}

/**
 * A client that asked whether to send its body, and got its answer instead, may send it or not: Node closes the connection,
 * which leaves no doubt about what the next bytes are.
 */
function lingerUnlessContinued(incoming: IncomingMessage, response: ServerResponse, lingerMs: number): void {
  const { socket } = incoming
  const { writeContinue } = response
  socket.destroySoon = () => endGently(socket, lingerMs)
  response.writeContinue = (...given) => {
    drainBody(incoming, response, lingerMs)
    writeContinue.apply(response, given)
  }
}
