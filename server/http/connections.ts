import { open } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { devNull } from 'node:os'
import { codeOf } from '../../src/contract/code-of.ts'
import type { Log } from '../deps.ts'
import { openFilesLimit } from '../process-limits.ts'

/**
 * Concurrent connections of a process. Each may occupy {@link MAX_HEADER_BYTES} before anything about it is known; at this
 * number that is 256 MB.
 */
export const MAX_CONNECTIONS = 1_000
/**
 * Leaves the process half of its file descriptors: the embedded database opens its files in the same process, and strangers
 * must not take them all.
 * @param limits the process limits that Linux reports; undefined elsewhere
 */
export function connectionLimit(limits: string | undefined): number {
  const descriptors = openFilesLimit(limits)
  if (descriptors === undefined) return MAX_CONNECTIONS
  return Math.max(1, Math.min(MAX_CONNECTIONS, Math.floor(descriptors / 2)))
}

/** Unanswered requests per connection. Browsers and proxies send the next one after the answer. */
export const MAX_PIPELINED_REQUESTS = 50
/** Above this share, idle connections are closed to make room for others. */
const CROWDED = 0.9
/** Minimum time between log lines about the same thing. */
const SILENT_MS = 60_000

/** Limits the connections of a server. Those beyond are closed unanswered, which is logged once a minute. */
export function limitConnections(server: Server, limit: number, log: Log): void {
  server.maxConnections = limit
  let open = 0
  let dropped = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  const closeIdle = watchIdle(server)
  server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
    if (open >= limit * CROWDED) closeIdle()
  })
  server.on('drop', () => {
    dropped++
    if (performance.now() - loggedAt < SILENT_MS) return
    loggedAt = performance.now()
    log.warn({ limit, dropped }, 'too many connections at once: those beyond the limit are closed unanswered')
    dropped = 0
  })
}

/**
 * Closes a connection that pipelines more requests than any real client: 64 KiB hold 1,500, whose answers the sender need not
 * read, and Node parses everything that has arrived.
 * @returns whether to handle a request
 */
export function limitPipelinedRequests(log: Log): (incoming: IncomingMessage, response: ServerResponse) => boolean {
  const waiting = new WeakMap<Socket, number>()
  return ({ socket }, response) => {
    // The rest of the same chunk.
    if (socket.destroyed) return false
    const count = (waiting.get(socket) ?? 0) + 1
    if (count > MAX_PIPELINED_REQUESTS) {
      log.info(
        { limit: MAX_PIPELINED_REQUESTS },
        'a connection was closed: it sent too many requests without waiting for answers',
      )
      socket.destroy()
      return false
    }
    waiting.set(socket, count)
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1))
    return true
  }
}

/**
 * Answers clients that end their side of the connection after the request, such as `nc -N`: that does not mean that they no
 * longer want the answer. A client that is gone looks the same until something is written to it, so a request whose answer
 * has not begun after `ms` is aborted.
 */
export function answerHalfClosed(server: Server, inProgress: ReadonlySet<ServerResponse>, ms: number): void {
  // Not documented, but in every version of Node. By default it drops such requests.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket) => {
    socket.once('end', () => {
      const unanswered = () => [...inProgress].filter(({ req, headersSent }) => req.socket === socket && !headersSent)
      const last = unanswered().at(-1)
      if (last) last.shouldKeepAlive = false
      const timer = setTimeout(() => unanswered().length > 0 && socket.destroy(), ms).unref()
      socket.once('close', () => clearTimeout(timer))
    })
  })
}

/**
 * Tracks idle connections. From 26.4 on, Node's own `closeIdleConnections` includes those that have not sent their first
 * request (nodejs/node#63470), and so would close new ones.
 * @returns a function that closes those that are idle now
 */
function watchIdle(server: Server): () => void {
  interface Connection {
    /** Requests without a complete answer; more than one with pipelining. */
    inProgress: number
    /** Bytes received when the last answer was complete; undefined before. */
    answeredAt: number | undefined
  }
  const connections = new Map<Socket, Connection>()
  server.on('connection', (socket) => {
    connections.set(socket, { inProgress: 0, answeredAt: undefined })
    socket.once('close', () => connections.delete(socket))
  })
  const watch = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket)
    if (!connection) return
    connection.inProgress++
    response.once('close', () => {
      connection.inProgress--
      connection.answeredAt = socket.bytesRead
    })
  }
  server.on('request', watch).on('checkContinue', watch).on('checkExpectation', watch)
  return () => {
    for (const [socket, { inProgress, answeredAt }] of connections) {
      if (inProgress === 0 && socket.bytesRead === answeredAt) socket.destroy()
    }
  }
}

const OUT_OF_DESCRIPTORS =
  'no file descriptor is left: new connections are closed unanswered. Allow this process more (ulimit -n, LimitNOFILE), or find who holds so many'

export interface DescriptorOptions {
  /** Milliseconds between checks. */
  everyMs: number
  /** Opens and closes something; rejects with the system's error code. */
  probe?: () => Promise<void>
}

/**
 * Logs when the process runs out of file descriptors. Node then accepts and closes connections without any event, so this can
 * only be polled.
 * @returns stops the checks
 */
export function watchDescriptors(log: Log, { everyMs, probe = openAnything }: DescriptorOptions): () => void {
  let missing = false
  let loggedAt = Number.NEGATIVE_INFINITY
  const look = async () => {
    const code = await probe().then(() => undefined, codeOf)
    const out = code === 'EMFILE' || code === 'ENFILE'
    if (out && performance.now() - loggedAt >= SILENT_MS) {
      loggedAt = performance.now()
      log.error({ code }, OUT_OF_DESCRIPTORS)
    }
    if (missing && !out) {
      loggedAt = Number.NEGATIVE_INFINITY
      log.info({}, 'there are file descriptors again')
    }
    missing = out
  }
  const timer = setInterval(() => void look(), everyMs).unref()
  return () => clearInterval(timer)
}

async function openAnything(): Promise<void> {
  const file = await open(devNull)
  await file.close()
}
