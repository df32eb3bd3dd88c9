import type { ServerRequest } from 'srvx'
import type * as v from 'valibot'
import { findRepeatedName } from '../../src/contract/json-names.ts'
import { parseJsonText } from '../../src/contract/json-text.ts'
import { truncatePath, type Validated, validate } from '../../src/contract/validate.ts'
import { validationFailed } from './api-error.ts'
import { measureJson } from './json-limits.ts'

export interface BodyRule<T> {
  /** Bytes; one more is `413 payload_too_large`. */
  maxBytes: number
  /** Media types, lower case, without parameters. */
  mediaTypes: readonly string[]
  /** @param bytes `undefined` for no body at all @throws {ApiError} `validation_failed` for what is no JSON */
  parse(bytes: Uint8Array | undefined, request: Pick<ServerRequest, 'headers'>): Validated<T>
  isRequired: boolean
  /** Its form in the API description; any bytes unless set. */
  schema?: v.GenericSchema
  example?: unknown
}

interface JsonOptions<T> {
  maxBytes: number
  isRequired?: boolean
  example?: unknown
  /** Turns the value into the route's input; by default the output of the schema. */
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
    parse: (bytes, { headers }) => parse(parseJson(bytes, headers.get('content-encoding'))),
    isRequired,
    schema,
    example,
  }
}

/** A file, which the route itself reads. */
export function fileBody(options: {
  maxBytes: number
  mediaTypes: readonly string[]
}): BodyRule<Uint8Array | undefined> {
  return { ...options, isRequired: true, parse: (value) => ({ ok: true, value }) }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** `undefined` for no body at all. */
function parseJson(bytes: Uint8Array | undefined, contentEncoding: string | null): unknown {
  if (bytes === undefined) return undefined
  const invalid = (message: string) => validationFailed([{ path: '(body)', message }])
  if (contentEncoding !== null && contentEncoding.trim().toLowerCase() !== 'identity') {
    throw invalid('must not be compressed')
  }
  const measured = measureJson(bytes)
  if (measured.exceeded !== undefined) throw invalid(measured.exceeded)
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalid('is not valid UTF-8')
  }
  let value: unknown
  try {
    value = parseJsonText(text)
  } catch {
    throw invalid('is not valid JSON')
  }
  const repeated = findRepeatedName(text, value, measured.names)
  if (repeated !== undefined) throw validationFailed([{ path: truncatePath(repeated), message: 'must be given once' }])
  return value
}
