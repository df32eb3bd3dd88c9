import * as v from 'valibot'
import { readinessResponse, searchMemoryState } from '../contract/health.ts'
import { tolerant } from './tolerant.ts'
import { type Endpoint, sendBuffered } from './transport.ts'

// What servers of all versions send: later ones may have more states, earlier ones fewer figures.
const readiness = v.object({
  ...readinessResponse.entries,
  worker: v.object({
    status: v.string(),
    waiting: v.optional(v.nullable(v.object({ reason: v.string() })), null),
  }),
  search_memory: v.optional(v.nullable(v.pick(searchMemoryState, ['bytes', 'budget', 'loaded', 'excerpts'])), null),
})
/** Response of `GET /readyz`, the server's own public route. */
export type Readiness = v.InferOutput<typeof readiness>

/** @returns undefined when the response is not from a Pullquote server */
export async function readReadiness(
  { fetch, baseUrl }: Endpoint,
  signal?: AbortSignal,
): Promise<Readiness | undefined> {
  const headers = { accept: 'application/json' }
  const { text } = await sendBuffered(fetch, baseUrl, { method: 'GET', url: `${baseUrl}/readyz`, headers, signal })
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), tolerant(readiness)), text)
  return checked.success ? checked.output : undefined
}
