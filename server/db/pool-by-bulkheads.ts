import type postgres from 'postgres'
import type { Pool } from '../deps.ts'
import { currentBulkhead, ServerSilent } from './bulkhead.ts'
import { shareControl } from './pool-control.ts'

/** What statements and transactions of a pool run in. */
interface Runs {
  run<T>(work: () => PromiseLike<T>): Promise<T>
}

type Work = (sql: postgres.TransactionSql) => unknown

/** A pool that runs statements and transactions in the caller's bulkhead, if there is one. */
export function poolByBulkheads(pool: Pool): Pool {
  return withBulkhead(pool, currentBulkhead)
}

/** A pool whose statements and transactions all run in one bulkhead. */
export function poolInBulkhead(pool: Pool, bulkhead: Runs): Pool {
  return withBulkhead(pool, () => bulkhead)
}

function withBulkhead(pool: Pool, bulkheadOf: () => Runs | undefined): Pool {
  function begin(...args: [Work] | [string, Work]) {
    const bulkhead = bulkheadOf()
    const [options, work] = args.length === 1 ? ['', args[0]] : args
    if (!bulkhead) return pool.begin(options, work)
    let cut = false
    const begun = bulkhead.run(() => pool.begin(options, (tx) => work(until(() => cut, tx))))
    return begun.catch((error: unknown) => {
      cut = error instanceof ServerSilent
      throw error
    })
  }

  const guarded = new Proxy(pool, {
    apply: (_, self, values) => sentByBulkhead(bulkheadOf(), Reflect.apply(pool, self, values)),
    get(_, name) {
      if (name === 'begin') return begin
      if (name !== 'unsafe') return Reflect.get(pool, name)
      return (...given: Parameters<Pool['unsafe']>) => sentByBulkhead(bulkheadOf(), pool.unsafe(...given))
    },
  })
  return shareControl(pool, guarded)
}

/** A statement is sent when it is awaited, and a fragment of another one never is. */
function sentByBulkhead<T>(bulkhead: Runs | undefined, made: T): T {
  if (!bulkhead || !(made instanceof Promise)) return made
  const send = made.then
  let sent: Promise<unknown> | undefined
  const then: Promise<unknown>['then'] = (...handlers) => {
    sent ??= bulkhead.run(() => new Promise((...settle) => Reflect.apply(send, made, settle)))
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
