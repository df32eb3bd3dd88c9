/** A database that accepts connections and then says nothing, as behind a network that swallows packets. */
import { connect as connectTcp, createServer, type Socket } from 'node:net'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { assertRefusal } from './answers.ts'
import { noDatabase } from './no-database.ts'
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
  await sql`select 1`
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

test.run()
