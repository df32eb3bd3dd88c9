import * as v from 'valibot'
import type { Fetch } from './call.ts'
import { Cancelled, ConnectionFailed } from './errors.ts'

const readiness = v.looseObject({
  ready: v.boolean(),
  database: v.looseObject({ ok: v.boolean() }),
  model: v.looseObject({ name: v.string(), active: v.boolean() }),
  queue: v.nullable(
    v.looseObject({
      queued: v.number(),
      running: v.number(),
      failing: v.number(),
      // A server of an earlier version sets nothing aside.
      set_aside: v.optional(v.number(), 0),
      oldest_seconds: v.number(),
    }),
  ),
  worker: v.looseObject({ status: v.string() }),
  /** Null when searches are the database's; absent from servers of before. */
  search_memory: v.optional(
    v.nullable(v.looseObject({ bytes: v.number(), budget: v.number(), loaded: v.number(), excerpts: v.number() })),
    null,
  ),
})
/** What `GET /readyz` says: the server's own route, open to everyone. */
export type Readiness = v.InferOutput<typeof readiness>

/** @returns `undefined` when what answers is no Pullquote server */
export async function readReadiness(
  fetch: Fetch,
  baseUrl: string,
  signal?: AbortSignal,
): Promise<Readiness | undefined> {
  let body: unknown
  try {
    const response = await fetch(
      new Request(`${baseUrl}/readyz`, { headers: { accept: 'application/json' }, ...(signal ? { signal } : {}) }),
    )
    body = await response.json().catch(() => undefined)
  } catch (error) {
    if (signal?.aborted) throw new Cancelled()
    throw new ConnectionFailed(baseUrl, { cause: error })
  }
  const checked = v.safeParse(readiness, body)
  return checked.success ? checked.output : undefined
}
