import type postgres from 'postgres'
import type { Pool } from '../deps.ts'
import { currentLane, ServerSilent } from './lane.ts'
import { shareControl } from './resilient-pool.ts'

/** What statements and transactions of a pool run in. */
interface Runs {
  run<T>(work: () => PromiseLike<T>): Promise<T>
}

type Work = (sql: postgres.TransactionSql) => unknown

/** A pool that runs statements and transactions in the caller's lane, if there is one. */
export function poolByLanes(pool: Pool): Pool {
  return withLane(pool, currentLane)
}

/** A pool whose statements and transactions all run in one lane. */
export function poolInLane(pool: Pool, lane: Runs): Pool {
  return withLane(pool, () => lane)
}

function withLane(pool: Pool, laneOf: () => Runs | undefined): Pool {
  function begin(...args: [Work] | [string, Work]) {
    const lane = laneOf()
    const [options, work] = args.length === 1 ? ['', args[0]] : args
    if (!lane) return pool.begin(options, work)
    let cut = false
    const begun = lane.run(() => pool.begin(options, (tx) => work(until(() => cut, tx))))
    return begun.catch((error: unknown) => {
      cut = error instanceof ServerSilent
      throw error
    })
  }

  const laned = new Proxy(pool, {
    apply: (_, self, values) => sentByLane(laneOf(), Reflect.apply(pool, self, values)),
    get(_, name) {
      if (name === 'begin') return begin
      if (name !== 'unsafe') return Reflect.get(pool, name)
      return (...given: Parameters<Pool['unsafe']>) => sentByLane(laneOf(), pool.unsafe(...given))
    },
  })
  return shareControl(pool, laned)
}

/** A statement is sent when it is awaited, and a fragment of another one never is. */
function sentByLane<T>(lane: Runs | undefined, made: T): T {
  if (!lane || !(made instanceof Promise)) return made
  const send = made.then
  let sent: Promise<unknown> | undefined
  const then: Promise<unknown>['then'] = (...handlers) => {
    sent ??= lane.run(() => new Promise((...settle) => Reflect.apply(send, made, settle)))
    return sent.then(...handlers)
  }
  return Object.defineProperty(made, 'then', { value: then })
}

/** An abandoned transaction sends nothing more, and is rolled back at its next statement. */
function until(isCut: () => boolean, tx: postgres.TransactionSql): postgres.TransactionSql {
  return new Proxy(tx, {
    apply(_, self, values) {
      if (isCut()) throw new ServerSilent()
      return Reflect.apply(tx, self, values)
    },
  })
}
