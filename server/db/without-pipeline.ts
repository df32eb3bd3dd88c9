import type { Pool } from '../deps.ts'

/**
 * A pool that never pipelines a statement behind an unanswered one.
 *
 * A pooler in transaction mode takes a client's session away at the end of each transaction. The library asks for the types
 * of a statement's parameters before it sends them, which PgBouncer (1.18) does not treat as a transaction: pipelined behind
 * another statement, the answer found no client any more ("got packet '1' from server when not linked"), and that connection
 * waited for it until it was given up. With twenty concurrent requests all of them did.
 */
export function withoutPipeline(pool: Pool): Pool {
  return new Proxy(pool, {
    apply: (_, self, values) => alone(Reflect.apply(pool, self, values)),
    get(_, name) {
      if (name !== 'unsafe') return Reflect.get(pool, name)
      return (...given: Parameters<Pool['unsafe']>) => alone(pool.unsafe(...given))
    },
  })
}

/**
 * postgres.js (3.4.9) also asks its own transactions through this hook whether more may follow; fragments have no options.
 */
function alone<T>(made: T): T {
  const options: unknown = made instanceof Promise ? Reflect.get(made, 'options') : undefined
  if (typeof options === 'object' && options !== null) Reflect.set(options, 'onexecute', () => false)
  return made
}
