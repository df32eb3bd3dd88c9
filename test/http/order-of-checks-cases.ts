/** The table of test/http/order-of-checks.db.test.ts: a request with two or more faults, and the refusal that wins. */
import type { ErrorCode } from '../../src/contract/errors.ts'
import { ORIGIN, review, type TestService } from './service.ts'
import type { Sent } from './transport.ts'

export const json = { 'content-type': 'application/json' }
export const KIB = 1024
export const bytes = (size: number) => new Uint8Array(size).fill(0x20)
export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
export const UNKNOWN_SECRET = `svc_sk_live_${'0'.repeat(32)}`
export const UNKNOWN_PUBLISHABLE = `svc_pk_live_${'0'.repeat(32)}`
export const ID = '5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10'
export interface Case {
  name: string
  request: (service: TestService) => Sent
  code: ErrorCode
  /** RateLimit-Limit of the answer; none by default. */
  limit?: number
  /** Access-Control-Allow-Origin of the answer; none by default. */
  allowed?: string
  /** Paths of the details. */
  paths?: string[]
}
export const cases: Case[] = [
  // A route that does not exist comes before everything else.
  ...[
    '/v1',
    '/v1/query/',
    '/v1/reviews/',
    '/v1//query',
    '/v1/%71uery',
    '/v2/query',
    '/v1/reviews/a/b',
    '/favicon.ico',
  ].map((path): Case => ({ name: `unknown path ${path}`, request: () => ({ path }), code: 'not_found' })),
  ...['PUT', 'DELETE', 'PATCH', 'PROPFIND'].map(
    (method): Case => ({
      name: `${method} /v1/query`,
      request: ({ keys }) => ({ method, path: '/v1/query', headers: bearer(keys.secret), body: bytes(20 * KIB) }),
      code: 'not_found',
    }),
  ),
  ...['PUT', 'DELETE', 'PATCH', 'OPTIONS'].map(
    (method): Case => ({
      name: `${method} /v1/reviews`,
      request: () => ({ method, path: '/v1/reviews' }),
      code: 'not_found',
    }),
  ),
  ...['PUT', 'POST', 'OPTIONS'].map(
    (method): Case => ({
      name: `${method} /v1/reviews/{id}`,
      request: () => ({ method, path: `/v1/reviews/${ID}` }),
      code: 'not_found',
    }),
  ),
  {
    name: 'unknown route with a secret key in its address',
    request: () => ({ path: `/v1/nothing?key=${UNKNOWN_SECRET}` }),
    code: 'not_found',
  },

  // Content type: before the size, and before authentication.
  {
    name: 'a large body without a content type and without a key',
    request: () => ({ method: 'POST', path: '/v1/reviews', body: bytes(1025 * KIB) }),
    code: 'unsupported_media_type',
  },
  {
    name: 'a body of another type with a good key',
    request: ({ keys }) => ({
      method: 'POST',
      path: '/v1/reviews',
      headers: { ...bearer(keys.secret), 'content-type': 'text/plain' },
      body: '[]',
    }),
    code: 'unsupported_media_type',
  },
  {
    name: 'JSON by another name',
    request: () => ({ method: 'POST', path: '/v1/query', headers: { 'content-type': 'text/json' }, body: '{}' }),
    code: 'unsupported_media_type',
  },
  {
    name: 'two content types in one',
    request: () => ({
      method: 'POST',
      path: '/v1/query',
      headers: { 'content-type': 'application/json, text/plain' },
      body: '{}',
    }),
    code: 'unsupported_media_type',
  },
  {
    name: 'a body without a type on a route that takes none',
    request: () => ({ method: 'DELETE', path: `/v1/reviews/${ID}`, body: bytes(1) }),
    code: 'unsupported_media_type',
  },

  // Size: before authentication.
  ...(
    [
      ['POST', '/v1/reviews', 1024],
      ['PATCH', `/v1/reviews/${ID}`, 64],
      ['POST', '/v1/query', 16],
    ] as const
  ).flatMap(([method, path, limit]): Case[] => [
    {
      name: `${limit} KiB and one byte for ${method} ${path}`,
      request: () => ({ method, path, headers: json, body: bytes(limit * KIB + 1) }),
      code: 'payload_too_large',
    },
    {
      name: `a stream beyond ${limit} KiB for ${method} ${path}`,
      request: ({ keys }) => ({
        method,
        path,
        headers: { ...json, ...bearer(keys.secret) },
        body: streamOf(limit * KIB + 1),
      }),
      code: 'payload_too_large',
    },
    {
      name: `exactly ${limit} KiB for ${method} ${path}, without a key`,
      request: () => ({ method, path, headers: json, body: bytes(limit * KIB) }),
      code: 'unauthorized',
    },
  ]),

  // Form of the key.
  { name: 'no key', request: () => ({ path: '/v1/reviews' }), code: 'unauthorized' },
  {
    name: 'no key for a query',
    request: () => ({ path: '/v1/query', headers: { origin: ORIGIN } }),
    code: 'unauthorized',
  },
  ...[
    'Basic YTpi',
    'Bearer',
    'Bearer ',
    'Bearer x',
    `bearer ${UNKNOWN_SECRET}`,
    UNKNOWN_SECRET,
    `Bearer  ${UNKNOWN_SECRET}`,
  ].map(
    (authorization): Case => ({
      name: `header ${authorization.slice(0, 20)}`,
      request: () => ({ path: '/v1/reviews', headers: { authorization } }),
      code: 'unauthorized',
    }),
  ),
  {
    name: 'invalid parameters without a key',
    request: () => ({ path: '/v1/reviews?limit=0' }),
    code: 'unauthorized',
  },
  {
    name: 'an id that is no UUID, without a key',
    request: () => ({ path: '/v1/reviews/7' }),
    code: 'unauthorized',
  },

  // The key in the address.
  {
    name: 'a secret key in the address',
    request: ({ keys }) => ({ path: `/v1/query?key=${keys.secret}` }),
    code: 'unauthorized',
  },
  {
    name: 'a secret key in the address beside a good header',
    request: ({ keys }) => ({ path: `/v1/query?key=${keys.secret}`, headers: bearer(keys.secret) }),
    code: 'unauthorized',
  },
  {
    name: 'a secret key in the address of a managing route',
    request: ({ keys }) => ({ path: `/v1/reviews?key=${keys.secret}`, headers: bearer(keys.secret) }),
    code: 'unauthorized',
  },
  {
    name: 'a secret key in the address under another name',
    request: ({ keys }) => ({ path: `/v1/query?token=${keys.secret}`, headers: bearer(keys.secret) }),
    code: 'unauthorized',
  },
  {
    name: 'a secret key in the address as a name',
    request: ({ keys }) => ({ path: `/v1/query?${keys.secret}`, headers: bearer(keys.secret) }),
    code: 'unauthorized',
  },
  {
    name: 'a publishable key in the address of POST',
    request: ({ keys }) => ({ method: 'POST', path: `/v1/query?key=${keys.publishable}`, headers: { origin: ORIGIN } }),
    code: 'unauthorized',
  },
  {
    name: 'a publishable key in the address of POST beside a good header',
    request: ({ keys }) => ({
      method: 'POST',
      path: `/v1/query?key=${keys.publishable}`,
      headers: bearer(keys.secret),
    }),
    code: 'unauthorized',
  },
  {
    name: 'the key given twice',
    request: ({ keys }) => ({
      path: `/v1/query?key=${keys.publishable}&key=${keys.publishable}`,
      headers: { origin: ORIGIN },
    }),
    code: 'unauthorized',
  },
  {
    name: 'no key at all in ?key=',
    request: () => ({ path: '/v1/query?key=', headers: { origin: ORIGIN } }),
    code: 'unauthorized',
  },
  {
    name: 'a bad header beside a good ?key=: the header wins',
    request: ({ keys }) => ({
      path: `/v1/query?key=${keys.publishable}`,
      headers: { origin: ORIGIN, authorization: 'Bearer x' },
    }),
    code: 'unauthorized',
  },
  {
    name: 'a publishable key as a parameter of a managing route',
    request: ({ keys }) => ({ path: `/v1/reviews?key=${keys.publishable}`, headers: bearer(keys.secret) }),
    code: 'validation_failed',
    limit: 1000,
    paths: ['key'],
  },
  {
    name: 'the same twice',
    request: ({ keys }) => ({
      path: `/v1/reviews?key=${keys.publishable}&key=${keys.publishable}`,
      headers: bearer(keys.secret),
    }),
    code: 'validation_failed',
    limit: 1000,
    paths: ['key'],
  },
  {
    name: 'the same without a header: no key at all',
    request: ({ keys }) => ({ path: `/v1/reviews?key=${keys.publishable}` }),
    code: 'unauthorized',
  },

  // Kind of the key: before it is looked up.
  ...(
    [
      ['GET', '/v1/reviews'],
      ['POST', '/v1/reviews'],
      ['GET', `/v1/reviews/${ID}`],
      ['PATCH', `/v1/reviews/${ID}`],
      ['DELETE', `/v1/reviews/${ID}`],
    ] as const
  ).map(
    ([method, path]): Case => ({
      name: `a publishable key for ${method} ${path}`,
      request: () => ({ method, path: `${path}?limit=0`, headers: bearer(UNKNOWN_PUBLISHABLE) }),
      code: 'forbidden',
    }),
  ),

  // Look-up of the key: before origin and validation.
  {
    name: 'an unknown key',
    request: () => ({ path: '/v1/reviews?x=1', headers: bearer(UNKNOWN_SECRET) }),
    code: 'unauthorized',
  },
  {
    name: 'an unknown publishable key without an origin',
    request: () => ({ path: '/v1/query?x=1', headers: bearer(UNKNOWN_PUBLISHABLE) }),
    code: 'unauthorized',
  },
  {
    name: 'an unknown publishable key in the address',
    request: () => ({ path: `/v1/query?key=${UNKNOWN_PUBLISHABLE}`, headers: { origin: ORIGIN } }),
    code: 'unauthorized',
  },

  // Origin: before validation.
  ...[
    undefined,
    'null',
    `${ORIGIN}/`,
    `${ORIGIN}:443`,
    'http://www.hotel.example',
    'https://hotel.example',
    ORIGIN.toUpperCase(),
  ].map(
    (origin): Case => ({
      name: `origin ${origin} with a publishable key`,
      request: ({ keys }) => ({
        path: '/v1/query?limit=0',
        headers: { ...bearer(keys.publishable), ...(origin === undefined ? {} : { origin }) },
      }),
      code: 'forbidden',
      limit: 600,
    }),
  ),

  // Validation.
  {
    name: 'bad parameters of a query',
    request: ({ keys }) => ({ path: `/v1/query?limit=0&what=1&key=${keys.publishable}`, headers: { origin: ORIGIN } }),
    code: 'validation_failed',
    limit: 600,
    allowed: ORIGIN,
    paths: ['limit', 'what'],
  },
  {
    name: 'a bad body with an origin and a secret key',
    request: ({ keys }) => ({
      method: 'POST',
      path: '/v1/query',
      headers: { ...json, ...bearer(keys.secret), origin: 'https://anywhere.example' },
      body: '{"limit": 0, "filters": {"since": "x"}}',
    }),
    code: 'validation_failed',
    limit: 1000,
    allowed: 'https://anywhere.example',
    paths: ['limit', 'filters.since'],
  },
  {
    name: 'bytes that are no UTF-8 in the address',
    request: ({ keys }) => ({ path: '/v1/query?q=%ff%fe', headers: bearer(keys.secret) }),
    code: 'validation_failed',
    limit: 1000,
    paths: ['q'],
  },
  ...(
    [
      ['nothing', ''],
      ['spaces', '  '],
      ['half an object', '{"text": '],
      ['two values', '{} {}'],
      ['a NaN', '[NaN]'],
      ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
      ['half a million brackets', '['.repeat(500_000)],
      ['a deep object', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ] as const
  ).map(
    ([name, body]): Case => ({
      name: `a push of ${name}`,
      request: ({ keys }) => ({
        method: 'POST',
        path: '/v1/reviews',
        headers: { ...json, ...bearer(keys.secret) },
        body,
      }),
      code: 'validation_failed',
      limit: 1000,
    }),
  ),
  {
    name: 'a name that is empty',
    request: ({ keys }) => ({ path: '/v1/reviews?=1', headers: bearer(keys.secret) }),
    code: 'validation_failed',
    limit: 1000,
    paths: [''],
  },
  {
    name: 'a compressed body',
    request: ({ keys }) => ({
      method: 'POST',
      path: '/v1/query',
      headers: { ...json, ...bearer(keys.secret), 'content-encoding': 'gzip' },
      body: new Uint8Array([0x1f, 0x8b, 8, 0]),
    }),
    code: 'validation_failed',
    limit: 1000,
    paths: ['(body)'],
  },
  {
    name: 'a deep value in a field',
    request: ({ keys }) => ({
      method: 'POST',
      path: '/v1/reviews',
      headers: { ...json, ...bearer(keys.secret) },
      body: JSON.stringify(review('a')).replace('"google"', `${'['.repeat(400)}${']'.repeat(400)}`),
    }),
    code: 'validation_failed',
    limit: 1000,
    paths: ['source'],
  },
  {
    name: 'a value in a field that is too deep to be parsed',
    request: ({ keys }) => ({
      method: 'POST',
      path: '/v1/reviews',
      headers: { ...json, ...bearer(keys.secret) },
      body: JSON.stringify(review('a')).replace('"google"', `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
    }),
    code: 'validation_failed',
    limit: 1000,
    paths: ['(body)'],
  },
  {
    name: 'a parameter and a field that are unknown',
    request: ({ keys }) => ({
      method: 'POST',
      path: '/v1/reviews?dry=1',
      headers: { ...json, ...bearer(keys.secret) },
      body: JSON.stringify([review('a'), review('b', { stars: 5 })]),
    }),
    code: 'validation_failed',
    limit: 1000,
    paths: ['dry', '1.stars'],
  },
  ...(['GET', 'PATCH', 'DELETE'] as const).map(
    (method): Case => ({
      name: `${method} of one review with a parameter`,
      request: ({ keys }) => ({
        method,
        path: `/v1/reviews/${ID}?fields=id`,
        headers: { ...bearer(keys.secret), ...(method === 'PATCH' ? json : {}) },
        ...(method === 'PATCH' ? { body: '{"hidden": true}' } : {}),
      }),
      code: 'validation_failed',
      limit: 1000,
      paths: ['fields'],
    }),
  ),
  {
    name: 'DELETE with a body',
    request: ({ keys }) => ({
      method: 'DELETE',
      path: `/v1/reviews/${ID}`,
      headers: { ...json, ...bearer(keys.secret) },
      body: '{"hidden": true}',
    }),
    code: 'validation_failed',
    limit: 1000,
    paths: ['(body)'],
  },
  {
    name: 'a list parameter given twice, and another that is wrong',
    request: ({ keys }) => ({ path: '/v1/reviews?source=yelp&source=yelp&limit=0', headers: bearer(keys.secret) }),
    code: 'validation_failed',
    limit: 1000,
    paths: ['source', 'limit'],
  },

  // Work.
  ...(['GET', 'DELETE'] as const).flatMap((method): Case[] =>
    ['7', ID, 'ffffffff-ffff-ffff-ffff-fffffffffffg', `${ID}0`].map((id) => ({
      name: `${method} of the missing review ${id}`,
      request: ({ keys }) => ({ method, path: `/v1/reviews/${id}`, headers: bearer(keys.secret) }),
      code: 'not_found',
      limit: 1000,
    })),
  ),
  {
    name: 'PATCH of a missing review',
    request: ({ keys }) => ({
      method: 'PATCH',
      path: `/v1/reviews/${ID}`,
      headers: { ...json, ...bearer(keys.secret) },
      body: '{"hidden": true}',
    }),
    code: 'not_found',
    limit: 1000,
  },
]
export function streamOf(size: number): ReadableStream<Uint8Array> {
  let left = size
  return new ReadableStream({
    pull(controller) {
      const chunk = Math.min(left, 10_000)
      left -= chunk
      if (chunk > 0) controller.enqueue(bytes(chunk))
      else controller.close()
    },
  })
}
