import * as v from 'valibot'
import { readinessResponse, searchMemoryState } from '../contract/health.ts'
import { tolerant } from './tolerant.ts'
import { type Endpoint, sendBuffered } from './transport.ts'

// What servers of every version say: a later one may have further states, an earlier one has fewer figures.
const readiness = v.object({
  ...readinessResponse.entries,
  worker: v.object({ status: v.string() }),
  search_memory: v.optional(v.nullable(v.pick(searchMemoryState, ['bytes', 'budget', 'loaded', 'excerpts'])), null),
})
/** What `GET /readyz` says: the server's own route, open to everyone. */
export type Readiness = v.InferOutput<typeof readiness>

/** @returns `undefined` when what answers is no Pullquote server */
export async function readReadiness(
  { fetch, baseUrl }: Endpoint,
  signal?: AbortSignal,
): Promise<Readiness | undefined> {
  const headers = { accept: 'application/json' }
  const { text } = await sendBuffered(fetch, baseUrl, { method: 'GET', url: `${baseUrl}/readyz`, headers, signal })
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), tolerant(readiness)), text)
  return checked.success ? checked.output : undefined
}
