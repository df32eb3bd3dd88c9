import * as v from 'valibot'
import { readinessResponse, searchMemoryState } from '../contract/health.ts'
import { responseError, strangeAnswer } from './errors.ts'
import { tolerant } from './tolerant.ts'
import { type Endpoint, sendBuffered } from './transport.ts'

// What servers of all versions send: later ones may have more states, earlier ones fewer figures.
const readiness = v.object({
  ...readinessResponse.entries,
  worker: v.object({
    status: v.string(),
    waiting: v.optional(v.nullable(v.object({ reason: v.string(), until: v.optional(v.string(), '') })), null),
  }),
  search_memory: v.optional(v.nullable(v.pick(searchMemoryState, ['bytes', 'budget', 'loaded', 'excerpts'])), null),
})
/** Response of `GET /readyz`, the server's own public route. */
export type Readiness = v.InferOutput<typeof readiness>

/** @throws {ApiError} when it is not a Pullquote server that answers */
export async function readReadiness({ fetch, baseUrl }: Endpoint, signal?: AbortSignal): Promise<Readiness> {
  const headers = { accept: 'application/json' }
  const { response, text } = await sendBuffered(fetch, baseUrl, {
    method: 'GET',
    url: `${baseUrl}/readyz`,
    headers,
    signal,
  })
  const checked = v.safeParse(v.pipe(v.string(), v.parseJson(), tolerant(readiness)), text)
  if (checked.success) return checked.output
  throw response.ok ? strangeAnswer(response, text, 'GET /readyz') : responseError(response, text)
}
