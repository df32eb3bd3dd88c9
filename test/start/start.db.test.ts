/** A whole server, and the service in this process: start, main job, stop. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { assemble } from '../../server/assemble.ts'
import { readConfig, type ServerConfig } from '../../server/config.ts'
import { HomeInUse } from '../../server/db/home/home-lock.ts'
import { migrate } from '../../server/db/migrate.ts'
import { EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { openDatabase } from '../../server/open-database.ts'
import { openService } from '../../server/open-service.ts'
import { ListenFailed } from '../../server/port.ts'
import { type RunningServer, startServer } from '../../server/start.ts'
import { queryResponse } from '../../src/contract/query.ts'
import { pushResponse } from '../../src/contract/review.ts'
import { copyTemplateInto, createPostgresDatabase, silent } from '../database.ts'
import { freePort } from '../free-port.ts'
import { review } from '../http/service.ts'
import { fakeEmbedder } from '../indexing/fake-embedder.ts'
import { makeProject } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const onPostgres = process.env.PULLQUOTE_TEST_DATABASE === 'postgres'
const hooks = { log: silent }

const test = suite('start')
const cleanups: (() => Promise<unknown>)[] = []

async function freshConfig(env: NodeJS.ProcessEnv = {}): Promise<ServerConfig> {
  const home = await mkdtemp(join(tmpdir(), 'pullquote-start-'))
  cleanups.push(() => rm(home, { recursive: true, force: true }))
  // Making an embedded database takes seconds; its own tests do that.
  if (!onPostgres) await copyTemplateInto(home)
  if (!onPostgres) return readConfig({ ...env, PULLQUOTE_HOME: home, PULLQUOTE_PORT: '0' })
  const { url, drop } = await createPostgresDatabase({ migrated: false })
  cleanups.push(drop)
  return readConfig({ ...env, DATABASE_URL: url, PULLQUOTE_HOME: home, PULLQUOTE_PORT: '0' })
}

test.after.each(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Api {
  operatorToken: string
  call(path: string, token: string, body?: unknown): Promise<Response>
}

function apiOf(base: string, service: { operatorToken: string; fetch(request: Request): Promise<Response> }): Api {
  return {
    operatorToken: service.operatorToken,
    call: (path, token, body) =>
      service.fetch(
        new Request(base + path, {
          method: body === undefined ? 'GET' : 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
  }
}

const overNetwork = (server: RunningServer) => apiOf(server.url, { ...server, fetch: (request) => fetch(request) })

async function newKey(api: Api, project: string): Promise<string> {
  await api.call('/operator/projects', api.operatorToken, { name: project })
  const response = await api.call('/operator/keys', api.operatorToken, { project, kind: 'secret', env: 'live' })
  return v.parse(v.object({ key: v.string() }), await response.json()).key
}

async function search(api: Api, key: string) {
  const response = await api.call('/v1/query', key, { q: 'breakfast on the terrace' })
  return v.parse(queryResponse, await response.json())
}

test('a server stores, indexes and finds, publishes its address and gives everything back', async () => {
  const config = await freshConfig()
  const server = await startServer(config, hooks)
  const published = join(config.home, 'server.json')
  assert.is((await stat(published)).mode & 0o777, 0o600)
  const { url, operatorToken, pid } = JSON.parse(await readFile(published, 'utf8'))
  assert.equal([url, operatorToken, pid], [server.url, server.operatorToken, process.pid])

  const api = overNetwork(server)
  const key = await newKey(api, 'hotel')
  const pushed = await api.call('/v1/reviews', key, [review('a'), review('b', { text: 'The parking was expensive.' })])
  assert.is(v.parse(pushResponse, await pushed.json()).reviews.length, 2)
  await server.idle()
  const found = await search(api, key)
  assert.is(found.match, 'query')
  assert.match(found.results[0]?.excerpt ?? '', 'terrace')
  assert.is((await search(api, key)).cached, true)

  await server.close()
  await server.close()
  assert.not.ok(existsSync(published))
  await rejects(() => fetch(`${server.url}/healthz`))
})

test('the service in this process does the same without a socket', async () => {
  const config = await freshConfig()
  const service = await openService(config, hooks)
  const api = apiOf('http://pullquote.local', service)
  const key = await newKey(api, 'hotel')
  await api.call('/v1/reviews', key, [review('a')])
  await service.idle()
  assert.is((await search(api, key)).match, 'query')
  await service.close()

  const again = await openService(config, hooks)
  assert.is((await search(apiOf('http://pullquote.local', again), key)).match, 'query')
  await again.close()
})

test('reviews that a service put off for an hour are tried each minute once it embeds what is searched for', async () => {
  const embedder = fakeEmbedder()
  embedder.before = () => {
    throw new EmbeddingUnavailable('answered 429', { status: 429, retryAfterSeconds: 3_600 })
  }
  const service = await openService(await freshConfig(), { ...hooks, embedder })
  const api = apiOf('http://pullquote.local', service)
  const key = await newKey(api, 'hotel')
  await api.call('/v1/reviews', key, [review('a')])
  const wait = () => (service.worker.state().waiting?.until.getTime() ?? 0) - Date.now()
  await until('the worker waits', () => wait() > 0)
  assert.is((await api.call('/v1/query', key, { q: 'terrace' })).status, 503)
  assert.ok(wait() > 3_500_000, `${wait()}`)
  embedder.before = undefined
  assert.is((await api.call('/v1/query', key, { q: 'terrace' })).status, 200)
  assert.ok(wait() <= 60_000, `${wait()}`)
  await service.close()
})

test('a server forgets the searches of more days than it keeps, and a command, whose settings may be others, none', async () => {
  const config = { ...(await freshConfig()), insightsDays: 0 }
  const database = await openDatabase(config, silent)
  const { sql } = database
  const assembled = (shortLived: boolean) => {
    const shared = { ...database, close: async () => {} }
    return assemble(config, shared, silent, { docsUrl: '', searchMemory: 0, embedder: fakeEmbedder(), shortLived })
  }
  await migrate(sql, silent)
  const { id } = await makeProject(sql)
  await sql`
    insert into query_insights (project_id, env, day, query, searches, empty, fallbacks)
    values (${id}, 'live', (now() at time zone 'UTC')::date - 1, 'pool', 1, 0, 0)`
  const kept = async () => (await sql`select from query_insights`).length
  await (await assembled(true)).close()
  assert.is(await kept(), 1)
  const server = await assembled(false)
  await until('they are forgotten', async () => (await kept()) === 0)
  await server.close()
  await database.close()
})

test('a server forgets the reports of imports after a week, also when nobody imports again', async () => {
  const config = await freshConfig()
  const database = await openDatabase(config, silent)
  const { sql } = database
  await migrate(sql, silent)
  const { id } = await makeProject(sql)
  for (const days of [6, 8])
    await sql`
      insert into import_reports (project_id, id, env, created_at, errors_csv)
      values (${id}, gen_random_uuid(), 'live', now() - make_interval(days => ${days}::int), ''::bytea)`
  const shared = { ...database, close: async () => {} }
  const server = await assemble(config, shared, silent, { docsUrl: '', searchMemory: 0, embedder: fakeEmbedder() })
  await until('the older one is forgotten', async () => (await sql`select from import_reports`).length === 1)
  await server.close()
  await database.close()
})

if (onPostgres) {
  test('a command with another model changes nothing; a server with it indexes everything again, and the former says so', async () => {
    const config = await freshConfig()
    const former = await openService(config, hooks)
    const api = apiOf('http://pullquote.local', former)
    const key = await newKey(api, 'hotel')
    await api.call('/v1/reviews', key, [review('a')])
    await former.idle()
    const command = await openService(config, { ...hooks, embedder: fakeEmbedder() })
    await command.idle()
    assert.is((await api.call('/v1/query', key, {})).status, 200)
    assert.is(command.worker.state().waiting?.reason, 'other_model', 'a command leaves the model to servers')
    await command.close()
    const query = { q: 'breakfast on the terrace', fallback: 'recent' }
    assert.is((await api.call('/v1/query', key, query)).status, 200)
    const later = await startServer(config, { ...hooks, embedder: fakeEmbedder() })
    await later.idle()
    // Looks at the queue.
    await former.idle()
    const response = await api.call('/v1/query', key, { ...query, limit: 3 })
    assert.is(response.status, 503)
    assert.match(await response.text(), 'embedding_unavailable')
    assert.is((await api.call('/v1/query', key, {})).status, 200)
    await later.close()
    await former.close()
  })
}

test('stopping lets a request in progress end', async () => {
  const server = await startServer(await freshConfig(), hooks)
  const key = await newKey(overNetwork(server), 'hotel')
  const body = JSON.stringify([review('slow')])
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answer = ''
  const begun = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const ended = new Promise((resolve) => socket.on('close', resolve))
  // The server says "100 Continue" when the request is its own.
  const head = [
    ...['POST /v1/reviews HTTP/1.1', 'host: localhost', 'content-type: application/json', 'expect: 100-continue'],
    ...[`authorization: Bearer ${key}`, `content-length: ${Buffer.byteLength(body)}`, '', ''],
  ]
  socket.write(head.join('\r\n') + body.slice(0, 10))
  await begun
  const closing = server.close()
  await rejects(() => fetch(`${server.url}/healthz`))
  socket.write(body.slice(10))
  await ended
  assert.match(answer, /^HTTP\/1\.1 200 OK$/m)
  assert.match(answer, /^connection: close$/im)
  await closing
})

test('a port that is taken is named, and nothing stays open', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const config = await freshConfig()
  const error = await startServer({ ...config, port }, hooks).catch((thrown: unknown) => thrown)
  assert.instance(error, ListenFailed)
  assert.match(String(error), String(port))
  await new Promise((resolve) => other.close(resolve))
  const server = await startServer({ ...config, port }, hooks)
  await server.close()
})

if (onPostgres) {
  test('several servers work on one database', async () => {
    const config = await freshConfig()
    const other = await mkdtemp(join(tmpdir(), 'pullquote-start-'))
    cleanups.push(() => rm(other, { recursive: true, force: true }))
    const servers = await Promise.all([startServer(config, hooks), startServer({ ...config, home: other }, hooks)])
    const [one, two] = servers.map(overNetwork)
    if (!one || !two) throw new Error('no server')
    const key = await newKey(one, 'hotel')
    assert.is((await search(two, key)).match, 'none')
    await one.call('/v1/reviews', key, [review('a')])
    for (const server of servers) await server.idle()
    // What the first learned purges the second's cache.
    assert.is((await search(two, key)).match, 'query')
    for (const server of servers) await server.close()
  })

  test('/healthz answers while the database is awaited, /v1 says 503, and then it serves', async () => {
    const config = await freshConfig()
    const url = new URL(config.databaseUrl ?? '')
    const gate = await openGate(url)
    const starting = startServer({ ...config, databaseUrl: gate.url, port: gate.serverPort }, hooks)
    const base = `http://127.0.0.1:${gate.serverPort}`
    const healthz = await retried(() => fetch(`${base}/healthz`))
    assert.is(healthz.status, 200)
    const early = await fetch(`${base}/v1/query`)
    assert.is(early.status, 503)
    assert.is(early.headers.get('retry-after'), '1')
    assert.ok(early.headers.get('x-request-id'))
    await gate.open()
    const server = await starting
    assert.is((await fetch(`${base}/readyz`)).status, 200)
    await server.close()
    await gate.close()
  })
} else {
  test('two servers never open one folder', async () => {
    const config = await freshConfig()
    const server = await startServer(config, hooks)
    const error = await startServer(config, hooks).catch((thrown: unknown) => thrown)
    assert.instance(error, HomeInUse)
    assert.match(String(error), server.url)
    assert.is((await fetch(`${server.url}/readyz`)).status, 200)
    await server.close()
  })
}

/** An address that refuses connections until it is opened, and from then on leads to the database. */
async function openGate(database: URL) {
  const gate = createServer((socket) => {
    const onward = connect(Number(database.port), database.hostname)
    socket.pipe(onward).pipe(socket)
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
  })
  const [port, serverPort] = [await freePort(), await freePort()]
  const url = new URL(database)
  url.port = String(port)
  return {
    url: url.href,
    serverPort,
    open: () => new Promise<void>((resolve) => gate.listen(port, '127.0.0.1', resolve)),
    close: () => new Promise<void>((resolve) => gate.close(() => resolve())),
  }
}

async function retried(send: () => Promise<Response>): Promise<Response> {
  for (let left = 600; ; left--) {
    try {
      return await send()
    } catch (error) {
      if (left === 0) throw error
      await pause(50)
    }
  }
}

async function rejects(work: () => Promise<unknown>): Promise<void> {
  const thrown = await work().then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(thrown)
}

test.run()
