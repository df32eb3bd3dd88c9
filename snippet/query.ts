import type { ErrorEnvelope } from '../src/contract/errors.ts'
import type { QueryResponse } from '../src/contract/query.ts'

/** What came of a request; `status` is 0 and `requestId` is not known where the browser hides the response from the page. */
export interface Answer {
  status: number
  requestId: string | null
  response?: QueryResponse
  /** Why there is no response. */
  code?: string
  message?: string
  /** The parameters that the service refused, where the reviews may be asked for without them. */
  refused?: string[]
}

const TIMEOUT_MS = 10_000
const underWay = new Map<string, Promise<Answer>>()

/** What a block can do without. Without its metadata it would show the reviews of other products. */
const OPTIONAL = /^(limit|fallback|min_rating|source|since)\b/

/**
 * Asks the service at an address for what `parameters` say, by their names in a query string; blocks that ask the same
 * at the same time share one request. Never rejects: a failure is an answer too.
 */
export function fetchResults(host: string, key: string, parameters: Record<string, string>): Promise<Answer> {
  const id = JSON.stringify([host, key, parameters])
  const answer =
    underWay.get(id) ?? request(host, ...requestOf(host, key, parameters)).finally(() => underWay.delete(id))
  underWay.set(id, answer)
  return answer
}

function requestOf(host: string, key: string, parameters: Record<string, string>): [url: URL, init: RequestInit] {
  const url = new URL('v1/query', host)
  if (url.origin === location.origin) {
    // With a GET to its own origin a browser sends no Origin, which a publishable key needs; with a POST it does.
    const { q, limit, mode, fallback, min_rating, source, ...filters } = parameters
    const body = {
      ...{ q, mode, fallback, limit: limit && +limit },
      filters: { ...filters, min_rating: min_rating && +min_rating, source: source?.split(',') },
    }
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return [url, { method: 'POST', headers, body: JSON.stringify(body) }]
  }
  url.search = `${new URLSearchParams({ key, ...parameters })}`
  // No header of our own: a simple request, which needs no preflight.
  return [url, {}]
}

async function request(host: string, url: URL, init: RequestInit): Promise<Answer> {
  const answer: Answer = { status: 0, requestId: 'unknown' }
  try {
    const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    answer.status = reply.status
    answer.requestId = reply.headers.get('x-request-id')
    const body: QueryResponse & ErrorEnvelope = await reply.json()
    if (reply.ok && body.results.every(({ excerpt, review }) => excerpt && review.id))
      return { ...answer, response: body }
    const { code, message, details = [] } = body.error
    const refused = details.map(({ path }) => path.replace('filters.', ''))
    return {
      ...answer,
      code,
      message: [message, ...refused].join(', '),
      ...(refused[0] && refused.every((path) => OPTIONAL.test(path)) && { refused }),
    }
  } catch (error) {
    return { ...answer, code: 'no_answer', message: await reasonOf(error, answer.status, host) }
  }
}

/** A line below the reviews, and its language where it is not the page's. */
export interface Note {
  note?: string | undefined
  lang?: string
  /** It is not true of reviews with fewer stars. */
  min_rating?: number
}

/**
 * The sentence that says which reviews the key's pages show, by the project's settings as they are now. Never rejects:
 * without it the reviews are shown anyway.
 */
export async function fetchNote(host: string, parameters: Record<string, string>): Promise<Note> {
  try {
    const url = new URL('snippet/note', host)
    url.search = `${new URLSearchParams(parameters)}`
    // The reviews wait for it.
    const note: Note = await (await fetch(url, { signal: AbortSignal.timeout(3000) })).json()
    if (note.note) return note
  } catch {}
  console.error(`[pullquote] no data-note="auto", ${host} does not say which reviews are shown`)
  return {}
}

/** Why there is no answer, in words for the site's developer. The browser itself says only that there is none. */
async function reasonOf(error: unknown, status: number, host: string): Promise<string> {
  if ((error as Error).name === 'TimeoutError') return `${error}: ${host}`
  if (status) return `not an answer of ${host}, of a proxy? ${error}`
  if (origin === 'null') return 'a sandboxed frame has no origin, allow-same-origin gives it one'
  try {
    await fetch(new URL('healthz', host), { mode: 'no-cors', cache: 'no-store' })
    return `refused by ${host}, is the key right and ${origin} an allowed origin?`
  } catch {
    return `${host} cannot be reached, is it running, does the page's policy allow it?`
  }
}
