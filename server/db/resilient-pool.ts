import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Pool } from '../deps.ts'
import { FEWEST_CONNECTIONS } from './address.ts'
import { type PoolControl, setPoolControl } from './pool-control.ts'
import { isConnectionLost, isOutOfConnections } from './unavailable.ts'

/** Events of a pool. */
export interface PoolEvents {
  /** A connection reached the server. */
  onparameter(): void
  /** A connection is lost. What is given to it from now on, until it has ended, is lost with it. */
  onLost(): void
  /** A connection ended. */
  onclose(): void
}

/** How long a transaction whose connection seems lost waits for confirmation. */
const LOSS_CONFIRMED_MS = 2_000
/** How often a pool is probed, and how long its answer may take: longer than a statement. */
export interface Probe {
  everyMs: number
  silentMs: number
  /** How often a pool that was refused connections asks for one more; default a minute. */
  growMs?: number
}

/** Longer than a statement may run: a retired pool has finished everything by then. */
const RETIREMENT_MS = 30_000
const RENEWED_MS = 1_000
const CLOSE_AGAIN_MS = 1_000
/** Until a connection that is lost has ended. */
const LOST_MS = 10
const GROW_MS = 60_000

/**
 * Keeps postgres.js (3.4.9) from its faults around a lost connection, all of which were met with `pg_terminate_backend`:
 *
 * - `begin` sends its `rollback` to the closed socket, which ends the process with an uncaught TypeError
 *   (porsager/postgres#1208). Here a transaction whose connection is lost never gets as far as a rollback.
 * - A query inside a transaction that is already lost does the same, or runs outside of it (#1216). Here it throws.
 * - The connection object keeps what it had not sent, and every later attempt to connect with it ends in a time-out, and
 *   keeps the server's last words, with which it fails the first query of its next session. Here a pool that lost a
 *   connection gets no further queries: a fresh one takes its place.
 * - A connection whose packets are swallowed is waited for without end, and a pool of such connections answers nothing
 *   though new ones would. Here one that does not answer the probe is replaced too; what waited on it fails.
 * - A connection that is refused, since the database has none left (others took them while it was away), fails a statement, and
 *   is tried again with a later one, which does not wait for a connection that is open: with five of ten a third of the requests
 *   failed, for as long as the server ran. Here the pool that takes its place has one connection less.
 *
 * @param probe by default no connection is probed
 */
export function resilientPool(open: OpenPool, probe?: Probe): Pool {
  const kept = new KeptPool(open, probe)
  // The function and its properties are those of the current pool.
  const resilient = new Proxy(kept.current, {
    apply: (_, self, values) => kept.noted(Reflect.apply(kept.current, self, values)),
    get: (_, name) => {
      if (name === 'unsafe') return (...given: Parameters<Pool['unsafe']>) => kept.noted(kept.current.unsafe(...given))
      if (name === 'begin') return (...given: BeginArguments) => kept.begin(...given)
      if (name === 'end') return (options?: { timeout?: number }) => kept.end(options)
      return Reflect.get(kept.current, name)
    },
  })
  setPoolControl(resilient, kept)
  return resilient
}

type OpenPool = (events: PoolEvents, most?: number) => Pool
type Work = (sql: postgres.TransactionSql) => unknown
type BeginArguments = [Work] | [string, Work]

class KeptPool implements PoolControl {
  current: Pool
  readonly connections: number
  readonly #open: OpenPool
  readonly #growMs: number
  readonly #probing: NodeJS.Timeout | undefined
  /** Connections of the next pool, where the database has refused some. */
  #most: number | undefined
  #growing: NodeJS.Timeout | undefined
  readonly #retired = new Set<Pool>()
  readonly #looking = new Set<Pool>()
  #ended = false

  constructor(open: OpenPool, probe: Probe | undefined) {
    this.#open = open
    this.#growMs = probe?.growMs ?? GROW_MS
    this.current = this.#start()
    this.connections = this.current.options.max
    this.#probing = probe && setInterval(() => void this.#look(this.current, probe.silentMs), probe.everyMs).unref()
  }

  another(): Pool {
    return this.#open({ onparameter() {}, onLost() {}, onclose() {} })
  }

