/** nginx and Caddy with the templates before a real server: what the contract promises holds through them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { readConfig } from '../../server/config.ts'
import { type RunningServer, startServer } from '../../server/start.ts'
import { errorEnvelope } from '../../src/contract/errors.ts'
import { queryResponse } from '../../src/contract/query.ts'
import { pushResponse } from '../../src/contract/review.ts'
import { copyTemplateInto, silent } from '../database.ts'
import { review } from '../http/service.ts'
import { suite } from '../suite.ts'
import { missingTool } from './checkers.ts'
import { certificate, HOST, type RunningProxy, startCaddy, startNginx } from './proxies.ts'

const ORIGIN = 'https://www.example.com'
const MIB = 1024 * 1024
const TOKEN = 'operator-token-of-the-proxy-tests'

interface Sent {
  method?: string
  path: string
  headers?: Record<string, string>
  /** A list is sent chunked. */
  body?: string | string[]
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** When each piece of the body came, in milliseconds since the request began. */
  times: number[]
}

const createdKey = v.object({ key: v.string() })

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
  let dir: string
  let ca: string
  let server: RunningServer
  let proxy: RunningProxy
  let secret: string
  let publishable: string

  test.before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'pullquote-proxy-'))
    ca = await readFile(certificate(dir).cert, 'utf8')
    await copyTemplateInto(join(dir, 'home'))
    const env = { PULLQUOTE_HOME: join(dir, 'home'), PULLQUOTE_PORT: '0', PULLQUOTE_OPERATOR_TOKEN: TOKEN }
    server = await startServer(readConfig({ ...env, PULLQUOTE_PUBLIC_URL: `https://${HOST}` }), { log: silent })
    proxy = await start(dir, new URL(server.url).host)
    await operator('/operator/projects', { name: 'hotel', origins: [ORIGIN] })
    secret = await newKey('secret')
    publishable = await newKey('publishable')
  })
  test.after(async () => {
    await proxy.stop()
    await server.close()
    await rm(dir, { recursive: true, force: true })
  })

  async function operator(path: string, body: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.is(response.status, 201)
    return response.json()
  }

  async function newKey(kind: string): Promise<string> {
    return v.parse(createdKey, await operator('/operator/keys', { project: 'hotel', kind, env: 'live' })).key
  }

  function send({ method = 'GET', path, headers = {}, body }: Sent): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const began = performance.now()
      const to = { host: '127.0.0.1', port: proxy.port, servername: HOST, ca, method, path }
      const length = typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {}
      const asked = request({ ...to, headers: { host: HOST, ...length, ...headers } }, (response) => {
        const times: number[] = []
        let text = ''
        response.on('data', (chunk) => {
          times.push(performance.now() - began)
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text, times }))
        response.on('error', reject)
      })
      asked.on('error', reject)
      for (const part of typeof body === 'string' ? [body] : (body ?? [])) asked.write(part)
      asked.end()
    })
  }

  const post = (path: string, body: string | string[], type = 'application/json'): Promise<Answer> =>
    send({ method: 'POST', path, headers: { authorization: `Bearer ${secret}`, 'content-type': type }, body })

  test('a push, its indexing and a query from a web page', async () => {
    const pushed = await post('/v1/reviews', JSON.stringify([review('a')]))
    assert.is(pushed.status, 200, pushed.text)
    v.parse(pushResponse, JSON.parse(pushed.text))
    await server.idle()
    const { status, headers, text } = await send({
      path: `/v1/query?q=breakfast+on+the+terrace&key=${publishable}`,
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
      path: `/v1/query?key=${publishable}`,
      headers: { origin: 'https://elsewhere.example' },
    })
    assert.is(refused.status, 403)
    assert.is(refused.headers.vary, 'Origin')
    const { error } = v.parse(errorEnvelope, JSON.parse(refused.text))
    assert.is(error.doc_url, `https://${HOST}/docs/errors#forbidden`)
  })

  test('an address with every filter at its longest arrives', async () => {
    const filters = Array.from({ length: 32 }, (_, i) => `metadata.${i}=${encodeURIComponent('漢'.repeat(512))}`)
    const { status, headers, text } = await send({
      path: `/v1/query?q=${encodeURIComponent('漢'.repeat(500))}&${filters.join('&')}`,
      headers: { authorization: `Bearer ${secret}` },
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
    const rows = Array.from(
      { length: 1500 },
      (_, i) => `${i},2026-01-05,5,Mara,The terrace at breakfast was number ${i}.`,
    )
    const { status, text, times } = await send({
      method: 'POST',
      path: '/imports?file_name=reviews.csv',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'text/csv', accept: 'application/x-ndjson' },
      body: `id,date,rating,author,text\n${rows.join('\n')}`,
    })
    assert.is(status, 200, text.slice(0, 200))
    assert.match(text, /"inserted":1500/)
    const [first = 0, last = 0] = [times[0], times.at(-1)]
    assert.ok(times.length > 5 && last - first > last / 3, `the pieces came at ${times.map(Math.round)} ms`)
    await server.idle()
  })

  test('the 429 of the rate limit arrives with its Retry-After', async () => {
    const headers = { origin: ORIGIN }
    const path = `/v1/query?limit=1&key=${await newKey('publishable')}`
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
      const { status } = await send({ path, headers: { authorization: `Bearer ${TOKEN}` } })
      assert.is(status, 404, path)
    }
  })

  test.run()
}
