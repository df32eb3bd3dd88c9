import * as v from 'valibot'
import { EmbeddingUnavailable } from './embedder.ts'

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

/**
 * The vectors of an answer to `POST /v1/embeddings`, in the order of the texts.
 * @param expected how many texts were asked about
 * @throws {EmbeddingUnavailable} when it is anything else
 */
export function parseEmbeddings(text: string, expected: number): Float32Array[] {
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
