/** Answers that a proxy holds: what it saves, what it may not hold, and how soon a change is seen. */
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { queryResponse } from '../../src/contract/query.ts'
import { review } from '../http/service.ts'
import { suite } from '../suite.ts'
import { passesOnSomeTry } from '../waiting.ts'
import { type Answer, type BehindProxy, openBehindProxy } from './behind-proxy.ts'
import { missingTool } from './checkers.ts'
import { startCaddyWithCache, startNginx } from './proxies.ts'

const SHOP = 'https://www.example.com'
const BLOG = 'https://blog.example.com'
const SECONDS = 3

for (const [name, start, tools] of [
  ['nginx', startNginx, ['nginx']],
  ['Caddy with the cache of nginx', startCaddyWithCache, ['caddy', 'nginx']],
] as const) {
  const test = suite(`${name} holds answers`)
  const missing = missingTool(...tools, 'openssl')
  if (missing !== undefined) {
    test.skip('what a shared cache may hold', `${missing} is not installed`)
    test.run()
    continue
  }
  let behind: BehindProxy
  test.before(async () => {
    const env = { PULLQUOTE_SHARED_CACHE_SECONDS: String(SECONDS), PULLQUOTE_MAX_PROJECTS: '2' }
    behind = await openBehindProxy(start, { origins: [SHOP, BLOG], env })
    const { server, secret } = behind
    const reviews = Array.from({ length: 12 }, (_, n) => review(String(n)))
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const pushed = await fetch(`${server.url}/v1/reviews`, { method: 'POST', headers, body: JSON.stringify(reviews) })
    assert.is(pushed.status, 200)
    await server.idle()
  })
  test.after(() => behind.close())

  const get = (path: string, headers: Record<string, string>) => behind.send({ path, headers })
  let serial = 0
  /** A query that nothing has asked before. */
  const fresh = () => `/v1/query?q=breakfast+${++serial}&limit=10&key=${behind.publishable}`
  const idOf = ({ headers }: Answer) => headers['x-request-id']

  test('the same page again is answered without the server, and costs the key nothing', async () => {
    const path = fresh()
    const answers: Answer[] = []
    for (let n = 0; n < 200; n++) answers.push(await get(path, { origin: SHOP }))
    assert.ok(answers.every(({ status }) => status === 200))
    const [first] = answers
    assert.is(first?.headers['cache-control'], `public, max-age=0, s-maxage=${SECONDS}, must-revalidate`)
    assert.is(first?.headers['access-control-allow-origin'], SHOP)
    assert.ok(new Set(answers.map(idOf)).size < 60, 'asked the server each time')
  })

  test('visitors who open one page at once do not wait for one another', async () => {
    await passesOnSomeTry(async () => {
      const path = fresh()
      const began = performance.now()
      const answers = await Promise.all(Array.from({ length: 8 }, () => get(path, { origin: SHOP })))
      const ms = performance.now() - began
      assert.ok(answers.every(({ status }) => status === 200))
      return ms < 450 ? undefined : `the last one came after ${Math.round(ms)} ms`
    })
  })

  test('HEAD is no method of the API, also where a GET is held', async () => {
    const path = fresh()
    assert.is((await get(path, { origin: SHOP })).status, 200)
    assert.is((await behind.send({ method: 'HEAD', path, headers: { origin: SHOP } })).status, 404)
  })

  test('each origin has its own answer, and one that is not listed has none', async () => {
    const path = fresh()
    for (const origin of [SHOP, BLOG, SHOP, BLOG])
      assert.is((await get(path, { origin })).headers['access-control-allow-origin'], origin)
    for (const headers of [{ origin: 'https://elsewhere.example' }, {}] as Record<string, string>[]) {
      const refused = await get(path, headers)
      assert.is(refused.status, 403)
      assert.is(refused.headers['cache-control'], 'no-store')
    }
  })

  test('two projects that ask the same from the same page never get each other’s reviews', async () => {
    await behind.newProject('cafe', [SHOP])
    const key = await behind.newKey('publishable', 'cafe')
    const headers = {
      authorization: `Bearer ${await behind.newKey('secret', 'cafe')}`,
      'content-type': 'application/json',
    }
    const body = JSON.stringify([review('of the café')])
    assert.is((await fetch(`${behind.server.url}/v1/reviews`, { method: 'POST', headers, body })).status, 200)
    await behind.server.idle()
    const countWith = async (key: string) => {
      const { bytes } = await get(`/v1/query?limit=20&key=${key}`, { origin: SHOP })
      return v.parse(queryResponse, JSON.parse(String(bytes))).results.length
    }
    for (let round = 0; round < 3; round++)
      assert.equal([await countWith(behind.publishable), await countWith(key)], [12, 1])
    // A key whose project does not list the origin gets nothing, whatever is held for the other's.
    const elsewhere = await get(`/v1/query?limit=20&key=${key}`, { origin: BLOG })
    assert.is(elsewhere.status, 403)
  })

  test('the 429 of a key that is used up is held for nobody, and what is held is still served', async () => {
    const key = await behind.newKey('publishable')
    const path = (limit: number) => `/v1/query?limit=${limit}&key=${key}`
    // Past the proxy, which would hold them: the free plan's 120 a minute but one.
    const direct = () => fetch(`${behind.server.url}${path(2)}`, { headers: { origin: SHOP } })
    await Promise.all(Array.from({ length: 119 }, direct))
    assert.is((await get(path(1), { origin: SHOP })).status, 200)
    assert.is((await direct()).status, 429)
    assert.is((await get(path(1), { origin: SHOP })).status, 200)
    const [one, two] = [await get(path(3), { origin: SHOP }), await get(path(3), { origin: SHOP })]
    assert.equal([one.status, two.status], [429, 429])
    assert.is(one.headers['cache-control'], 'no-store')
    assert.not.equal(idOf(one), idOf(two))
    // Another key of the same page is not refused with it.
    assert.is((await get(`/v1/query?limit=3&key=${behind.publishable}`, { origin: SHOP })).status, 200)
  })

  test('who accepts gzip gets it, and who does not gets plain JSON, of one address', async () => {
    const path = fresh()
    for (let round = 0; round < 2; round++) {
      const zipped = await get(path, { origin: SHOP, 'accept-encoding': 'gzip' })
      assert.is(zipped.headers['content-encoding'], 'gzip')
      v.parse(queryResponse, JSON.parse(String(gunzipSync(zipped.bytes))))
      const plain = await get(path, { origin: SHOP, 'accept-encoding': 'identity' })
      assert.is(plain.headers['content-encoding'], undefined)
      v.parse(queryResponse, JSON.parse(String(plain.bytes)))
    }
  })

  test('a key in the header is never held, with the same address as one that is', async () => {
    const path = fresh()
    await get(path, { origin: SHOP })
    const headers = { origin: SHOP, authorization: `Bearer ${behind.secret}` }
    const [one, two] = [await get(path, headers), await get(path, headers)]
    assert.not.equal(idOf(one), idOf(two))
    assert.is(one.headers['cache-control'], 'private, max-age=0, must-revalidate')
    const wrong = await get(path, { origin: SHOP, authorization: 'Bearer nonsense' })
    assert.is(wrong.status, 401)
  })

  test('a browser that has the answer gets 304, and no-cache goes through to the server', async () => {
    const path = fresh()
    const first = await get(path, { origin: SHOP })
    const { etag = '' } = first.headers
    assert.is((await get(path, { origin: SHOP, 'if-none-match': etag })).status, 304)
    const anew = await get(path, { origin: SHOP, 'cache-control': 'no-cache' })
    assert.is(anew.headers['x-cache'], 'BYPASS')
    assert.is(anew.headers['cache-control'], 'private, max-age=0, must-revalidate')
  })

  test('what is hidden is gone within the seconds that were set', async () => {
    const path = `/v1/query?limit=20&key=${behind.publishable}`
    const shown = async () =>
      v.parse(queryResponse, JSON.parse(String((await get(path, { origin: SHOP })).bytes))).results.length
    assert.is(await shown(), 12)
    const headers = { authorization: `Bearer ${behind.secret}`, 'content-type': 'application/json' }
    const listed = await (await fetch(`${behind.server.url}/v1/reviews?limit=1`, { headers })).json()
    const { reviews } = v.parse(v.object({ reviews: v.array(v.object({ id: v.string() })) }), listed)
    const change = { method: 'PATCH', headers, body: '{"hidden": true}' }
    assert.is((await fetch(`${behind.server.url}/v1/reviews/${reviews[0]?.id}`, change)).status, 200)
    const hiddenAt = performance.now()
    while ((await shown()) === 12 && performance.now() - hiddenAt < 60_000) await pause(100)
    assert.is(await shown(), 11)
  })

  test.run()
}
