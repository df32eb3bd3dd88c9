import { setTimeout as sleep } from 'node:timers/promises'
import type postgres from 'postgres'
import type { Pool } from '../deps.ts'
import { isConnectionLost } from './unavailable.ts'

/** Events of a pool. */
export interface PoolEvents {
  /** A connection reached the server. */
  onparameter(): void
  /** A connection ended. */
  onclose(): void
}

/** How long a transaction whose connection seems lost waits for confirmation. */
const LOSS_CONFIRMED_MS = 2_000
/** How often a pool is probed, and how long its answer may take: longer than a statement. */
export interface Probe {
  everyMs: number
  silentMs: number
}

/** Longer than a statement may run: a retired pool has finished everything by then. */
const RETIREMENT_MS = 30_000
const RENEWED_MS = 1_000

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
 *
 * @param probe by default no connection is probed
 */
export function resilientPool(open: (events: PoolEvents) => Pool, probe?: Probe): Pool {
  let ended = false
  const retired = new Set<Pool>()
  const looking = new Set<Pool>()
  let current = start()
  const probing = probe && setInterval(() => void look(current, probe.silentMs), probe.everyMs).unref()

  function start(): Pool {
    let reached = false
    const pool: Pool = open({
      onparameter() {
        reached = true
      },
      onclose() {
        // One that never reached the server has no state to drop, and during an outage every query would create a pool.
        if (ended || !reached || current !== pool) return
        replace(pool)
      },
    })
    return pool
  }

  function replace(pool: Pool, retirementMs = RETIREMENT_MS): void {
    current = start()
    retired.add(pool)
    // Its connections count against the role's limit. Once this is answered nothing waits for a connection, and each closes
    // when its work is done.
    void pool`select 1`.then(closing(pool), closing(pool))
    setTimeout(() => {
      retired.delete(pool)
      void pool.end({ timeout: 1 })
    }, retirementMs).unref()
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
    const settle = () => {
      over = true
    }
    done.then(settle, settle)
    return done
  }

  async function end(options?: { timeout?: number }) {
    ended = true
    clearInterval(probing)
    // A pool that lost a connection still counts its queries as running, and would wait for them forever.
    await Promise.all([current.end(options), ...[...retired].map((pool) => pool.end({ timeout: 1 }))])
  }

  // The function and its properties are those of the current pool.
  const resilient = new Proxy(current, {
    apply: (_, self, values) => Reflect.apply(current, self, values),
    get: (_, name) => (name === 'begin' ? begin : name === 'end' ? end : Reflect.get(current, name)),
  })
  const renew = () => {
    if (!ended) replace(current, RENEWED_MS)
  }
  const another = () => open({ onparameter() {}, onclose() {} })
  controls.set(resilient, { connections: current.options.max, renew, another })
  return resilient
}

/** Closes connections when they are idle; postgres.js (3.4.9) can, but its types omit it. */
function closing(pool: Pool): () => unknown {
  const close: unknown = Reflect.get(pool, 'close')
  return () => typeof close === 'function' && Reflect.apply(close, pool, [])
}

type Work = (sql: postgres.TransactionSql) => unknown
