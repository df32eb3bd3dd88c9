/** Bytes on a socket that are no request of the contract, or hardly one. Storage plays no part in these. */
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { createApp } from '../../server/app.ts'
import type { AppDeps } from '../../server/app-deps.ts'
import { type Listening, type ListenOptions, listen } from '../../server/http/listen.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'
import { assertRefusal } from './answers.ts'
import { noDatabase } from './no-database.ts'
import { openRaw, type RawAnswer } from './raw.ts'

/** Of the server that does not wait. */
const LINGER_MS = 300
const BODY_TIMEOUT_MS = 400

const test = suite('malformed requests')
let server: Listening
/** For what is late; what is in time may be late there too, on a busy machine. */
let impatient: Listening

test.before(async () => {
  server = await start({}, { headers: 60_000, request: 60_000, linger: 60_000, check: 50 })
  const timeouts = { headers: 500, request: 10_000, linger: LINGER_MS, check: 50 }
  impatient = await start({ bodyTimeoutMs: BODY_TIMEOUT_MS }, timeouts)
})
test.after(async () => {
  await Promise.all([server.close(500), impatient.close(500)])
})

function start(more: Partial<AppDeps>, timeouts: NonNullable<ListenOptions['timeouts']>): Promise<Listening> {
  const deps: AppDeps = { ...noDatabase(), ...more }
  const docsUrl = () => deps.docsUrl
  return listen(createApp(deps).fetch, { host: '127.0.0.1', port: 0, log: silent, docsUrl, timeouts })
}

const responseOf = ({ status, headers, body }: RawAnswer) => new Response(body, { status, headers })

async function exchange(...parts: (string | Uint8Array)[]): Promise<RawAnswer> {
  return exchangeWith(server, ...parts)
}

async function exchangeWith(one: Listening, ...parts: (string | Uint8Array)[]): Promise<RawAnswer> {
  const connection = await openRaw(one.url)
  for (const part of parts) connection.write(part)
  const answer = await connection.answer()
  connection.socket.destroy()
  return answer
}

