/** Requests that Node's parser lets through and that must not be answered as if they were sound; asking before a body. */
import * as assert from 'uvu/assert'
import { createApp } from '../../server/app.ts'
import type { Log } from '../../server/deps.ts'
import { type Listening, listen } from '../../server/http/listen.ts'
import { MAX_HEADERS } from '../../server/http/malformed.ts'
import { createMetrics } from '../../server/metrics.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'
import { assertRefusal } from './answers.ts'
import { noDatabase } from './no-database.ts'
import { openRaw, type RawAnswer } from './raw.ts'

const test = suite('the border of HTTP')
const lines: { fields: Record<string, unknown>; message: string }[] = []
const log: Log = { ...silent, info: (fields, message) => void lines.push({ fields: { ...fields }, message }) }
let server: Listening

test.before(async () => {
  const deps = noDatabase()
  const app = createApp({
    ...deps,
    metrics: createMetrics({ sql: deps.sql, worker: deps.worker }),
    demo: { access: 'loopback', project: 'demo' },
  })
  server = await listen(app.fetch, {
    host: '127.0.0.1',
    port: 0,
    log,
    docsUrl: () => deps.docsUrl,
    timeouts: { linger: 200 },
  })
})
test.before.each(() => {
  lines.length = 0
})
test.after(() => server.close(500))

const responseOf = ({ status, headers, body }: RawAnswer) => new Response(body, { status, headers })

