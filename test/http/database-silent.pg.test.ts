/** A database that accepts connections and then says nothing, as behind a network that swallows packets. */
import { connect as connectTcp, createServer, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import type { AppDeps } from '../../server/app-deps.ts'
import { connect } from '../../server/db/connect.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { assertRefusal } from './answers.ts'
import { noDatabase } from './no-database.ts'
import { OPERATOR_TOKEN, openService, review } from './service.ts'
import { openTransport } from './transport.ts'

const TIMEOUT_MS = 300

const test = suite('a silent database')

test('the look-up of a key stops waiting, and works again when the database answers', async () => {
  const database = await createPostgresDatabase()
  const { hostname, port } = new URL(database.url)
  const sockets: Socket[] = []
  const proxy = createServer((socket) => {
    const onward = connectTcp(Number(port), hostname)
    sockets.push(socket, onward)
    socket.pipe(onward).pipe(socket)
    for (const one of [socket, onward]) one.on('error', () => {})
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const url = new URL(database.url)
  url.port = String(typeof address === 'object' ? address?.port : 0)
  const sql = connect({ url: url.href, max: 2 })

  const transport = await openTransport('app.fetch', { ...noDatabase(), sql, databaseTimeoutMs: TIMEOUT_MS })
  const ask = () =>
    transport.send({ path: '/v1/query', headers: { authorization: `Bearer svc_sk_live_${'0'.repeat(32)}` } })
  // A first look-up is planned, which takes longer than the deadline on a busy machine.
  await until('it answers in time', async () => (await ask()).status === 401)
  await assertRefusal(await ask(), 'unauthorized', 'while it answers')
  for (const socket of sockets) socket.pause()
  const started = Date.now()
  await assertRefusal(await ask(), 'service_unavailable', 'while it is silent')
  assert.ok(Date.now() - started < TIMEOUT_MS + 7_000)
  for (const socket of sockets) socket.resume()
  await assertRefusal(await ask(), 'unauthorized', 'when it answers again')

  await sql.end({ timeout: 1 })
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => proxy.close(resolve))
  await database.drop()
})

/** A proxy that hands everything on until it is told to let nothing through any more, from some message on. */
async function swallowingProxy(target: string) {
  const { hostname, port } = new URL(target)
  const sockets: Socket[] = []
  /** Looks at each message to the database; the first for which it is true is swallowed, and all after it. */
  let swallows: (chunk: Buffer) => boolean = () => false
  let silent = false
  const held: (() => void)[] = []
  const proxy = createServer((socket) => {
    const onward = connectTcp(Number(port), hostname)
    sockets.push(socket, onward)
    socket.on('data', (chunk) => {
      silent ||= swallows(chunk)
      if (silent) held.push(() => onward.write(chunk))
      else onward.write(chunk)
    })
    onward.on('data', (chunk) => {
      if (silent) held.push(() => socket.write(chunk))
      else socket.write(chunk)
    })
    for (const one of [socket, onward]) one.on('error', () => {})
    socket.on('close', () => onward.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const url = new URL(target)
  url.port = String(typeof address === 'object' ? address?.port : 0)
  return {
    url: url.href,
    swallowFrom(when: (chunk: Buffer) => boolean) {
      swallows = when
    },
    /** The network is there again, with everything that was on its way. */
    resume() {
      swallows = () => false
      silent = false
      for (const send of held.splice(0)) send()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

const REQUEST_MS = 1_500

async function behindProxy() {
  const service = await openService()
  const [{ name } = { name: '' }] = await service.deps.sql<{ name: string }[]>`select current_database() as name`
  const url = new URL(process.env.TEST_DATABASE_URL ?? '')
  url.pathname = `/${name}`
  const proxy = await swallowingProxy(url.href)
  const sql = connect({ url: proxy.url, max: 1 })
  const searching: AppDeps['search'] = async () => {
    await sql`select pg_sleep(0)`
    return { ok: true, results: [], match: 'none', cache: 'MISS' }
  }
  const deps = { ...service.deps, sql, search: searching, databaseTimeoutMs: REQUEST_MS, requestTimeoutMs: REQUEST_MS }
  const transport = await openTransport('app.fetch', deps)
  const authorization = `Bearer ${service.keys.secret}`
  const ask = (method: string, path: string, body?: object) =>
    transport.send({
      method,
      path,
      headers: {
        authorization: path.startsWith('/operator') ? `Bearer ${OPERATOR_TOKEN}` : authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const count = async () => (await service.deps.sql`select count(*)::int as count from reviews`)[0]?.count
  const close = async () => {
    proxy.resume()
    await sql.end({ timeout: 1 })
    await proxy.close()
    await transport.close()
    await service.close()
  }
  return { proxy, ask, count, close, service }
}

test('every kind of route answers 503 when the database falls silent after the key was looked up, and writes nothing later', async () => {
  const { proxy, ask, count, close, service } = await behindProxy()
  const stored = v.parse(
    v.object({ reviews: v.array(v.object({ id: v.string() })) }),
    await (await ask('POST', '/v1/reviews', [review('a'), review('b')])).json(),
  )
  const id = stored.reviews[0]?.id
  const requests: [method: string, path: string, body?: object][] = [
    ['POST', '/v1/reviews', review('new')],
    ['GET', '/v1/reviews'],
    ['GET', `/v1/reviews/${id}`],
    ['PATCH', `/v1/reviews/${id}`, { hidden: true }],
    ['DELETE', `/v1/reviews/${id}`],
    ['GET', '/v1/query?q=terrace'],
    ['POST', '/v1/query', { q: 'terrace' }],
    ['GET', '/operator/projects'],
    ['POST', '/operator/projects', { name: 'second' }],
    ['POST', '/operator/keys', { project: 'hotel', kind: 'secret', env: 'live' }],
    ['GET', '/readyz'],
  ]
  for (const [method, path, body] of requests) {
    const label = `${method} ${path}`
    // The key's look-up is one message when its statement is known, and gets through; a route without a key has none.
    if (path.startsWith('/v1')) await ask('GET', '/v1/reviews?limit=1')
    let messages = path.startsWith('/v1') ? 1 : 0
    proxy.swallowFrom(() => messages-- <= 0)
    const response = await Promise.race([
      ask(method, path, body),
      new Promise<never>((_, reject) => setTimeout(() => reject(new Error(`${label}: no answer`)), 20_000).unref()),
    ])
    assert.is(response.status, 503, label)
    assert.is(response.headers.get('retry-after'), '1', label)
    const text = await response.text()
    assert.match(text, 'service_unavailable')
    if (path.startsWith('/v1')) assert.match(text, 'Nothing was written', label)
    proxy.resume()
    // What was on its way arrives now; the connection is free again when the next request is answered.
    assert.is((await ask('GET', '/v1/reviews?limit=1')).status, 200, `after ${label}`)
    assert.is(await count(), 2, `after ${label}`)
  }
  const [shown] = await service.deps.sql`select hidden_at from reviews where id = ${id ?? ''}`
  assert.is(shown?.hidden_at, null, 'the change that was answered 503 was not made later')
  await close()
})

test('a push whose commit is never answered says that it may be stored, and can be sent again', async () => {
  const { proxy, ask, count, close } = await behindProxy()
  // The word itself is sent the first time only; later the statement is known to the connection.
  proxy.swallowFrom((chunk) => chunk.includes('commit'))
  const response = await ask('POST', '/v1/reviews', review('b'))
  assert.is(response.status, 503)
  assert.match(await response.text(), 'may have been carried out')
  proxy.resume()
  const again = await ask('POST', '/v1/reviews', review('b'))
  assert.is(again.status, 200)
  assert.is(await count(), 1)
  await close()
})

test.run()
