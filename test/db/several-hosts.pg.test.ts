import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { isDatabaseUnavailable } from '../../server/db/unavailable.ts'
import type { Pool } from '../../server/deps.ts'
import { openDatabase } from '../../server/open-database.ts'
import { createPostgresDatabase, silent } from '../database.ts'
import { freePort } from '../free-port.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('an address of several hosts')
let database: Awaited<ReturnType<typeof createPostgresDatabase>>
const hosts: Host[] = []

test.before(async () => {
  database = await createPostgresDatabase({ migrated: false })
})
test.after.each(async () => {
  for (const host of hosts.splice(0)) await host.stop()
})
test.after(() => database.drop())

interface Host {
  port: number
  /** Connections so far. */
  accepted: number
  stop(): Promise<unknown>
}

/** A host, which passes everything to the database, or closes each connection as a proxy does whose database is gone. */
async function startHost({ closes = false, port = 0 } = {}): Promise<Host> {
  const sockets = new Set<Socket>()
  const { hostname, port: farPort } = new URL(database.url)
  const server: Server = createServer((near) => {
    host.accepted++
    sockets.add(near.on('error', () => {}))
    if (closes) return near.resume().end()
    const far = connectSocket(Number(farPort), hostname).on('error', () => {})
    near.pipe(far).pipe(near)
    return near.on('close', () => far.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  const host: Host = {
    port: typeof address === 'object' && address ? address.port : 0,
    accepted: 0,
    stop() {
      for (const socket of sockets) socket.resetAndDestroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }
  hosts.push(host)
  return host
}

function addressOf(ports: number[]): string {
  const url = new URL(database.url)
  const credentials = url.username + (url.password && `:${url.password}`)
  const list = ports.map((port) => `127.0.0.1:${port}`)
  return `postgres://${credentials}@${list}${url.pathname}?connect_timeout=2`
}

const open = (ports: number[], query = ''): Pool => connect({ url: addressOf(ports) + query })

/** What ten statements at once end in. */
async function outcomes(sql: Pool): Promise<unknown[]> {
  const ten = Array.from({ length: 10 }, () =>
    sql`select 1 as one`.then(
      ([row]) => row?.one,
      (error: unknown) =>
        isDatabaseUnavailable(error) && error instanceof Error && 'code' in error ? error.code : error,
    ),
  )
  return [...new Set(await Promise.all(ten))]
}

test('is an error at once while none of them answers', async () => {
  const sql = open([await freePort(), await freePort()])
  assert.equal(await outcomes(sql), ['ECONNREFUSED'])
  await sql.end({ timeout: 1 })
})

test('is answered by one that was not there before', async () => {
  const port = await freePort()
  const sql = open([await freePort(), port])
  for (let i = 0; i < 3; i++) assert.equal(await outcomes(sql), ['ECONNREFUSED'])
  await startHost({ port })
  // The library waits for up to a second before it tries again.
  assert.equal(await outcomes(sql), [1])
  await sql.end({ timeout: 1 })
})

test('is an error at once while all of them close the connection, and each is tried once for it', async () => {
  const [one, other] = [await startHost({ closes: true }), await startHost({ closes: true })]
  const sql = open([one.port, other.port])
  assert.equal(await outcomes(sql), ['CONNECTION_CLOSED'])
  assert.equal([one.accepted, other.accepted], [1, 1])
  await sql.end({ timeout: 1 })
})

for (const count of [1, 2]) {
  test(`is an error at once while none of ${count} is what target_session_attrs asks for`, async () => {
    const all = await Promise.all(Array.from({ length: count }, () => startHost()))
    const sql = open(
      all.map(({ port }) => port),
      '&target_session_attrs=standby',
    )
    assert.equal(await outcomes(sql), ['no_suitable_host'])
    for (const { accepted } of all) assert.is(accepted, 1)
    await sql.end({ timeout: 1 })
  })
}

test('is refused by the start after a minute in which none was what target_session_attrs asks for, with that reason', async () => {
  const { port } = await startHost()
  const clock = Date.now
  const later = () => {
    Date.now = () => clock() + 61_000
  }
  const address = `${addressOf([port])}&target_session_attrs=standby`
  const error = await openDatabase({ databaseUrl: address, home: '/nowhere' }, { ...silent, warn: later })
    .catch((thrown: unknown) => thrown)
    .finally(() => {
      Date.now = clock
    })
  assert.is(
    error instanceof Error && error.message,
    `The database at 127.0.0.1:${port} could not be used: for 60 seconds none of the hosts that answer is what target_session_attrs=standby asks for. Check DATABASE_URL.`,
  )
})

test('leads to a primary where a standby is only preferred', async () => {
  const { port } = await startHost()
  const sql = open([await freePort(), port], '&target_session_attrs=prefer-standby')
  assert.equal(await outcomes(sql), [1])
  await sql.end({ timeout: 1 })
})

test('leads to the first that can be used, and to another when that one is lost', async () => {
  const dead = await startHost({ closes: true })
  const [one, other] = [await startHost(), await startHost()]
  const sql = open([dead.port, one.port, other.port], '&target_session_attrs=primary')
  assert.equal(await outcomes(sql), [1])
  assert.is(other.accepted, 0)
  await one.stop()
  await until('the other one answers', async () => {
    const [outcome] = await outcomes(sql)
    return outcome === 1
  })
  assert.ok(other.accepted > 0)
  // Back again, it is not returned to as long as the other one answers.
  const again = await startHost({ port: one.port })
  assert.equal(await outcomes(sql), [1])
  assert.is(again.accepted, 0)
  await sql.end({ timeout: 1 })
})

test.run()
