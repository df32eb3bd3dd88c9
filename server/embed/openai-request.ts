import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { isCertificateUntrusted, isUntrusted, reasonOf } from '../../src/contract/connection-error.ts'
import { withAbort } from '../abort.ts'
import { EmbeddingUnavailable } from './embedder.ts'
import { parseEmbeddings } from './openai-answer.ts'

/** The input is to blame rather than the service, which answered 400, 413 or 422, or nothing but zeros. */
export class InputRefused extends Error {}

export interface EmbeddingsRequest {
  fetch: typeof fetch
  /** The full address, `…/v1/embeddings`. */
  address: string
  key?: string | undefined
  body: Record<string, unknown> & { input: readonly string[] }
  timeoutMs: number
  /** Maximum number of attempts, and the longest pause between two; beyond either the call fails. */
  attempts: number
  longestPauseMs: number
  signal?: AbortSignal | undefined
  /** Told how long the service took for vectors, or was given for them. */
  took?: (milliseconds: number) => void
}

/** Of the answer for one text: 7,000 numbers of 36 characters, each on a line of its own. */
const VECTOR_BYTES = 256 * 1024
/** Of an error, and of what surrounds the vectors. Parsing costs a hostile answer's length in time and forty times it in memory. */
const ENVELOPE_BYTES = 64 * 1024
const FIRST_PAUSE_MS = 500
const INPUT_AT_FAULT = new Set([400, 413, 422])
const SHORTEST_SECRET = 12
const KEEPS_METHOD = new Set([307, 308])
const MOST_REDIRECTS = 3
const WORTH_REPEATING = new Set([408, 409, 425, 429])

/** The endpoint's address, from a base address in any of the usual forms. */
export function embeddingsAddress(url: string): string {
  const address = new URL(url)
  const path = address.pathname.replace(/\/+$/, '')
  if (!path.endsWith('/embeddings')) address.pathname = `${path === '' ? '/v1' : path}/embeddings`
  return address.href
}

/**
 * One call of `POST /v1/embeddings` (OpenAI API reference, "Create embeddings"; Ollama, vLLM, TEI and LM Studio support it
 * too), retried as long as that makes sense.
 * @returns raw vectors in input order
 * @throws {InputRefused}
 * @throws {EmbeddingUnavailable}
 */
export async function requestEmbeddings(request: EmbeddingsRequest): Promise<Float32Array[]> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(request)
    if (Array.isArray(outcome)) return outcome
    const { error, repeat } = outcome
    const asked = error.retryAfterSeconds
    const pause = Math.max((asked ?? 0) * 1000, FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()))
    if (!repeat || attempt >= request.attempts || pause > request.longestPauseMs) throw error
    const { signal } = request
    await sleep(pause, undefined, { signal }).catch(() => signal?.throwIfAborted())
  }
}

async function once(
  request: EmbeddingsRequest,
): Promise<Float32Array[] | { error: EmbeddingUnavailable; repeat: boolean }> {
  const { address, body, timeoutMs, signal } = request
  const began = performance.now()
  return withAbort({ signal, timeoutMs }, async (controller) => {
    try {
      const response = await post(request, controller.signal)
      if (!response.ok) return failure(response, (await readText(response, ENVELOPE_BYTES)) ?? '', request)
      const text = await readText(response, ENVELOPE_BYTES + body.input.length * VECTOR_BYTES)
      if (text === undefined) throw new EmbeddingUnavailable('The embedding service answered without end')
      const vectors = parseEmbeddings(text, body.input.length)
      // What a model that did not load may answer. Any two of these would be the same text.
      if (vectors.every((vector) => vector.every((x) => x === 0))) throw new InputRefused('answered with zeros only')
      request.took?.(performance.now() - began)
      return vectors
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof InputRefused) throw error
      if (error instanceof EmbeddingUnavailable) return { error, repeat: false }
      const timedOut = controller.signal.aborted
      if (timedOut) request.took?.(timeoutMs)
      const what = timedOut ? `gave no answer in ${timeoutMs / 1000} s` : `cannot be reached: ${explain(error)}`
      const message = `The embedding service at ${new URL(address).host} ${what}`
      return { error: new EmbeddingUnavailable(message, { cause: error }), repeat: !timedOut && !isUntrusted(error) }
    }
  })
}

