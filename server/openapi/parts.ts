import type * as v from 'valibot'
import { ERROR_STATUS, type ErrorCode } from '../../src/contract/errors.ts'
import { type Json, jsonSchemaOf, parameterSchemaOf } from './json-schema.ts'

/** Pieces of which the API description is put together. */

export function ref(schema: string): Json {
  return { $ref: `#/components/schemas/${schema}` }
}

export function requestBody(schema: v.GenericSchema, options: { required: boolean; example: unknown }): Json {
  return {
    required: options.required,
    content: { 'application/json': { schema: jsonSchemaOf(schema), example: options.example } },
  }
}

const REQUEST_ID = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }
const RATE_LIMIT = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
}

/** A successful answer with a JSON body. */
export function success(description: string, schema: Json, options: { headers?: Json; example?: unknown } = {}): Json {
  const { headers = RATE_LIMIT, example } = options
  return {
    description,
    headers: { ...REQUEST_ID, ...headers },
    content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
  }
}

export function noContent(description: string, headers: Json = RATE_LIMIT): Json {
  return { description, headers: { ...REQUEST_ID, ...headers } }
}

/** The error answers of an operation, one for each status, naming the codes that it may carry. */
export function errors(...codes: ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      String(status),
      {
        description: named.map((code) => `\`${code}\``).join(' or '),
        headers: { ...REQUEST_ID, ...(status === 429 || status === 503 ? RETRY_AFTER : {}) },
        content: { 'application/json': { schema: ref('Error') } },
      },
    ]),
  )
}

const RETRY_AFTER = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }

/** Query parameters of a strict object schema. Lists are written `a=1&a=2` (`a=1,2` is read too). */
export function queryParameters(
  entries: Record<string, v.GenericSchema>,
  descriptions: Record<string, string>,
): Json[] {
  return Object.entries(entries).map(([name, schema]) => {
    const jsonSchema = parameterSchemaOf(schema)
    return {
      name,
      in: 'query',
      required: false,
      ...(descriptions[name] === undefined ? {} : { description: descriptions[name] }),
      schema: jsonSchema,
      ...(jsonSchema.type === 'array' ? { style: 'form', explode: true } : {}),
    }
  })
}

export const reviewId: Json = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id that a push or the list returned.',
  schema: { type: 'string', format: 'uuid' },
}
