import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { transaction } from '../../server/db/transaction.ts'
import { isDatabaseUnavailable } from '../../server/db/unavailable.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'

const test = suite('a connection that is lost')
let database: Awaited<ReturnType<typeof createPostgresDatabase>>

test.before(async () => {
  database = await createPostgresDatabase({ migrated: false })
})
test.after(() => database.drop())

/** The database behind a wire that can be cut, as it is when the server process is killed. */
async function cuttable() {
  const { hostname, port } = new URL(database.url)
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connectSocket(Number(port), hostname)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far)
    far.pipe(near)
    near.on('close', () => far.destroy())
    sockets.add(near)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const url = new URL(database.url)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url: url.href,
    cut(how: 'end' | 'reset') {
      for (const socket of sockets) {
        if (how === 'end') socket.destroy()
        else socket.resetAndDestroy()
      }
      sockets.clear()
    },
    close: () => new Promise((resolve) => proxy.close(resolve)),
  }
}

for (const how of ['end', 'reset'] as const) {
  test(`in the middle of a transaction fails that transaction and nothing else (${how})`, async () => {
    const wire = await cuttable()
    const sql = connect({ url: wire.url, max: 3 })
    const outcomes = Array.from({ length: 3 }, () =>
      transaction(sql, async (tx) => {
        await tx`select 1`
        await Promise.all([tx`select pg_sleep(5)`, tx`select 2`])
      }).then(
        () => 'committed',
        (error: unknown) => error,
      ),
    )
    // Until each transaction waits in its long statement.
    await sleep(1_000)
    wire.cut(how)
    for (const outcome of await Promise.all(outcomes)) assert.ok(isDatabaseUnavailable(outcome), String(outcome))
    // What the library throws outside of every promise comes a moment later.
    await sleep(100)
    const [row] = await transaction(sql, async (tx) => tx`select 3 as three`)
    assert.is(row?.three, 3)
    await sql.end({ timeout: 1 })
    await wire.close()
  })

  test(`while it is being set up costs one try (${how})`, async () => {
    const wire = await cuttable()
    for (let delay = 0; delay < 30; delay += 1) {
      const sql = connect({ url: wire.url, max: 1 })
      const outcome = sql`select 1 as one`.then(
        ([row]) => row?.one,
        (error: unknown) => error,
      )
      await sleep(delay)
      wire.cut(how)
      const answer = await outcome
      assert.ok(answer === 1 || isDatabaseUnavailable(answer), String(answer))
      await sql.end({ timeout: 1 })
    }
    await wire.close()
  })
}

test.run()