const NOT_HTTP: [name: string, bytes: string][] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['an unknown method', 'FETCH /v1/query HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an unknown version', 'GET /v1/query HTTP/3.9\r\nHost: x\r\n\r\n'],
  ['a space in a header name', 'GET /v1/query HTTP/1.1\r\nHo st: x\r\n\r\n'],
  ['U+0000 in a header', 'GET /v1/query HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
  ['two lengths that differ', 'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  [
    'a length and chunks',
    'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['bytes beyond ASCII in the address', 'GET /v1/query?q=\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a negative length', 'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
  ['a length that is no number', 'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: many\r\n\r\n'],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n'],
  ['headers of 300 KiB', `GET /v1/query HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(300 * 1024)}\r\n\r\n`],
]
for (const [name, bytes] of NOT_HTTP) {
  test(`${name} gets the envelope and a closed connection`, async () => {
    const connection = await openRaw(server.url)
    connection.write(bytes)
    const answer = await connection.answer()
    assert.is(answer.headers.get('connection'), 'close')
    const error = await assertRefusal(responseOf(answer), 'validation_failed', name)
    assert.equal(
      error.details?.map((detail) => detail.path),
      ['(request)'],
    )
    await connection.closed
  })
}

test('an address that was not escaped is told as that, and HTTP/2 and a tunnel as what they are', async () => {
  for (const [bytes, why] of [
    ['GET /v1/query?q=\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n', 'must be escaped'],
    ['GET /v1/query?q=hot tub HTTP/1.1\r\nHost: x\r\n\r\n', 'must be escaped'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'is HTTP/2'],
    ['CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', 'no proxy'],
  ] as const) {
    const error = await assertRefusal(responseOf(await exchange(bytes)), 'validation_failed', bytes)
    assert.match(error.message, why)
  }
})

const NO_ROUTE: [name: string, bytes: string][] = [
  ['dot segments', 'GET /v1/../v1/query HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a dot segment', 'GET /v1/./query HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['escaped dot segments', 'GET /v1/%2e%2e/v1/query HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an escaped slash', 'GET /v1%2fquery HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['half an escape', 'GET /v1/query% HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a backslash', 'GET /v1\\query HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['two slashes at the start', 'GET //v1/query HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a fragment', 'GET /v1/query#x HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an address of another scheme', 'GET ftp://x/v1/query HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['TRACE', 'TRACE /v1/query HTTP/1.1\r\nHost: x\r\n\r\n'],
]
for (const [name, bytes] of NO_ROUTE) {
  test(`${name} is 404 in the envelope`, async () => {
    await assertRefusal(responseOf(await exchange(Buffer.from(bytes, 'latin1'))), 'not_found', name)
  })
}

const ROUTED: [name: string, bytes: string][] = [
  ['no Host header', 'GET /v1/query HTTP/1.1\r\n\r\n'],
  ['an impossible Host header', 'GET /v1/query HTTP/1.1\r\nHost: [x\r\n\r\n'],
  ['an absolute address', 'GET http://other.example/v1/query HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['HTTP/1.0', 'GET /v1/query HTTP/1.0\r\n\r\n'],
  ['an unknown expectation', 'GET /v1/query HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n'],
  ['an upgrade', 'GET /v1/query HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  [
    'two Authorization headers',
    `GET /v1/query HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer svc_sk_live_${'0'.repeat(32)}\r\nAuthorization: Bearer b\r\n\r\n`,
  ],
  [
    'an empty Authorization header',
    `GET /v1/query?key=svc_pk_live_${'0'.repeat(32)} HTTP/1.1\r\nHost: x\r\nAuthorization:\r\n\r\n`,
  ],
  ['a length of zero and no type', 'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'],
  [
    'a length of zero and another type',
    'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Type: text/plain\r\n\r\n',
  ],
  ['no body and no type', 'POST /v1/query HTTP/1.1\r\nHost: x\r\n\r\n'],
  [
    'a type with a charset',
    'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Type: Application/JSON; charset="utf-8"\r\n\r\n{}',
  ],
]
for (const [name, bytes] of ROUTED) {
  test(`${name} reaches the route, which asks for a key`, async () => {
    await assertRefusal(responseOf(await exchange(bytes)), 'unauthorized', name)
  })
}

test('a body on GET is a body: without a type it is 415', async () => {
  const answer = await exchange('GET /v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')
  await assertRefusal(responseOf(answer), 'unsupported_media_type', 'GET with a body')
})

test('chunks announce a body even when none comes', async () => {
  const answer = await exchange('POST /v1/query HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')
  await assertRefusal(responseOf(answer), 'unsupported_media_type', 'chunked and empty')
})

const POST = 'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

test('the type is refused before the body is there', async () => {
  const answer = await exchange(
    'POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10000\r\n\r\n',
  )
  await assertRefusal(responseOf(answer), 'unsupported_media_type', 'text/plain')
})

test('the declared size is refused before the body is there', async () => {
  await assertRefusal(
    responseOf(await exchange(`${POST}Content-Length: 16385\r\n\r\n`)),
    'payload_too_large',
    'declared',
  )
})

test('an absurd declared size is refused', async () => {
  const answer = await exchange(`${POST}Content-Length: 99999999999999999\r\n\r\n`)
  await assertRefusal(responseOf(answer), 'payload_too_large', 'declared')
})

test('a body that never ends is answered once it is too large, and then cut', async () => {
  const connection = await openRaw(impatient.url)
  connection.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`)
  const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`
  const flood = setInterval(() => connection.write(chunk), 1)
  const answer = await connection.answer()
  const answered = Date.now()
  await assertRefusal(responseOf(answer), 'payload_too_large', 'endless body')
  await connection.closed
  clearInterval(flood)
  assert.ok(Date.now() - answered < LINGER_MS + 8_000, 'the connection stayed open')
})

test('a client that asked to close may finish sending, and is then closed', async () => {
  const connection = await openRaw(server.url)
  connection.write(`${POST}Connection: close\r\nContent-Length: 20000\r\n\r\n${' '.repeat(10_000)}`)
  await assertRefusal(responseOf(await connection.answer()), 'payload_too_large', 'close')
  await pause(LINGER_MS / 3)
  assert.not.ok(connection.socket.closed || connection.socket.readableEnded, 'closed before the body was sent')
  connection.write(' '.repeat(10_000))
  await connection.closed
})

test('a body that stops arriving is answered', async () => {
  const answer = await exchangeWith(impatient, `${POST}Content-Length: 100\r\n\r\n{"q":`)
  const error = await assertRefusal(responseOf(answer), 'validation_failed', 'slow body')
  assert.match(error.message, 'did not arrive')
})

test('headers that stop arriving are answered', async () => {
  const answer = await exchangeWith(impatient, 'POST /v1/query HTTP/1.1\r\nHost:')
  const error = await assertRefusal(responseOf(answer), 'validation_failed', 'slow headers')
  assert.match(error.message, 'in time')
})

test('a chunk that is none is answered', async () => {
  const answer = await exchange(`${POST}Transfer-Encoding: chunked\r\n\r\n`, 'zz\r\n{}\r\n')
  await assertRefusal(responseOf(answer), 'validation_failed', 'bad chunk')
})

test('a client that goes away in mid-body harms nobody', async () => {
  const connection = await openRaw(server.url)
  connection.write(`${POST}Content-Length: 100\r\n\r\n{"q":`)
  connection.socket.destroy()
  await connection.closed
  assert.is((await exchange('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')).status, 200)
})

test('requests sent in one go are answered in order', async () => {
  const connection = await openRaw(server.url)
  connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.equal([(await connection.answer()).status, (await connection.answer()).status], [200, 404])
  connection.socket.destroy()
})

for (const [what, bytes] of [
  ['what is no HTTP', 'hello\r\n\r\n'],
  ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n'],
  ['a request with a chunk that is none', 'POST /v1/query HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
] as const) {
  test(`${what} behind a request is not taken for its answer`, async () => {
    const connection = await openRaw(server.url)
    connection.write(`GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${bytes}`)
    const { status, headers } = await connection.answer()
    assert.equal([status, headers.get('connection')], [200, 'close'])
    await connection.closed
  })
}

for (const [what, length, rest] of [
  ['ends', 'Content-Length: 20', undefined],
  ['goes on with what is no chunk', 'Transfer-Encoding: chunked', 'zz\r\n'],
] as const) {
  test(`a request that ${what} after its answer gets no second one`, async () => {
    const connection = await openRaw(server.url)
    let received = ''
    connection.socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
    })
    connection.write(`POST /v1/query HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`)
    const { status, headers } = await connection.answer()
    assert.equal([status, headers.get('connection')], [415, 'close'])
    if (rest === undefined) connection.socket.end()
    else connection.write(rest)
    await connection.closed
    assert.equal(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 415'])
  })
}

test('the request id of the caller is kept when it has the form, and replaced otherwise', async () => {
  for (const [given, kept] of [
    ['abc.DEF_1:2-3', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['a b', false],
    ['a/b', false],
    ['', false],
    ['a\r\nx-request-id: b', false],
  ] as const) {
    const { headers } = await exchange(`GET /v1/nothing HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${given}\r\n\r\n`)
    assert.is(headers.get('x-request-id') === given, kept, given.slice(0, 20))
  }
})

test.run()
