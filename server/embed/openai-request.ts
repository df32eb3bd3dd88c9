import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { isCertificateUntrusted, isUntrusted, reasonOf } from '../../src/contract/connection-error.ts'
import { withAbort } from '../abort.ts'
import { EmbeddingUnavailable } from './embedder.ts'

/** The input is to blame rather than the service, which answered 400, 413 or 422. */
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
  const { address, key, body, timeoutMs, signal } = request
  const began = performance.now()
  return withAbort({ signal, timeoutMs }, async (controller) => {
    try {
      const response = await request.fetch(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...authorization(address, key),
        },
        body: JSON.stringify(body),
        signal: controller.signal,
      })
      if (!response.ok) return failure(response, (await readText(response, ENVELOPE_BYTES)) ?? '', request)
      const text = await readText(response, ENVELOPE_BYTES + body.input.length * VECTOR_BYTES)
      if (text === undefined) throw new EmbeddingUnavailable('The embedding service answered without end')
      const vectors = parseEmbeddings(text, body.input.length)
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

// Hand-written, because a call has tens of thousands of numbers.
const numbers = v.custom<number[]>(
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every((x) => typeof x === 'number' && Number.isFinite(x)),
  'is not a list of finite numbers',
)
const base64 = v.pipe(v.string(), v.base64())
const embeddingsBody = v.object({
  data: v.array(v.object({ index: v.optional(v.number()), embedding: v.union([base64, numbers]) })),
})

function parseEmbeddings(text: string, expected: number): Float32Array[] {
  const nonsense = (what: string) => new EmbeddingUnavailable(`The embedding service answered nonsense: ${what}`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw nonsense('no JSON')
  }
  const parsed = v.safeParse(embeddingsBody, json, { abortEarly: true })
  if (!parsed.success) throw nonsense('not the documented shape')
  const { data } = parsed.output
  if (data.length !== expected) throw nonsense(`${data.length} vectors for ${expected} texts`)
  const vectors: (Float32Array | undefined)[] = new Array(expected).fill(undefined)
  for (const [place, { index = place, embedding }] of data.entries()) {
    if (!(index in vectors) || vectors[index]) throw nonsense('the indexes are not those of the input')
    vectors[index] = typeof embedding === 'string' ? decodeFloats(embedding) : Float32Array.from(embedding)
  }
  const complete = vectors.filter((vector) => vector !== undefined)
  const length = complete[0]?.length ?? 0
  if (length === 0 || complete.some((vector) => vector.length !== length))
    throw nonsense('vectors of different lengths')
  if (complete.some((vector) => !vector.every(Number.isFinite))) throw nonsense('numbers that are not finite')
  return complete
}

/** Little-endian 32-bit floats, the format of `encoding_format: base64`. */
function decodeFloats(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % 4 !== 0) return new Float32Array(0)
  const floats = new Float32Array(bytes.length / 4)
  for (let i = 0; i < floats.length; i++) floats[i] = bytes.readFloatLE(i * 4)
  return floats
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
