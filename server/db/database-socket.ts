import { Socket } from 'node:net'
import { CodedError } from '../../src/contract/code-of.ts'

/** First bytes of what is sent before a session is ready: lengths (of the start-up message, of the request for TLS), and a password. */
const BEFORE_READY = new Set([0, 'p'.charCodeAt(0)])

/** The other side closed the connection in good order, but before the session was ready. */
class ClosedBeforeReady extends CodedError<'CONNECTION_CLOSED'> {
  constructor() {
    super('CONNECTION_CLOSED', 'The connection was closed before the database was ready')
  }
}

/** What the library has made of its settings. */
export interface SocketPlace {
  host: string[]
  port: number[]
  /** A Unix socket or a named pipe, instead. */
  path: string | false
}

/**
 * A connection to PostgreSQL, for two faults of postgres.js (3.4.9):
 *
 * - It learns of a lost connection by `close`, which comes a turn of the event loop after `error`. A statement given to the
 *   connection between the two is never answered, or by another one's empty result. `onLost` is called before both.
 * - A connection that is closed before its session is ready, without an error, is opened again at once and without end (250
 *   times a second), as by a proxy in front of a PostgreSQL that is stopped. Here it ends with an error.
 */
export class DatabaseSocket extends Socket {
  readonly #onLost: () => void
  #sentMore = false

  constructor({ host: [host], port: [port], path }: SocketPlace, onLost: () => void) {
    super()
    this.#onLost = onLost
    // Statements sent one behind another would wait for the acknowledgement of the first: a round trip each.
    this.setNoDelay(true)
    if (path !== false) this.connect(path)
    else this.connect({ host, port: port ?? 0 })
    // The library reads the first two for its messages and for the certificate's name, which it leaves out for a numeric address.
    // Node then compares the certificate with `_host`, which it sets itself only for names, and without it with "localhost".
    Object.assign(this, { host, port, _host: host })
  }

  override _write(chunk: unknown, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    if (chunk instanceof Uint8Array && !BEFORE_READY.has(chunk[0] ?? 0)) this.#sentMore = true
    super._write(chunk, encoding, callback)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#onLost()
    // With TLS, what follows the request for it is not seen here, nor the reason of an end, such as a certificate: the library
    // reads there.
    const isUnready = !this.#sentMore && this.listenerCount('data') > 0
    super._destroy(error ?? (isUnready ? new ClosedBeforeReady() : null), callback)
  }
}

/**
 * A connection that fails: the library waits for ever for one that was promised and never came. It fails when the library has
 * written to it, which would otherwise write that to the next one, before everything else.
 */
export class FailingSocket extends Socket {
  readonly #error: Error

  constructor(error: unknown) {
    super()
    this.#error = error instanceof Error ? error : new Error(String(error))
  }

  override _write(): void {
    this.destroy(this.#error)
  }
}

/**
 * The sockets of one pool. postgres.js (3.4.9) forgets one that is being connected while its pool ends, which stays open for good
 * then, and keeps the process running.
 */
export class PoolSockets {
  readonly #onLost: () => void
  readonly #open = new Set<Socket>()
  #ended = false

  constructor(onLost: () => void) {
    this.#onLost = onLost
  }

  open(place: SocketPlace): Socket {
    if (this.#ended) return new FailingSocket(new CodedError('CONNECTION_ENDED', 'The pool has ended'))
    const socket: Socket = new DatabaseSocket(place, () => {
      this.#open.delete(socket)
      this.#onLost()
    })
    this.#open.add(socket)
    return socket
  }

  /**
   * After the pool has ended.
   * @param secured over TLS the other side is asked to close them: without the socket below it, a write that is under way fails
   * where nobody listens any more, which would end the process
   */
  end(secured: boolean): void {
    this.#ended = true
    for (const socket of this.#open) {
      if (secured && !socket.connecting) socket.end()
      else socket.destroy()
    }
  }
}
