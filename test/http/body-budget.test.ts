/** What bodies of strangers may take of the memory, and that it comes back. Storage plays no part in these. */
import * as assert from 'uvu/assert'
import { createApp } from '../../server/app.ts'
import { type BodyBudgets, bodyBudgets } from '../../server/http/byte-budget.ts'
import { type Listening, listen } from '../../server/http/listen.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { assertRefusal } from './answers.ts'
import { noDatabase } from './no-database.ts'
import { openRaw, type RawAnswer, type RawConnection } from './raw.ts'

const KIB = 1024
const STRANGERS = 256 * KIB
const OPERATOR = 'Authorization: Bearer operator-token-of-the-tests\r\n'

const test = suite('memory for bodies')
let server: Listening
let bodies: BodyBudgets

test.before(async () => {
  bodies = bodyBudgets({ unauthenticated: STRANGERS, authenticated: 64 * KIB })
  const explain = () => Promise.reject(new Error('never asked'))
  const deps = { ...noDatabase(), bodies, explain }
  server = await listen(createApp(deps).fetch, { host: '127.0.0.1', port: 0, log: silent, docsUrl: () => deps.docsUrl })
})
test.after(() => server.close(500))

const responseOf = ({ status, headers, body }: RawAnswer) => new Response(body, { status, headers })
const announce = (path: string, type: string, length: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${more}Content-Length: ${length}\r\n\r\n`
const JSON_TYPE = 'application/json'

/** A push that stops after so many bytes. */
async function unfinished(bytes: number): Promise<RawConnection> {
  const connection = await openRaw(server.url)
  connection.write(announce('/v1/reviews', JSON_TYPE, 1_000 * KIB))
  connection.write(' '.repeat(bytes))
  return connection
}

for (const [path, type, key] of [
  ['/imports', 'text/csv', ''],
  ['/imports', 'text/csv', 'Authorization: Bearer svc_sk_live_x\r\n'],
  ['/imports', 'text/csv', `Authorization: Bearer svc_pk_live_${'0'.repeat(32)}\r\n`],
  ['/explain', JSON_TYPE, ''],
  ['/operator/keys', JSON_TYPE, ''],
  ['/operator/projects', JSON_TYPE, 'Authorization: Bearer wrong\r\n'],
] as const) {
  test(`the key comes before the body on ${path} (${key.slice(0, 34) || 'no key'})`, async () => {
    const connection = await openRaw(server.url)
    connection.write(announce(path, type, 10 * KIB, key))
    const { status } = await connection.answer()
    assert.is(status, key.includes('svc_pk') ? 403 : 401)
    connection.socket.destroy()
  })
}

test('type and declared size still come before the key there', async () => {
  for (const [type, length, code] of [
    ['image/png', 10, 'unsupported_media_type'],
    ['text/csv', 10 * KIB * KIB + 1, 'payload_too_large'],
  ] as const) {
    const connection = await openRaw(server.url)
    connection.write(announce('/imports', type, length))
    await assertRefusal(responseOf(await connection.answer()), code, type)
    connection.socket.destroy()
  }
})

test('what is announced takes nothing, what arrives does, and it is given back', async () => {
  const waiting = await Promise.all(Array.from({ length: 20 }, () => unfinished(0)))
  assert.is(bodies.unauthenticated.reserved, 0)
  const one = await unfinished(10 * KIB)
  await until('10 KiB are held', () => bodies.unauthenticated.reserved === 10 * KIB)
  one.socket.destroy()
  for (const { socket } of waiting) socket.destroy()
  await until('nothing is held', () => bodies.unauthenticated.reserved === 0)
})

test('what comes of a body after its time is over is not held, which nothing would give back', async () => {
  const deps = { ...noDatabase(), bodies, bodyTimeoutMs: 50 }
  const listening = { host: '127.0.0.1', port: 0, log: silent, docsUrl: () => deps.docsUrl, timeouts: { linger: 100 } }
  const impatient = await listen(createApp(deps).fetch, listening)
  const connection = await openRaw(impatient.url)
  connection.write(announce('/v1/reviews', JSON_TYPE, 1_000 * KIB))
  connection.write(' '.repeat(10 * KIB))
  await assertRefusal(responseOf(await connection.answer()), 'validation_failed', 'the time is over')
  connection.write(' '.repeat(20 * KIB))
  await connection.closed
  assert.is(bodies.unauthenticated.reserved, 0)
  await impatient.close(0)
})

test('beyond the budget a body is 503 in words', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, () => unfinished(60 * KIB)))
  await until('180 KiB are held', () => bodies.unauthenticated.reserved === 180 * KIB)
  const one = await unfinished(100 * KIB)
  const error = await assertRefusal(responseOf(await one.answer()), 'service_unavailable', 'one too many')
  assert.match(error.message, 'as many request bodies as it has memory for')
  for (const { socket } of [...others, one]) socket.destroy()
  await until('nothing is held', () => bodies.unauthenticated.reserved === 0)
})

test('when it is nearly used up, the key comes first: a stranger hears 503, others go on', async () => {
  const others = await Promise.all(Array.from({ length: 4 }, () => unfinished(60 * KIB)))
  await until('240 KiB are held', () => bodies.unauthenticated.reserved === 240 * KIB)
  const post = async (key: string) => {
    const connection = await openRaw(server.url)
    connection.write(announce('/v1/reviews', JSON_TYPE, 2, key))
    // Answered before the body is there.
    const answer = await connection.answer()
    connection.socket.destroy()
    return answer
  }
  await assertRefusal(responseOf(await post('')), 'service_unavailable', 'a stranger')
  const publishable = `Authorization: Bearer svc_pk_live_${'0'.repeat(32)}\r\n`
  await assertRefusal(responseOf(await post(publishable)), 'service_unavailable', 'a publishable key')
  // This one is looked up, in a database that is not there: its body would be read if it were good.
  const known = await post(`Authorization: Bearer svc_sk_live_${'0'.repeat(32)}\r\n`)
  assert.is(known.status, 503)
  assert.match(known.body, 'database')

  const connection = await openRaw(server.url)
  connection.write(`${announce('/operator/keys', JSON_TYPE, 2, OPERATOR)}{}`)
  assert.is((await connection.answer()).status, 422)
  for (const { socket } of [...others, connection]) socket.destroy()
  await until('nothing is held', () => bodies.unauthenticated.reserved === 0)
})

test('bodies with a good token have a budget of their own', async () => {
  const busy = await Promise.all(Array.from({ length: 2 }, () => openRaw(server.url)))
  for (const connection of busy) {
    connection.write(announce('/operator/keys', JSON_TYPE, 60 * KIB, OPERATOR))
    connection.write(' '.repeat(30 * KIB))
  }
  await until('60 KiB are held', () => bodies.authenticated.reserved === 60 * KIB)
  const one = await openRaw(server.url)
  one.write(announce('/operator/keys', JSON_TYPE, 10 * KIB, OPERATOR))
  one.write(' '.repeat(10 * KIB))
  await assertRefusal(responseOf(await one.answer()), 'service_unavailable', 'one too many')
  for (const { socket } of [...busy, one]) socket.destroy()
  await until('nothing is held', () => bodies.authenticated.reserved === 0)
})

test.run()
