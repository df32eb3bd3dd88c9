import type { ErrorEnvelope } from '../src/contract/errors.ts'
import type { QueryResponse } from '../src/contract/query.ts'
import { labels } from './labels.ts'

/** The outcome of a request; without `status` and `requestId` when the browser hides the response from the page. */
export interface Answer {
  status?: number
  requestId?: string | null
  response?: QueryResponse | undefined
  /** Why there is no response. */
  code?: string
  message?: string | undefined
  /** The parameters that the service rejected. */
  refused?: string[] | undefined
}

/** Query parameters, under the contract's names. */
export type Parameters = Record<string, string | number | string[] | null | undefined>

const underWay: Record<string, Promise<unknown>> = {}

/**
 * Blocks that request the same URL at the same time share a request. One that took longer than any may was stopped with its
 * page, in the back/forward cache or a phone's pocket, where its time limit ran on: it is repeated.
 *
 * @param ask never rejects
 */
function share<T>(href: string, ask: () => Promise<T>, begin = new Date()): Promise<T> {
  // biome-ignore lint/suspicious/noAssignInExpressions: some bytes of the bundle
  return (underWay[href] ??= ask().then((answer) =>
    delete underWay[href] && (new Date() as never) - (begin as never) > 12e3 ? share(href, ask) : answer,
  )) as Promise<T>
}

/** A line in the console, the only trace of a failure. */
export function logError(text: unknown): void {
  console.error(`[pullquote] ${text}`)
}

/** A URL of the service; lists are comma-separated. */
function addressOf(path: string, host: string | URL, parameters?: Parameters): URL {
  return new URL(`${path}?${new URLSearchParams(parameters as Record<string, string>)}`, host)
}

/** Queries the service. Never rejects: a failure is an answer too. @throws if `host` is not a URL */
export function fetchResults(host: string | URL, key: string, parameters: Parameters): Promise<Answer> {
  const url = addressOf('v1/query', host, { key, ...parameters })
  return share(url.href, async () => {
    const answer: Answer = {}
    try {
      const { q, limit, mode, fallback, ...filters } = parameters
      const isOwnOrigin = url.origin === origin
      if (isOwnOrigin) url.search = ''
      // A string, because shop scripts that intercept the page's requests expect one.
      const reply = await fetch(url.href, {
        signal: AbortSignal.timeout(10_000),
        // With a GET to its own origin a browser sends no Origin, which a publishable key requires; with a POST it does.
        // Other origins get a simple request without custom headers, which needs no preflight.
        ...(isOwnOrigin && {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ q, limit, mode, fallback, filters }),
        }),
      })
      answer.status = reply.status
      answer.requestId = reply.headers.get('x-request-id')
      const body: QueryResponse & ErrorEnvelope = await reply.json()
      if (reply.ok && body.results.every((result) => result.review.id)) answer.response = body
      else {
        const { error } = body
        answer.refused = error.details?.map((each) => each.path.replace('filters.', ''))
        Object.assign(answer, error)
      }
    } catch (error) {
      answer.code = 'no_answer'
      // In words for the site's developer. The browser only reports that there is no response.
      answer.message = `no answer of ${host}`
      if (answer.status || /Timeout/.test(error as string)) answer.message += ` ${error}`
      else
        try {
          // Any origin may read this, so a response proves that the service runs.
          await fetch(addressOf('snippet/labels', host).href)
          answer.message = `refused by ${host}, key? ${origin} allowed?`
        } catch {}
    }
    return answer
  })
}

/** A line below the reviews, and its language if it is not the page's. */
export interface Note {
  note?: string | undefined
  lang?: string
  /** Not true of reviews with fewer stars. */
  min_rating?: number
}

/** Fetches what accompanies the reviews, which wait for it only briefly. Never rejects: they are shown without it. */
function fetchBeside<T>(name: string, host: string | URL, parameters: Parameters): Promise<Partial<T>> {
  const url = addressOf(`snippet/${name}`, host, parameters)
  return share(url.href, async () => {
    try {
      const reply = await fetch(url.href, { signal: AbortSignal.timeout(3000) })
      return { ...(await reply.json()) }
    } catch {
      return {}
    }
  })
}

/** Fetches the words of a language; on failure they are English. */
export async function fetchLabels(host: string | URL, lang: string): Promise<void> {
  const words = labels[lang] ?? (await fetchBeside<{ labels: string }>('labels', host, { lang })).labels
  // Keeps those that the page has added meanwhile.
  labels[lang] ??= words
}

/** The sentence that says which reviews the key's pages show, by the project's current settings. */
export async function fetchNote(host: string | URL, parameters: Parameters): Promise<Note> {
  const note = await fetchBeside<Note>('note', host, parameters)
  if (!note.note) logError(`no note of ${host}`)
  return note
}
