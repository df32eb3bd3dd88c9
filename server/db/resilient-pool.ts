import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Pool } from '../deps.ts'
import { FEWEST_CONNECTIONS } from './address.ts'
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

/** What can be done with a pool other than querying it. */
export interface PoolControl {
  /** Maximum number of connections. */
  readonly connections: number
  /**
   * Gives whatever comes next fresh connections. Running work has a second to end on its own: statements queued behind one
   * that hangs would wait as long.
   */
  renew(): void
  /** Another pool on the same database, for a caller that needs a fresh connection; the caller ends it. */
  another(): Pool
}

const controls = new WeakMap<Pool, PoolControl>()

/** @returns undefined for a pool that was not created here */
export function poolControl(pool: Pool): PoolControl | undefined {
  return controls.get(pool)
}

/** Makes the control of one pool apply to another that wraps it. */
export function shareControl(from: Pool, to: Pool): Pool {
  const control = controls.get(from)
  if (control) controls.set(to, control)
  return to
}

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
export function resilientPool(open: (events: PoolEvents, most?: number) => Pool, probe?: Probe): Pool {
  let ended = false
  /** Connections of the next pool, where the database has refused some. */
  let most: number | undefined
  let growing: NodeJS.Timeout | undefined
  const retired = new Set<Pool>()
  const looking = new Set<Pool>()
  let current = start()
  const wanted = current.options.max
  const probing = probe && setInterval(() => void look(current, probe.silentMs), probe.everyMs).unref()

  function start(): Pool {
    let reached = false
    const replaceOnce = () => {
      // One that never reached the server has no state to drop, and during an outage every query would create a pool.
      if (!ended && reached && current === pool) replace(pool)
    }
    const events = {
      onparameter() {
        reached = true
      },
      onLost: replaceOnce,
      onclose: replaceOnce,
    }
    const pool: Pool = open(events, most)
    return pool
  }

  function another(): Pool {
    return open({ onparameter() {}, onLost() {}, onclose() {} })
  }

  function replace(pool: Pool, retirementMs = RETIREMENT_MS): void {
    current = start()
    retired.add(pool)
    // Its connections count against the role's limit. Once this is answered nothing waits for a connection, and each closes
    // when its work is done. If it fails, or is lost with its connection, others may still wait, and open one that nobody
    // would close.
    const close = closing(pool)
    const again = setInterval(close, CLOSE_AGAIN_MS).unref()
    setTimeout(() => void pool`select 1`.then(close, close), LOST_MS).unref()
    setTimeout(() => {
      clearInterval(again)
      retired.delete(pool)
      void pool.end({ timeout: 1 })
    }, retirementMs).unref()
  }

  /** A refusal is followed by the end of its connection, which replaces the pool. */
  function note(error: unknown): void {
    if (ended || !isOutOfConnections(error)) return
    most = Math.max(Math.min(FEWEST_CONNECTIONS, wanted), (most ?? wanted) - 1)
    growing ??= setInterval(() => void grow(), probe?.growMs ?? GROW_MS).unref()
  }

  /** Asks by a connection on the side, so that no statement is refused for it. */
  async function grow(): Promise<void> {
    const beside = another()
    const isGranted = await beside`select 1`.then(
      () => true,
      () => false,
    )
    await beside.end({ timeout: 0 })
    if (!isGranted || ended || most === undefined) return
    most = most + 1 < wanted ? most + 1 : undefined
    if (most === undefined) {
      clearInterval(growing)
      growing = undefined
    }
    replace(current)
  }

  /** A statement whose refusal is noted. It is sent when it is awaited, and a fragment of another one never is. */
  function noted<T>(made: T): T {
    if (!(made instanceof Promise)) return made
    const send = made.then
    const then: Promise<unknown>['then'] = (done, failed) => {
      const fail = (error: unknown) => {
        note(error)
        if (failed) return failed(error)
        throw error
      }
      return Reflect.apply(send, made, [done, fail])
    }
    // A bulkhead replaces it once more.
    return Object.defineProperty(made, 'then', { value: then, configurable: true })
  }

  /** An error counts as an answer, and is reported to whoever asked something. */
  async function look(pool: Pool, silentMs: number): Promise<void> {
    if (ended || looking.has(pool)) return
    looking.add(pool)
    const answered = pool`select 1`.then(
      () => true,
      () => true,
    )
    const silent = sleep(silentMs, false, { ref: false })
    if (!(await Promise.race([answered, silent])) && !ended && current === pool) replace(pool, silentMs)
    looking.delete(pool)
  }

  function begin(...args: [Work] | [string, Work]) {
    const work = args.length === 1 ? args[0] : args[1]
    let over = false
    const done = current.begin(args.length === 1 ? '' : args[0], (tx) => {
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
      note(error)
    }
    done.then(() => settle(), settle)
    return done
  }

  async function end(options?: { timeout?: number }) {
    ended = true
    clearInterval(probing)
    clearInterval(growing)
    // A pool that lost a connection still counts its queries as running, and would wait for them forever.
    await Promise.all([current.end(options), ...[...retired].map((pool) => pool.end({ timeout: 1 }))])
  }

  // The function and its properties are those of the current pool.
  const resilient = new Proxy(current, {
    apply: (_, self, values) => noted(Reflect.apply(current, self, values)),
    get: (_, name) => {
      if (name === 'unsafe') return (...given: Parameters<Pool['unsafe']>) => noted(current.unsafe(...given))
      return name === 'begin' ? begin : name === 'end' ? end : Reflect.get(current, name)
    },
  })
  const renew = () => {
    if (!ended) replace(current, RENEWED_MS)
  }
  controls.set(resilient, { connections: wanted, renew, another })
  return resilient
}

/** Closes connections when they are idle; postgres.js (3.4.9) can, but its types omit it. */
function closing(pool: Pool): () => unknown {
  const close: unknown = Reflect.get(pool, 'close')
  return () => typeof close === 'function' && Reflect.apply(close, pool, [])
}

type Work = (sql: postgres.TransactionSql) => unknown
