/** How the answer of a query travels: compressed once and kept, with a tag by which a browser asks again. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { encodePrefix } from '../../../server/http/encoded-prefix.ts'
import type { Search } from '../../../server/search/search.ts'
import type { QueryResult } from '../../../src/contract/query.ts'
import { queryResponse } from '../../../src/contract/query.ts'
import { assertConventions, assertRateLimitHeaders } from '../../http/answers.ts'
import { ORIGIN, openService, type TestService } from '../../http/service.ts'
import { openTransport, type Transport } from '../../http/transport.ts'
import { suite } from '../../suite.ts'

const test = suite('how the answer of a query travels')
let service: TestService
let transport: Transport

const row = (n: number): QueryResult => ({
  score: 0.8,
  matched: true,
  excerpt: 'Frühstück 🥐 on the terrace.',
  excerpt_id: `0b6e6f0e-5d0c-4c77-9a0c-${String(n).padStart(12, '0')}`,
  highlight: null,
  review: {
    id: `5f0c1f2e-3f52-4b44-9d5e-${String(n).padStart(12, '0')}`,
    rating: 5,
    author_name: '漢字',
    author_avatar_url: null,
    source: 'google',
    occurred_at: null,
    url: null,
    metadata: {},
  },
})
const MANY = Array.from({ length: 20 }, (_, n) => row(n))
let results = MANY
let cache: 'HIT' | 'MISS' = 'MISS'
const search: Search = async () => ({ ok: true, results, match: 'query', cache })

test.before(async () => {
  service = await openService({ search })
  transport = await openTransport('app.fetch', service.deps)
})
test.before.each(() => {
  results = MANY
  cache = 'MISS'
})
test.after(() => service.close())

const ask = (headers: Record<string, string> = {}, path = '/v1/query?q=x') =>
  transport.send({ path, headers: { authorization: `Bearer ${service.keys.secret}`, ...headers } })

const DECODED = {
  br: (bytes: Uint8Array) => brotliDecompressSync(bytes),
  gzip: (bytes: Uint8Array) => gunzipSync(bytes),
}

async function decoded(response: Response, encoding: keyof typeof DECODED) {
  assert.is(response.headers.get('content-encoding'), encoding)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { size: bytes.length, body: v.parse(queryResponse, JSON.parse(String(DECODED[encoding](bytes)))) }
}

test('a text and its end make one stream of their encoding, whatever their lengths', async () => {
  for (const head of ['', 'a', 'Frühstück 🥐', 'x'.repeat(70_000), JSON.stringify(MANY)])
    for (const tail of ['}', ',"took_ms":3}', 'é'.repeat(300), 'y'.repeat(65_535)])
      for (const encoding of ['br', 'gzip'] as const) {
        const joined = (await encodePrefix(encoding, head)).join(tail)
        assert.is(String(DECODED[encoding](joined)), head + tail, `${encoding} ${head.length} ${tail.length}`)
      }
})

test('by the smallest encoding that the client accepts, the same as without', async () => {
  const plain = await (await ask()).json()
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, GZIP;q=0.5', 'gzip'],
  ] as const) {
    const response = await ask({ 'accept-encoding': accepted })
    assertConventions(response, accepted)
    assertRateLimitHeaders(response, 1000, accepted)
    assert.is(response.headers.get('content-type'), 'application/json')
    const { size, body } = await decoded(response, encoding)
    assert.equal({ ...body, took_ms: 0 }, { ...Object(plain), took_ms: 0 })
    assert.ok(size < JSON.stringify(plain).length / 4, `${size} bytes`)
  }
  for (const accepted of ['identity', 'zstd', 'br;q=0', ''])
    assert.is((await ask({ 'accept-encoding': accepted })).headers.get('content-encoding'), null, accepted)
})

test('took_ms and cached are of this request, in an answer that was compressed for an earlier one', async () => {
  const first = await decoded(await ask({ 'accept-encoding': 'br' }), 'br')
  cache = 'HIT'
  const second = await decoded(await ask({ 'accept-encoding': 'br' }), 'br')
  assert.equal([first.body.cached, second.body.cached], [false, true])
})

test('a short answer is not compressed and varies by origin only, a long one by what the client accepts as well', async () => {
  assert.is((await ask({ 'accept-encoding': 'br' })).headers.get('vary'), 'Origin, Accept-Encoding')
  assert.is((await ask()).headers.get('vary'), 'Origin, Accept-Encoding')
  results = [row(1)]
  const short = await ask({ 'accept-encoding': 'br' })
  assert.is(short.headers.get('content-encoding'), null)
  assert.is(short.headers.get('vary'), 'Origin')
})

test('POST is compressed too, and has no tag', async () => {
  const response = await transport.send({
    method: 'POST',
    path: '/v1/query',
    headers: { authorization: `Bearer ${service.keys.secret}`, 'accept-encoding': 'gzip', 'if-none-match': '*' },
  })
  assert.is(response.headers.get('etag'), null)
  assert.is((await decoded(response, 'gzip')).body.results.length, 20)
})

test('304 with all headers to a client that has the results, 200 as soon as they are others', async () => {
  const headers = { authorization: `Bearer ${service.keys.publishable}`, origin: ORIGIN }
  const first = await ask(headers)
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^W\/"[\w-]{22}"$/)
  cache = 'HIT'
  for (const known of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
    const again = await ask({ ...headers, 'if-none-match': known, 'accept-encoding': 'br' })
    assert.is(again.status, 304, known)
    assert.is(await again.text(), '')
    assertConventions(again, known)
    assertRateLimitHeaders(again, 600, known)
    assert.is(again.headers.get('etag'), etag)
    assert.is(again.headers.get('cache-control'), 'private, max-age=0, must-revalidate')
    assert.is(again.headers.get('access-control-allow-origin'), ORIGIN)
    assert.is(again.headers.get('vary'), 'Origin, Accept-Encoding')
    assert.is(again.headers.get('x-cache'), 'HIT')
    assert.is(again.headers.get('content-type'), null)
  }
  for (const known of ['"other"', etag.slice(0, 10), ''])
    assert.is((await ask({ ...headers, 'if-none-match': known })).status, 200)
  // Equal results that were found anew are the same; others are not.
  results = structuredClone(MANY)
  assert.is((await ask({ ...headers, 'if-none-match': etag })).status, 304)
  results = MANY.slice(1)
  assert.is((await ask({ ...headers, 'if-none-match': etag })).status, 200)
})

test('a change of plan, which changes the badge, is another version', async () => {
  const etag = (await ask()).headers.get('etag') ?? ''
  const { sql } = service.database
  await sql`update projects set plan = 'free' where id = ${service.project.id}`
  const response = await ask({ 'if-none-match': etag })
  assert.is(response.status, 200)
  assert.is(v.parse(queryResponse, await response.json()).badge, true)
  assert.not.equal(response.headers.get('etag'), etag)
  await sql`update projects set plan = 'paid' where id = ${service.project.id}`
})

test('a refusal is a refusal, whatever the client has', async () => {
  const response = await ask({ 'if-none-match': '*' }, '/v1/query?limit=99')
  assert.is(response.status, 422)
  assert.is(response.headers.get('etag'), null)
})

test.run()
