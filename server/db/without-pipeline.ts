import type { Pool } from '../deps.ts'

/**
 * A pool that sends nothing on a connection behind a statement that was not answered yet.
 *
 * A pooler in transaction mode takes a client's session away at the end of each transaction. The library asks for the types
 * of a statement's parameters before it sends them, which is no transaction to PgBouncer (1.18): asked right behind another
 * statement the answer met no client any more ("got packet '1' from server when not linked"), and that connection waited
 * for it until it was given up. At twenty requests at once all of them did.
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

/** postgres.js (3.4.9) asks its own transactions so, too, whether more may follow; parts of statements have no options. */
function alone<T>(made: T): T {
  const options: unknown = made instanceof Promise ? Reflect.get(made, 'options') : undefined
  if (typeof options === 'object' && options !== null) Reflect.set(options, 'onexecute', () => false)
  return made
}
