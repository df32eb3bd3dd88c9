import { readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Server } from 'node:http'
import { devNull } from 'node:os'
import { codeOf } from '../../src/contract/code-of.ts'
import type { Log } from '../deps.ts'

/**
 * Connections to one process at once. Each may hold {@link MAX_HEADER_BYTES} before anything of it is known; at this
 * number that is 256 MB.
 */
export const MAX_CONNECTIONS = 1_000
/**
 * As many connections as leave the process half of its file descriptors: the embedded database opens its files in the same
 * process, and strangers must not take them from it.
 *
 * @param limits what Linux tells of a process's limits; undefined elsewhere
 */
export function connectionLimit(limits: string | undefined): number {
  const descriptors = /^Max open files\s+(\d+)/m.exec(limits ?? '')?.[1]
  if (descriptors === undefined) return MAX_CONNECTIONS
  return Math.max(1, Math.min(MAX_CONNECTIONS, Math.floor(Number(descriptors) / 2)))
}

/** The limits of this process, on Linux. */
export function readProcessLimits(): string | undefined {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return undefined
  }
}

/** From this share on, connections between two requests are closed, to make room for those with one. */
const CROWDED = 0.9
/** Between two lines in the log about the same thing. */
const SILENT_MS = 60_000

/** Limits the connections of a server. Those beyond are closed unanswered, which the log tells once a minute. */
export function limitConnections(server: Server, limit: number, log: Log): void {
  server.maxConnections = limit
  let open = 0
  let dropped = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  server.on('connection', (socket) => {
    open++
    socket.once('close', () => open--)
    if (open >= limit * CROWDED) server.closeIdleConnections()
  })
  server.on('drop', () => {
    dropped++
    if (performance.now() - loggedAt < SILENT_MS) return
    loggedAt = performance.now()
    log.warn({ limit, dropped }, 'too many connections at once: those beyond the limit are closed unanswered')
    dropped = 0
  })
}

const OUT_OF_DESCRIPTORS =
  'no file descriptor is left: new connections are closed unanswered. Allow this process more (ulimit -n, LimitNOFILE), or find who holds so many'

export interface DescriptorOptions {
  /** Milliseconds between two looks. */
  everyMs: number
  /** Opens and closes something; rejects with the system's error code. */
  probe?: () => Promise<void>
}

/**
 * Tells the log when the process has no file descriptor left. Connections are then accepted and closed by Node without
 * any event, so that a look now and then is all there is.
 *
 * @returns ends the looking
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
