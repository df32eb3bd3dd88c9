/** nginx and Caddy with the templates before a real server: what the contract promises holds through them. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { errorEnvelope } from '../../src/contract/errors.ts'
import { queryResponse } from '../../src/contract/query.ts'
import { pushResponse } from '../../src/contract/review.ts'
import { review } from '../http/service.ts'
import { suite } from '../suite.ts'
import { passesOnSomeTry } from '../waiting.ts'
import { type Answer, type BehindProxy, OPERATOR_TOKEN, openBehindProxy, type Sent } from './behind-proxy.ts'
import { missingTool } from './checkers.ts'
import { HOST, startCaddy, startNginx } from './proxies.ts'

const ORIGIN = 'https://www.example.com'
const MIB = 1024 * 1024

for (const [name, start] of [
  ['nginx', startNginx],
  ['caddy', startCaddy],
] as const) {
  const test = suite(`${name} before the server`)
  const missing = missingTool(name, 'openssl')
  if (missing !== undefined) {
    test.skip('what the contract promises holds through it', `${missing} is not installed`)
    test.run()
    continue
  }
  let behind: BehindProxy
  test.before(async () => {
    behind = await openBehindProxy(start, { origins: [ORIGIN], env: { PULLQUOTE_CONSOLE: 'true' } })
  })
  test.after(() => behind.close())
  const send = (sent: Sent) => behind.send(sent)

  const post = (path: string, body: string | string[], type = 'application/json'): Promise<Answer> =>
    send({ method: 'POST', path, headers: { authorization: `Bearer ${behind.secret}`, 'content-type': type }, body })

  test('a push, its indexing and a query from a web page', async () => {
    const pushed = await post('/v1/reviews', JSON.stringify([review('a')]))
    assert.is(pushed.status, 200, pushed.text)
    v.parse(pushResponse, JSON.parse(pushed.text))
    await behind.server.idle()
    const { status, headers, text } = await send({
      path: `/v1/query?q=breakfast+on+the+terrace&key=${behind.publishable}`,
      headers: { origin: ORIGIN, 'x-request-id': 'through-the-proxy' },
    })
    assert.is(status, 200, text)
    assert.is(v.parse(queryResponse, JSON.parse(text)).match, 'query')
    const wanted = {
      'x-request-id': 'through-the-proxy',
      'access-control-allow-origin': ORIGIN,
      vary: 'Origin',
      'cache-control': 'private, max-age=0, must-revalidate',
      'ratelimit-policy': '120;w=60',
      'ratelimit-limit': '120',
      'x-cache': 'MISS',
    }
    for (const [header, value] of Object.entries(wanted)) assert.is(headers[header], value, header)
  })

  test('preflights and refusals keep their headers, and links lead to the public address', async () => {
    const preflight = await send({ method: 'OPTIONS', path: '/v1/query', headers: { origin: ORIGIN } })
    assert.is(preflight.status, 204)
    assert.is(preflight.headers['access-control-allow-methods'], 'GET, POST, OPTIONS')
    const refused = await send({
      path: `/v1/query?key=${behind.publishable}`,
      headers: { origin: 'https://elsewhere.example' },
    })
    assert.is(refused.status, 403)
    assert.is(refused.headers.vary, 'Origin')
    const { error } = v.parse(errorEnvelope, JSON.parse(refused.text))
    assert.is(error.doc_url, `https://${HOST}/docs/errors#forbidden`)
  })

  test('the console knows its own page by whichever port visitors use, and says what is wrong elsewhere', async () => {
    const host = `${HOST}:8443`
    const signIn = (origin: string) =>
      send({
        method: 'POST',
        path: '/console/api/sign-in',
        headers: { host, origin, 'content-type': 'application/json' },
        body: JSON.stringify({ link: 'A'.repeat(43) }),
      })
    assert.is((await signIn(`https://${host}`)).status, 401, 'only told that this is no link')
    const { status, text } = await signIn('https://www.example.net')
    assert.is(status, 403)
    assert.match(text, /this one is at https:\/\/www\.example\.net\. If that is this server: set PULLQUOTE_PUBLIC_URL/)
  })

  test('an address with every filter at its longest arrives', async () => {
    const filters = Array.from({ length: 32 }, (_, i) => `metadata.${i}=${encodeURIComponent('漢'.repeat(512))}`)
    const { status, headers, text } = await send({
      path: `/v1/query?q=${encodeURIComponent('漢'.repeat(500))}&${filters.join('&')}`,
      headers: { authorization: `Bearer ${behind.secret}` },
    })
    assert.is(status, 200, text.slice(0, 200))
    assert.ok(headers['x-request-id'])
  })

  test("a body over the route's limit is the server's own 413, sent with its length and chunked", async () => {
    for (const body of ['x'.repeat(3 * MIB), Array.from({ length: 48 }, () => 'x'.repeat(64 * 1024))]) {
      const { status, text } = await post('/v1/reviews', body)
      assert.is(status, 413, text.slice(0, 200))
      assert.is(v.parse(errorEnvelope, JSON.parse(text)).error.code, 'payload_too_large')
    }
  })

  test('a file of nearly 10 MiB is read, and one far above is stopped', async () => {
    const row = `2026-01-05,5,Mara,"${'The terrace at breakfast was worth it. '.repeat(200)}"\n`
    const file = `date,rating,author,text\n${row.repeat(Math.floor((9.5 * MIB) / row.length))}`
    const { status, text } = await post('/imports?dry_run=true&file_name=big.csv', file, 'text/csv')
    assert.is(status, 200, text.slice(0, 200))
    assert.is((await post('/imports?dry_run=true', 'x'.repeat(13 * MIB), 'text/csv')).status, 413)
  })

  test('the progress of an import comes while it runs', async () => {
    const authorization = `Bearer ${behind.secret}`
    let tries = 0
    await passesOnSomeTry(async () => {
      tries++
      const rows = Array.from(
        { length: 800 },
        (_, i) => `${tries}-${i},2026-01-05,5,Mara,The terrace at breakfast was number ${i}.`,
      )
      const { status, text, times } = await send({
        method: 'POST',
        path: '/imports?file_name=reviews.csv',
        headers: { authorization, 'content-type': 'text/csv', accept: 'application/x-ndjson' },
        body: `id,date,rating,author,text\n${rows.join('\n')}`,
      })
      assert.is(status, 200, text.slice(0, 200))
      assert.match(text, /"inserted":800/)
      const [first = 0, last = 0] = [times[0], times.at(-1)]
      const inPieces = times.length > 5 && last - first > last / 3
      return inPieces ? undefined : `the pieces came at ${times.map(Math.round)} ms`
    })
    await behind.server.idle()
  })

  test('visitors who open one page at once do not wait for one another, though their answer may not be held', async () => {
    const page = { path: `/v1/query?q=breakfast&limit=2&key=${behind.publishable}`, headers: { origin: ORIGIN } }
    await passesOnSomeTry(async () => {
      const began = performance.now()
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(page)))
      const ms = performance.now() - began
      assert.ok(answers.every(({ status }) => status === 200))
      return ms < 500 ? undefined : `the last one came after ${Math.round(ms)} ms`
    })
  })

  test('the 429 of the rate limit arrives with its Retry-After', async () => {
    const headers = { origin: ORIGIN }
    const path = `/v1/query?limit=1&key=${await behind.newKey('publishable')}`
    const answers = await Promise.all(Array.from({ length: 121 }, () => send({ path, headers })))
    const refused = answers.filter(({ status }) => status === 429)
    assert.is(refused.length, 1)
    assert.match(refused[0]?.headers['retry-after'] ?? '', /^[1-9]\d?$/)
  })

  test("the operator's routes and the metrics are not for the public, however they are written", async () => {
    for (const path of [
      '/operator/projects',
      '/operator/doctor',
      '/metrics',
      '//metrics',
      '/%6detrics',
      '/metrics/',
      '/operator%2Fprojects',
      '/x/../operator/projects',
      '/METRICS',
      '/metrics?x=1',
    ]) {
      const { status } = await send({ path, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } })
      assert.is(status, 404, path)
    }
  })

  test.run()
}