/**
 * Follows redirects within the service only: `fetch` would send texts and Azure's key on to any host, and turns a POST into a
 * GET (301, 302).
 */
async function post(
  { fetch, address: first, key, body }: EmbeddingsRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...authorization(first, key),
  }
  let address = new URL(first)
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(address, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: signal ?? null,
    })
    const { status } = response
    const location = response.headers.get('location')
    if (status < 300 || status > 399 || location === null) return response
    await response.body?.cancel()
    const next = new URL(location, address)
    if (!KEEPS_METHOD.has(status) || next.origin !== address.origin || redirects === MOST_REDIRECTS) {
      const message = `The embedding service redirects to ${next.origin}${next.pathname}; set PULLQUOTE_EMBEDDING_URL to the address that answers`
      throw new EmbeddingUnavailable(message, { status })
    }
    address = next
  }
}

function explain(error: unknown): string {
  const hint = isCertificateUntrusted(error)
    ? '; for your own certificate authority, set NODE_EXTRA_CA_CERTS to its file'
    : ''
  return `${reasonOf(error)}${hint}`
}

/** Azure's addresses with an API version expect the key in a header of their own. */
function authorization(address: string, key: string | undefined): Record<string, string> {
  if (key === undefined) return {}
  return new URL(address).searchParams.has('api-version') ? { 'api-key': key } : { authorization: `Bearer ${key}` }
}

function failure(
  response: Response,
  text: string,
  { address, key }: EmbeddingsRequest,
): { error: EmbeddingUnavailable; repeat: boolean } {
  const { status } = response
  const { message, isExhausted } = readError(text)
  // Some services quote the rejected key, and their message is logged. A short key is no secret: local services accept any
  // word.
  const withoutKey = key && key.length >= SHORTEST_SECRET ? message?.replaceAll(key, '…') : message
  const said = withoutKey === undefined ? '' : `: ${withoutKey.slice(0, 300)}`
  if (INPUT_AT_FAULT.has(status)) throw new InputRefused(`refused with ${status}${said}`)
  const hint =
    status === 401 || status === 403
      ? ' (check PULLQUOTE_EMBEDDING_KEY)'
      : status === 404
        ? ` to POST ${address.split('?')[0]} (check PULLQUOTE_EMBEDDING_URL and PULLQUOTE_EMBEDDING_MODEL)`
        : ''
  const error = new EmbeddingUnavailable(`The embedding service answered ${status}${hint}${said}`, {
    retryAfterSeconds: retryAfter(response.headers.get('retry-after')),
    status,
  })
  // An exhausted account does not recover in a second.
  const repeat = (status >= 500 || WORTH_REPEATING.has(status)) && !isExhausted
  return { error, repeat }
}

const quota = v.object({ error: v.object({ code: v.literal('insufficient_quota') }) })

/** Reads the body of an error, whose shape differs between services. */
function readError(text: string): { message?: string | undefined; isExhausted?: boolean } {
  try {
    const body: unknown = JSON.parse(text)
    return { message: firstMessage(body), isExhausted: v.is(quota, body) }
  } catch {
    return {}
  }
}

/** Keys of error messages, outermost first: OpenAI, Gemini (in a list), Cloudflare, Mistral and Cohere, Voyage, FastAPI. */
const MESSAGE_KEYS = ['error', 'errors', 'message', 'detail', 'msg']

function firstMessage(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  const inner = Array.isArray(value)
    ? value.slice(0, 1)
    : MESSAGE_KEYS.flatMap((key) => (Object.hasOwn(value, key) ? [Reflect.get(value, key)] : []))
  for (const one of inner) {
    const message = firstMessage(one, depth + 1)
    if (message !== undefined) return message
  }
  return undefined
}

/** Seconds, or an HTTP date (RFC 9110, section 10.2.3). */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
}

/** @returns undefined when there are more bytes than `most`, of which the rest is not read */
async function readText(response: Response, most: number): Promise<string | undefined> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
