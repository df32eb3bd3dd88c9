import * as v from 'valibot'
import { readinessResponse } from '../contract/health.ts'
import type { Fetch } from './call.ts'
import { Cancelled, ConnectionFailed } from './errors.ts'
import { tolerant } from './tolerant.ts'

// Of the worker, what a server of any version says.
const readiness = v.object({
  ...readinessResponse.entries,
  worker: v.pick(readinessResponse.entries.worker, ['status']),
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
  const checked = v.safeParse(tolerant(readiness), body)
  return checked.success ? checked.output : undefined
}
