import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { toNodeHandler } from 'srvx/node'
import { describeError } from '../describe-error.ts'
import { readProcessLimits } from '../process-limits.ts'
import { announcesBody } from './body.ts'
import { connectionLimit, limitConnections, limitPipelinedRequests, watchDescriptors } from './connections.ts'
import { rawErrorResponse } from './error-envelope.ts'
import {
  findRequestError,
  MAX_HEADER_BYTES,
  MAX_HEADERS,
  type RejectOptions,
  rejectMalformed,
  rejectRequest,
  replaceInvalidHost,
} from './malformed.ts'
import { requestIdOf } from './request-context.ts'
import { toApiError } from './to-api-error.ts'

export interface ListenOptions extends RejectOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  timeouts?: Partial<typeof TIMEOUTS>
  /** At once; what the process's limits allow, 1,000 at most, unless set. */
  maxConnections?: number
}

export type Listening = Awaited<ReturnType<typeof listen>>

/** Milliseconds. */
export const TIMEOUTS = {
  /** Until the headers are there. */
  headers: 15_000,
  /** Until the whole request is there; more than the routes give a body. */
  request: 60_000,
  /**
   * A connection between two requests. More than the 60 s after which proxies drop theirs, and the 90 s of Go's clients: one
   * that sends a POST while the connection is being closed does not know whether it was carried out, and fails.
   */
  keepAlive: 95_000,
  /** In which a client takes nothing of its answer: without an end, strangers would hold all connections by reading nothing. */
  stalled: 60_000,
  /** For a body that is no longer read: its sender may finish sending, to see the answer. */
  linger: 5_000,
  /** Between two looks at the first two, and at the file descriptors. */
  check: 1_000,
}

/** Serves `fetch` on a socket. Requests that are no HTTP get the envelope as well, when one can still be written. */
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
      // Its headers may have promised to keep the connection, which nothing would close before the grace ends.
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
      // A request without Host still has a route; Node's own error would have no envelope.
      requireHostHeader: false,
    },
    (incoming, response) => onRequest(incoming, response),
  )
  // An expectation other than 100-continue: Node's own 417 would have no envelope.
  server.on('checkExpectation', (incoming, response) => onRequest(incoming, response))
  // `100 Continue` is sent by whoever reads the body, after every check that does not need it.
  server.on('checkContinue', (incoming, response) => onRequest(incoming, response, true))
  // Of requests that were sent at once, Node tells the end of a lost connection only to the first one's response: the others
  // would be kept for good, with their bodies.
  server.on('connection', (socket) => {
    socket.once('close', () => {
      for (const response of inProgress) if (response.req.socket === socket) inProgress.delete(response)
    })
  })
  // Whoever hears of a silent connection has to end it, as Node would: also one between two requests, which has its own time.
  server.setTimeout(timeouts.stalled, (socket) => {
    const isWorkedOn = [...inProgress].some((response) => response.req.socket === socket)
    if (socket.writableLength > 0 || !isWorkedOn) socket.destroy()
  })
  server.on('clientError', (error, socket) => rejectMalformed(error, socket, inProgress, options))
  // One more than is let through, so that one too many shows.
  server.maxHeadersCount = MAX_HEADERS + 1
  limitConnections(server, options.maxConnections ?? connectionLimit(readProcessLimits()), options.log)

  server.listen(options.port, options.host)
  await once(server, 'listening')
  server.on('error', (error) => options.log.error({ error: describeError(error) }, 'a connection was not accepted'))
  const unwatch = watchDescriptors(options.log, { everyMs: timeouts.check })
  return {
    /** `http://host:port`, the port that was taken. */
    url: urlOf(options.host, server.address() as AddressInfo),
    /** Lets the requests in progress end, for at most `graceMs`, then cuts what is left. */
    async close(graceMs: number) {
      closing = true
      unwatch()
      const ended = once(server.close(), 'close')
      for (const response of inProgress) if (!response.headersSent) response.shouldKeepAlive = false
      server.closeIdleConnections()
      const timer = setTimeout(() => {
        // Each is logged as if its client had gone away.
        if (inProgress.size > 0)
          options.log.warn({ requests: inProgress.size }, 'stopping: cuts requests that take longer')
        server.closeAllConnections()
      }, graceMs)
      await ended
      clearTimeout(timer)
    },
  }
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
  response.once('finish', () => {
    answered = true
    const finish = () => {
      // Not one upon the other, request by request: ten thousand of them were more than the stack holds.
      if (socket.destroySoon === destroySoon) Reflect.deleteProperty(socket, 'destroySoon')
      if (closes) endGently(socket, lingerMs)
    }
    if (incoming.complete) return finish()
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
