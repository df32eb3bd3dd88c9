import * as v from 'valibot'
import { ERROR_STATUS, type ErrorCode } from '../../src/contract/errors.ts'
import type { BodyRule } from '../http/body-rule.ts'
import type { QueryRule } from '../http/query-rule.ts'
import type { ResponseRules } from '../http/response-rule.ts'
import type { Access, Route } from '../http/route.ts'
import { examplesOf } from './error-examples.ts'
import { answerSchemaOf, type Json, jsonSchemaOf, parameterSchemaOf } from './json-schema.ts'

const componentHeader = (name: string) => ({ $ref: `#/components/headers/${name}` })
const REQUEST_ID = { 'x-request-id': componentHeader('RequestId') }
const RETRY_AFTER = { 'Retry-After': componentHeader('RetryAfter') }
const RATE_LIMIT = {
  'RateLimit-Policy': componentHeader('RateLimitPolicy'),
  'RateLimit-Limit': componentHeader('RateLimitLimit'),
}

const WITH_TOKEN: ErrorCode[] = ['unauthorized', 'internal', 'service_unavailable']
const WITH_KEY = { headers: RATE_LIMIT, errors: [...WITH_TOKEN, 'forbidden', 'rate_limited'] as ErrorCode[] }

/** What each kind of access implies: credentials, headers of every response, and possible errors. */
const ACCESS: Record<Exclude<Access, 'console'>, { security: Json[]; headers: Json; errors: ErrorCode[] }> = {
  'secret key': { security: [{ secretKey: [] }], ...WITH_KEY },
  // One scheme for both kinds: openapi-generator's Rust sends its token once for each.
  'any key': { security: [{ anyKey: [] }], ...WITH_KEY },
  operator: { security: [{ operatorToken: [] }], headers: {}, errors: WITH_TOKEN },
  open: { security: [], headers: {}, errors: [] },
}

/**
 * Not in `security`, though it is a scheme: generated clients send their token in every way they know, and a secret key would
 * end up in an address.
 */
const KEY_IN_ADDRESS = {
  name: 'key',
  in: 'query',
  required: false,
  description: 'A publishable key, in place of the `Authorization` header. If both are sent, the header counts.',
  schema: { type: 'string', pattern: '^svc_pk_(live|test)_[0-9A-Za-z]{32}$' },
}

/** A route as an operation of OpenAPI. */
export function operationOf(route: Route): Json {
  const { access, operationId, tag, summary, description, query, body, keyParameter } = route
  if (access === 'console') throw new Error(`${route.path} is no interface for others`)
  const { security, headers } = ACCESS[access]
  const takesKeyInAddress = keyParameter === 'accepted' && access === 'any key'
  const parameters = [
    ...pathParameters(route),
    ...(query === undefined || query === 'ignored' ? [] : queryParameters(query)),
    ...(takesKeyInAddress ? [KEY_IN_ADDRESS] : []),
    ...(route.headers ?? []),
  ]
  return {
    operationId,
    tags: [tag ?? (access === 'operator' ? 'Operator' : 'Service')],
    summary,
    description,
    security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined || body === 'ignored' ? {} : { requestBody: requestBody(body) }),
    responses: { ...responsesOf(route.responses ?? {}, headers), ...errorResponses(errorsOf(route, access), access) },
  }
}

/** Possible errors of a request: those implied by its access, body and query string, and the route's own. */
function errorsOf({ path, query, body, errors = [] }: Route, access: Exclude<Access, 'console'>): ErrorCode[] {
  const possible = new Set([...ACCESS[access].errors, ...errors])
  if (path.includes('/:')) possible.add('not_found')
  if (body !== 'ignored') possible.add('unsupported_media_type')
  if (body !== undefined && body !== 'ignored') possible.add('payload_too_large')
  if (body !== 'ignored' || query !== 'ignored') possible.add('validation_failed')
  const inOrder = Object.keys(ERROR_STATUS) as ErrorCode[]
  return inOrder.filter((code) => possible.has(code))
}

function pathParameters({ path, pathParameters: known = {} }: Route): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const { schema, ...about } = known[name] ?? { schema: v.string() }
    return { name, in: 'path', required: true, ...about, schema: jsonSchemaOf(schema) }
  })
}

/** Lists are written `a=1&a=2` (`a=1,2` is accepted too). */
function queryParameters({ parameters, meanings = {}, json = {}, more = [] }: QueryRule<unknown>): Json[] {
  const named = Object.entries(parameters).map(([name, schema]) => {
    const about = { name, in: 'query', required: schema.type !== 'optional', description: meanings[name] }
    // OpenAPI's own form, `content` in place of `schema`, crashes some generators.
    const embedded = json[name] && { contentMediaType: 'application/json', contentSchema: jsonSchemaOf(json[name]) }
    const jsonSchema: Json = { ...parameterSchemaOf(schema), ...embedded }
    const list = jsonSchema.type === 'array' ? { style: 'form', explode: true } : {}
    return { ...about, schema: jsonSchema, ...list }
  })
  return [...named, ...more]
}

/** Bytes. `format` is from OpenAPI 3.0, which generators know best, and valid in 3.1. */
const BINARY = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' }
const TEXT = { type: 'string' }

function requestBody({ isRequired, schema, mediaTypes, example }: BodyRule<unknown>): Json {
  const content = schema ? { schema: jsonSchemaOf(schema), example } : { schema: BINARY }
  return { required: isRequired, content: Object.fromEntries(mediaTypes.map((type) => [type, content])) }
}

function responsesOf(rules: ResponseRules, common: Json): Json {
  const entries = Object.entries(rules).map(([status, rule]) => {
    const { description } = rule
    const headers = { ...REQUEST_ID, ...common, ...rule.headers }
    if (rule.kind === 'empty') return [status, { description, headers }]
    if (rule.kind === 'text') {
      const { mediaType, isBinary } = rule
      return [status, { description, headers, content: { [mediaType]: { schema: isBinary ? BINARY : TEXT } } }]
    }
    const { example, alternatives = {} } = rule
    const content = {
      'application/json': { schema: answerSchemaOf(rule.schema), example },
      ...Object.fromEntries(
        Object.entries(alternatives).map(([type, schema]) => [type, { schema: answerSchemaOf(schema) }]),
      ),
    }
    return [status, { description, headers, content }]
  })
  return Object.fromEntries(entries)
}

/** Errors that may occur once the key is known. A wrong kind of key is rejected before, an origin after. */
const AFTER_KEY = [404, 422, 429, 500, 503]
const AFTER_ANY_KEY = [403, ...AFTER_KEY]

const ERROR = { $ref: '#/components/schemas/ErrorEnvelope' }

/** One per status, naming its possible codes. */
function errorResponses(codes: ErrorCode[], access: Exclude<Access, 'console'>): Json {
  const afterKey = access === 'any key' ? AFTER_ANY_KEY : AFTER_KEY
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      String(status),
      {
        description: named.map((code) => `\`${code}\``).join(' or '),
        headers: {
          ...REQUEST_ID,
          ...(afterKey.includes(status) ? ACCESS[access].headers : {}),
          ...(status === 429 || status === 503 ? RETRY_AFTER : {}),
        },
        content: { 'application/json': { schema: ERROR, examples: examplesOf(named) } },
      },
    ]),
  )
}