  renew(): void {
    if (!this.#ended) this.#replace(this.current, RENEWED_MS)
  }

  async end(options?: { timeout?: number }): Promise<void> {
    this.#ended = true
    clearInterval(this.#probing)
    clearInterval(this.#growing)
    // A pool that lost a connection still counts its queries as running, and would wait for them forever.
    const retired = Array.from(this.#retired, (pool) => pool.end({ timeout: 1 }))
    await Promise.all([this.current.end(options), ...retired])
  }

  /** A statement whose refusal is noted. It is sent when it is awaited, and a fragment of another one never is. */
  noted<T>(made: T): T {
    if (!(made instanceof Promise)) return made
    const send = made.then
    const then: Promise<unknown>['then'] = (done, failed) => {
      const fail = (error: unknown) => {
        this.#note(error)
        if (failed) return failed(error)
        throw error
      }
      return Reflect.apply(send, made, [done, fail])
    }
    // A bulkhead replaces it once more.
    return Object.defineProperty(made, 'then', { value: then, configurable: true })
  }

  begin(...args: BeginArguments) {
    const work = args.length === 1 ? args[0] : args[1]
    let over = false
    const done = this.current.begin(args.length === 1 ? '' : args[0], (tx) => {
      const guarded = new Proxy(tx, {
        apply(target, self, values) {
          if (over) throw Object.assign(new Error('The transaction is over'), { code: 'CONNECTION_CLOSED' })
          return Reflect.apply(target, self, values)
        },
      })
      return new Promise((resolve, reject) => {
        const fail = (error: unknown) => {
          if (!isConnectionLost(error)) return reject(error)
          // `begin` itself fails when its connection ends. Only if it does not was the error about something else.
          setTimeout(() => !over && reject(error), LOSS_CONFIRMED_MS).unref()
        }
        Promise.resolve()
          .then(() => work(guarded))
          .then((value) => (Array.isArray(value) ? Promise.all(value) : value))
          .then(resolve, fail)
      })
    })
    const settle = (error?: unknown) => {
      over = true
      this.#note(error)
    }
    done.then(() => settle(), settle)
    return done
  }

  #start(): Pool {
    let reached = false
    const replaceOnce = () => {
      // One that never reached the server has no state to drop, and during an outage every query would create a pool.
      if (!this.#ended && reached && this.current === pool) this.#replace(pool)
    }
    const events = {
      onparameter() {
        reached = true
      },
      onLost: replaceOnce,
      onclose: replaceOnce,
    }
    const pool: Pool = this.#open(events, this.#most)
    return pool
  }

  #replace(pool: Pool, retirementMs = RETIREMENT_MS): void {
    this.current = this.#start()
    this.#retired.add(pool)
    // Its connections count against the role's limit. Once this is answered nothing waits for a connection, and each closes
    // when its work is done. If it fails, or is lost with its connection, others may still wait, and open one that nobody
    // would close.
    const close = closing(pool)
    const again = setInterval(close, CLOSE_AGAIN_MS).unref()
    setTimeout(() => void pool`select 1`.then(close, close), LOST_MS).unref()
    setTimeout(() => {
      clearInterval(again)
      this.#retired.delete(pool)
      void pool.end({ timeout: 1 })
    }, retirementMs).unref()
  }

  /** A refusal is followed by the end of its connection, which replaces the pool. */
  #note(error: unknown): void {
    if (this.#ended || !isOutOfConnections(error)) return
    const wanted = this.connections
    this.#most = Math.max(Math.min(FEWEST_CONNECTIONS, wanted), (this.#most ?? wanted) - 1)
    this.#growing ??= setInterval(() => void this.#grow(), this.#growMs).unref()
  }

  /** Asks by a connection on the side, so that no statement is refused for it. */
  async #grow(): Promise<void> {
    const beside = this.another()
    const isGranted = await beside`select 1`.then(
      () => true,
      () => false,
    )
    await beside.end({ timeout: 0 })
    if (!isGranted || this.#ended || this.#most === undefined) return
    this.#most = this.#most + 1 < this.connections ? this.#most + 1 : undefined
    if (this.#most === undefined) {
      clearInterval(this.#growing)
      this.#growing = undefined
    }
    this.#replace(this.current)
  }

  /** An error counts as an answer, and is reported to whoever asked something. */
  async #look(pool: Pool, silentMs: number): Promise<void> {
    if (this.#ended || this.#looking.has(pool)) return
    this.#looking.add(pool)
    const answered = pool`select 1`.then(
      () => true,
      () => true,
    )
    const silent = sleep(silentMs, false, { ref: false })
    const isAnswered = await Promise.race([answered, silent])
    if (!isAnswered && !this.#ended && this.current === pool) this.#replace(pool, silentMs)
    this.#looking.delete(pool)
  }
}

/** Closes connections when they are idle; postgres.js (3.4.9) can, but its types omit it. */
function closing(pool: Pool): () => unknown {
  const close: unknown = Reflect.get(pool, 'close')
  return () => typeof close === 'function' && Reflect.apply(close, pool, [])
}
