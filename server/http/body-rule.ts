import type { ServerRequest } from 'srvx'
import type * as v from 'valibot'
import type { ErrorDetail } from '../../src/contract/errors.ts'
import { findRepeatedNames } from '../../src/contract/json-names.ts'
import { parseJsonText } from '../../src/contract/json-text.ts'
import { truncatePath, type Validated, validate } from '../../src/contract/validate.ts'
import { measureJson } from './json-limits.ts'

export interface BodyRule<T> {
  /** Bytes; anything larger is `413 payload_too_large`. */
  maxBytes: number
  /** Lower-case media types without parameters. */
  mediaTypes: readonly string[]
  /** @param bytes undefined without a body */
  parse(bytes: Uint8Array | undefined, request: Pick<ServerRequest, 'headers'>): Validated<T>
  isRequired: boolean
  /** Its schema in the API description; default any bytes. */
  schema?: v.GenericSchema
  example?: unknown
}

interface JsonOptions<T> {
  maxBytes: number
  isRequired?: boolean
  example?: unknown
  /** Converts the value to the route's input; default: the schema's output. */
  parse?(value: unknown): Validated<T>
}

export function jsonBody<TSchema extends v.GenericSchema, T = v.InferOutput<TSchema>>(
  schema: TSchema,
  options: JsonOptions<T> & { parse(value: unknown): Validated<T> },
): BodyRule<T>
export function jsonBody<TSchema extends v.GenericSchema>(
  schema: TSchema,
  options: JsonOptions<v.InferOutput<TSchema>>,
): BodyRule<v.InferOutput<TSchema>>
export function jsonBody(schema: v.GenericSchema, options: JsonOptions<unknown>): BodyRule<unknown> {
  const { maxBytes, isRequired = true, example, parse = (value) => validate(schema, value) } = options
  return {
    maxBytes,
    mediaTypes: ['application/json'],
    parse: (bytes, { headers }) => {
      if (bytes !== undefined && isEncoded(headers)) return invalidBody(MUST_NOT_BE_ENCODED)
      const json = parseJson(bytes)
      if (!json.ok) return json
      const { value, repeated } = json.value
      const parsed = parse(value)
      if (repeated.length === 0) return parsed
      return { ok: false, details: parsed.ok ? repeated : [...repeated, ...parsed.details] }
    },
    isRequired,
    schema,
    example,
  }
}

/** A file, which the route reads itself. */
export function fileBody(options: {
  maxBytes: number
  mediaTypes: readonly string[]
}): BodyRule<Uint8Array | undefined> {
  const parse = (value: Uint8Array | undefined, { headers }: Pick<ServerRequest, 'headers'>) =>
    isEncoded(headers) ? invalidBody(MUST_NOT_BE_ENCODED) : { ok: true as const, value }
  return { ...options, isRequired: true, parse }
}

const MUST_NOT_BE_ENCODED =
  'must not be compressed: send it without Content-Encoding, and with no Transfer-Encoding but chunked'

/** Read as they are, compressed bytes would be refused for another reason, or taken for text in an old encoding. */
function isEncoded(headers: Headers): boolean {
  const isOther = (name: string, plain: string) => (headers.get(name) ?? plain).trim().toLowerCase() !== plain
  return isOther('content-encoding', 'identity') || isOther('transfer-encoding', 'chunked')
}

function invalidBody(message: string) {
  return { ok: false as const, details: [{ path: '(body)', message }] }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

interface Json {
  /** Undefined without a body. */
  value: unknown
  /** Findings about names repeated within an object. */
  repeated: ErrorDetail[]
}

function parseJson(bytes: Uint8Array | undefined): Validated<Json> {
  if (bytes === undefined) return { ok: true, value: { value: undefined, repeated: [] } }
  const measured = measureJson(bytes)
  if (measured.exceeded !== undefined) return invalidBody(measured.exceeded)
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return invalidBody('is not valid UTF-8')
  }
  let value: unknown
  try {
    value = parseJsonText(text)
  } catch {
    return invalidBody('is not valid JSON')
  }
  const paths = findRepeatedNames(text, value, measured.names)
  const repeated = paths.map((path) => ({ path: truncatePath(path), message: 'must be given once' }))
  return { ok: true, value: { value, repeated } }
}