const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: a\r\n`).join('')
const KEY = `Authorization: Bearer svc_sk_live_${'0'.repeat(32)}\r\n`
const REFUSED: [name: string, bytes: string, why: RegExp][] = [
  ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', /more than one Host/],
  ['the same Host header twice', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n', /more than one Host/],
  ['an address that is no URL', 'GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n', /no URL/],
  ['a port beyond all ports', 'GET http://a:99999999/ HTTP/1.1\r\nHost: x\r\n\r\n', /no URL/],
  [
    'one header too many, an Authorization',
    `GET /v1/query HTTP/1.1\r\n${many(MAX_HEADERS)}${KEY}\r\n`,
    /more than 200 headers/,
  ],
  ['2,001 headers', `GET /v1/query HTTP/1.1\r\n${many(2_000)}${KEY}\r\n`, /more than 200 headers/],
  ['10,000 headers', `GET /healthz HTTP/1.1\r\n${many(10_000)}\r\n`, /more than 200 headers/],
]
for (const [name, bytes, why] of REFUSED) {
  test(`${name}: the envelope, a closed connection and a line in the log`, async () => {
    const connection = await openRaw(server.url)
    connection.write(bytes)
    const answer = await connection.answer()
    assert.is(answer.headers.get('connection'), 'close')
    const error = await assertRefusal(responseOf(answer), 'validation_failed', name)
    assert.match(error.message, why)
    await connection.closed
    assert.equal(
      lines.map(({ fields, message }) => [message, fields.requestId, fields.status]),
      [['malformed request', error.request_id, 422]],
    )
  })
}

test(`${MAX_HEADERS} headers are read to the last`, async () => {
  const connection = await openRaw(server.url)
  connection.write(`GET /v1/query HTTP/1.1\r\n${many(MAX_HEADERS - 1)}Authorization: nonsense\r\n\r\n`)
  const error = await assertRefusal(responseOf(await connection.answer()), 'unauthorized', 'the last header')
  assert.match(error.message, 'must be: Bearer')
  connection.socket.destroy()
})

test('whatever Host says, no route fails of it', async () => {
  const routes = ['/metrics', '/demo', '/healthz', '/docs/errors', '/v1/query', '/openapi.json']
  // Addresses that are parsed to be brought into their usual form, before any route is looked for.
  const unusual = ["/v1/query?q=it's", '/v1/../v1/query', '/v1\\query', '/v1/query#x', '/v1/query?q="<>"']
  for (const host of ['a:99999', '1.2.3.999', 'xn--a', '[', 'a b', '[::1', '..', 'é', 'http://x', '']) {
    for (const path of [...routes, ...unusual]) {
      const connection = await openRaw(server.url)
      connection.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      const { status } = await connection.answer()
      // The demo asks the database, which nobody listens for here.
      assert.ok(status < 500 || (path === '/demo' && status === 503), `${host} ${path}: ${status}`)
      connection.socket.destroy()
    }
  }
})

const asking = (headers: string) =>
  `POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n${headers}\r\n`

test('a body that is too large is refused without being asked for', async () => {
  const connection = await openRaw(server.url)
  connection.write(asking('Content-Length: 16385\r\n'))
  const answer = await connection.answer()
  await assertRefusal(responseOf(answer), 'payload_too_large', 'asking')
  assert.is(answer.continued, false)
  assert.is(answer.headers.get('connection'), 'close')
  await connection.closed
})

test('nor is a body of another type, for no route, or for a route that takes none', async () => {
  for (const [request, code] of [
    ['POST /v1/query HTTP/1.1\r\nContent-Type: text/plain', 'unsupported_media_type'],
    ['POST /v1/nothing HTTP/1.1\r\nContent-Type: application/json', 'not_found'],
    ['GET /v1/query HTTP/1.1\r\nContent-Type: application/json', 'unauthorized'],
    ['POST /imports HTTP/1.1\r\nContent-Type: text/csv', 'unauthorized'],
    ['POST /operator/keys HTTP/1.1\r\nContent-Type: application/json', 'unauthorized'],
  ] as const) {
    const connection = await openRaw(server.url)
    connection.write(`${request}\r\nHost: x\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n`)
    const answer = await connection.answer()
    await assertRefusal(responseOf(answer), code, request)
    assert.is(answer.continued, false, request)
    await connection.closed
  }
})

test('a refusal of a type says which one came', async () => {
  for (const [sent, why] of [
    [
      'Content-Type: application/x-www-form-urlencoded; charset=UTF-8\r\n',
      /application\/x-www-form-urlencoded was sent\.$/,
    ],
    [
      'Content-Type: multipart/form-data; boundary=x\r\n',
      /a form was sent: send the JSON or the file itself as the body\.$/,
    ],
    ['Content-Type: application/json\r\nContent-Type: text/plain\r\n', /two were sent\.$/],
    ['Content-Type: application/json, text/plain\r\n', /two were sent\.$/],
    ['Content-Type: <b>/x\r\n', /another was sent\.$/],
    ['', /none was sent\.$/],
  ] as const) {
    const connection = await openRaw(server.url)
    connection.write(`POST /v1/query HTTP/1.1\r\nHost: x\r\n${sent}Content-Length: 2\r\n\r\n{}`)
    const error = await assertRefusal(responseOf(await connection.answer()), 'unsupported_media_type', sent)
    assert.match(error.message, why)
    connection.socket.destroy()
  }
})

test('a body that may come is asked for, and the connection stays', async () => {
  const connection = await openRaw(server.url)
  connection.write(asking('Content-Length: 2\r\n'))
  await new Promise<void>((resolve) => connection.socket.once('data', () => resolve()))
  connection.write('{}')
  const answer = await connection.answer()
  await assertRefusal(responseOf(answer), 'unauthorized', 'continued')
  assert.is(answer.continued, true)
  connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.is((await connection.answer()).status, 200)
  connection.socket.destroy()
})

test('a client that wants the connection closed is told so, also when it sent a body', async () => {
  const head = 'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  const requests = {
    'all at once': `${head}Connection: close\r\nContent-Length: 2\r\n\r\n{}`,
    'HTTP/1.0': `${head.replace('1.1', '1.0')}Content-Length: 2\r\n\r\n{}`,
    'answered before the body came': `${head}Connection: close\r\nContent-Length: 20000\r\n\r\n{`,
  }
  for (const [name, request] of Object.entries(requests)) {
    const connection = await openRaw(server.url)
    connection.write(request)
    const answer = await connection.answer()
    assert.is(answer.headers.get('connection'), 'close', name)
    connection.write(' '.repeat(19_999))
    await connection.closed
  }
})

test('an idle connection is kept longer than load balancers and Go keep theirs, and clients are told', async () => {
  const connection = await openRaw(server.url)
  connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  const [, seconds] = /^timeout=(\d+)$/.exec((await connection.answer()).headers.get('keep-alive') ?? '') ?? []
  assert.ok(Number(seconds) > 90, seconds)
  connection.socket.destroy()
})

test('after a body the next request on the connection may end it', async () => {
  const connection = await openRaw(server.url)
  connection.write(
    'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  )
  connection.write(
    'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  )
  for (let i = 0; i < 2; i++) assert.is((await connection.answer()).headers.get('connection'), 'keep-alive')
  connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.is((await connection.answer()).headers.get('connection'), 'close')
  await connection.closed
})

test('an answer before the end of the body says that the connection ends, and comes while the rest is sent', async () => {
  for (const framing of ['Content-Length: 20000', 'Transfer-Encoding: chunked']) {
    const connection = await openRaw(server.url)
    const chunk = framing.startsWith('T') ? `4E20\r\n${' '.repeat(20_000)}\r\n` : ' '
    connection.write(
      `POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing}\r\n\r\n${chunk}`,
    )
    const answer = await connection.answer()
    assert.is(answer.headers.get('connection'), 'close', framing)
    await assertRefusal(responseOf(answer), 'payload_too_large', framing)
    connection.write(framing.startsWith('T') ? '0\r\n\r\n' : ' '.repeat(19_999))
    await connection.closed
  }
})

test('a client that asks and does not wait gets its answer all the same', async () => {
  const connection = await openRaw(server.url)
  connection.write(asking('Content-Length: 20000\r\n'))
  connection.write(' '.repeat(20_000))
  await assertRefusal(responseOf(await connection.answer()), 'payload_too_large', 'not waiting')
  await connection.closed
})

test.run()
