/** `/v1/query` around the search: headers, CORS, both forms, quota and faults. The search itself is injected. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import type { Search } from '../../../server/search/search.ts'
import type { QueryRequest } from '../../../src/contract/query.ts'
import { queryResponse } from '../../../src/contract/query.ts'
import { assertConventions, assertRateLimitHeaders, assertRefusal } from '../../http/answers.ts'
import { ORIGIN } from '../../http/service.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import { type Sent, TRANSPORTS } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { found, result } from './canned-search.ts'

let answer: () => ReturnType<Search>
let asked: {
  request: QueryRequest
  bypassCache: boolean
  skipInsights: boolean | undefined
  env: string
  project: string
}[] = []
const search: Search = async ({ project, env }, request, { bypassCache, skipInsights }) => {
  asked.push({ request, bypassCache, skipInsights, env, project: project.id })
  return answer()
}

const EXPOSED = 'x-request-id, x-cache, ratelimit-policy, ratelimit-limit, retry-after'
const json = { 'content-type': 'application/json' }

const test = suite('query routes')

const { service, transports } = serviceOnTransports(test, { search })
test.before.each(() => {
  asked = []
  answer = found('MISS')
})

for (const name of TRANSPORTS) {
  const send = (sent: Sent) => {
    return transports[name].send(sent)
  }
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

  test(`${name}: GET answers with the headers of the contract`, async () => {
    const response = await send({ path: '/v1/query?q=quiet', headers: bearer(service.keys.secret) })
    assert.is(response.status, 200)
    assertConventions(response, 'GET')
    assertRateLimitHeaders(response, 1000, 'GET')
    assert.is(response.headers.get('cache-control'), 'private, max-age=0, must-revalidate')
    assert.is(response.headers.get('content-type'), 'application/json')
    assert.is(response.headers.get('x-cache'), 'MISS')
    assert.is(response.headers.get('vary'), 'Origin')
    assert.is(response.headers.get('access-control-allow-origin'), null)
    assert.is(response.headers.get('access-control-expose-headers'), EXPOSED)
    const body = v.parse(queryResponse, await response.json())
    assert.equal(body, { results: [result], match: 'query', took_ms: body.took_ms, cached: false, badge: false })
  })

  test(`${name}: a body that says a field twice is refused by name, and nothing is searched`, async () => {
    const headers = { ...json, ...bearer(service.keys.secret) }
    const body = '{"q": "quiet", "filters": {"min_rating": 5, "min_rating": 4}}'
    const response = await send({ method: 'POST', path: '/v1/query', headers, body })
    const { details } = await assertRefusal(response, 'validation_failed', 'twice')
    assert.equal(details, [{ path: 'filters.min_rating', message: 'must be given once' }])
    assert.is(asked.length, 0)
  })

  test(`${name}: everything that is wrong is listed, also beside a field given twice and a body that is no JSON`, async () => {
    const pathsOf = async (body: string) => {
      const headers = { ...json, ...bearer(service.keys.secret) }
      const response = await send({ method: 'POST', path: '/v1/query?foo=1', headers, body })
      const { details } = await assertRefusal(response, 'validation_failed', 'all')
      return details?.map(({ path }) => path)
    }
    assert.equal(await pathsOf('{"q": "a", "q": "b", "limit": 99, "mode": "x", "mode": "reviews"}'), [
      'foo',
      'q',
      'mode',
      'limit',
    ])
    assert.equal(await pathsOf('{"q": '), ['foo', '(body)'])
  })

  test(`${name}: POST answers the same, but no-store`, async () => {
    const response = await send({
      method: 'POST',
      path: '/v1/query',
      headers: { ...json, ...bearer(service.keys.secret) },
      body: '{"q": "quiet"}',
    })
    assert.is(response.status, 200)
    assert.is(response.headers.get('cache-control'), 'no-store')
    assert.is(response.headers.get('x-cache'), 'MISS')
    assert.is(response.headers.get('vary'), 'Origin')
    v.parse(queryResponse, await response.json())
    assert.is(asked[0]?.request.q, 'quiet')
  })

  test(`${name}: a hit says so in header and body`, async () => {
    answer = found('HIT')
    const response = await send({ path: '/v1/query?q=quiet', headers: bearer(service.keys.secret) })
    assert.is(response.headers.get('x-cache'), 'HIT')
    assert.is(v.parse(queryResponse, await response.json()).cached, true)
  })

  test(`${name}: Cache-Control: no-cache goes around the cache`, async () => {
    answer = found('BYPASS')
    for (const [value, bypass] of [
      ['no-cache', true],
      ['max-age=0, No-Cache', true],
      ['max-age=0', false],
    ] as const) {
      await send({ path: '/v1/query', headers: { ...bearer(service.keys.secret), 'cache-control': value } })
      assert.is(asked.at(-1)?.bypassCache, bypass, value)
    }
  })

  test(`${name}: a query that says so is left out of the insights`, async () => {
    answer = found('MISS')
    const { secret } = service.keys
    await send({ path: '/v1/query?q=quiet', headers: { ...bearer(secret), 'x-pullquote-insights': 'off' } })
    assert.is(asked.at(-1)?.skipInsights, true)
    await send({ path: '/v1/query?q=quiet', headers: bearer(secret) })
    assert.is(asked.at(-1)?.skipInsights, false)
  })

  test(`${name}: a publishable key works from a listed origin, in the header or in the address`, async () => {
    const { publishable } = service.keys
    for (const sent of [
      { path: '/v1/query', headers: { ...bearer(publishable), origin: ORIGIN } },
      { path: `/v1/query?key=${publishable}`, headers: { origin: ORIGIN } },
      { method: 'POST', path: '/v1/query', headers: { ...bearer(publishable), origin: ORIGIN } },
    ]) {
      const response = await send(sent)
      assert.is(response.status, 200, JSON.stringify(sent))
      assertRateLimitHeaders(response, 600, sent.path)
      assert.is(response.headers.get('access-control-allow-origin'), ORIGIN)
    }
  })

  test(`${name}: the origin of a secret key is echoed, whatever it is`, async () => {
    const headers = { ...bearer(service.keys.secret), origin: 'https://other.example' }
    const response = await send({ path: '/v1/query', headers })
    assert.is(response.headers.get('access-control-allow-origin'), 'https://other.example')
  })

  test(`${name}: the header wins over a publishable ?key=`, async () => {
    const path = `/v1/query?key=${service.keys.publishable}`
    const response = await send({ path, headers: bearer(service.keys.secretTest) })
    assert.is(response.status, 200)
    assert.is(asked.at(-1)?.env, 'test')
  })

  test(`${name}: POST without a body and without a type equals {}`, async () => {
    for (const body of [undefined, '', new Uint8Array(0)]) {
      const headers = { ...bearer(service.keys.secret), ...(body === '' ? { 'content-type': 'text/plain' } : {}) }
      const sent = { method: 'POST', path: '/v1/query', headers, ...(body === undefined ? {} : { body }) }
      assert.is((await send(sent)).status, 200, `body ${JSON.stringify(body)}`)
      assert.equal(asked.at(-1)?.request, {
        limit: 5,
        mode: 'excerpts',
        include_text: false,
        fallback: 'none',
        filters: { metadata: [] },
      })
    }
  })

  test(`${name}: GET and POST ask the same`, async () => {
    const headers = bearer(service.keys.secret)
    await send({
      path: '/v1/query?q=h%C3%BCbsch+%26+ruhig&limit=3&source=yelp,google&metadata.page=spa&include=text',
      headers,
    })
    const body = {
      q: 'hübsch & ruhig',
      limit: 3,
      include: 'text',
      filters: { source: ['google', 'yelp'], 'metadata.page': 'spa' },
    }
    await send({ method: 'POST', path: '/v1/query', headers: { ...headers, ...json }, body: JSON.stringify(body) })
    assert.equal(asked[0]?.request, asked[1]?.request)
    assert.is(asked[0]?.request.q, 'hübsch & ruhig')
  })

  test(`${name}: the preflight refuses nothing and needs no key`, async () => {
    const origin = 'https://anywhere.example'
    const response = await send({
      method: 'OPTIONS',
      path: '/v1/query?key=x&key=y',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    assert.is(response.status, 204)
    assertConventions(response, 'preflight')
    assert.is(await response.text(), '')
    assert.equal(
      ['allow-origin', 'allow-methods', 'allow-headers', 'max-age'].map((h) =>
        response.headers.get(`access-control-${h}`),
      ),
      [origin, 'GET, POST, OPTIONS', 'authorization, content-type, cache-control, x-request-id', '86400'],
    )
    assert.is(response.headers.get('vary'), 'Origin')
  })
}

test('the badge mirrors the plan', async () => {
  const free = await service.makeProject('free', { plan: 'free' })
  const key = await service.makeKey(free, 'secret', 'live')
  const response = await transports['app.fetch'].send({
    path: '/v1/query',
    headers: { authorization: `Bearer ${key}` },
  })
  if (!response) throw new Error('no response')
  assertRateLimitHeaders(response, 300, 'free')
  assert.is(v.parse(queryResponse, await response.json()).badge, true)
})

test.run()
