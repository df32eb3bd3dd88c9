import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { isDatabaseUnavailable } from '../../server/db/unavailable.ts'
import type { Pool } from '../../server/deps.ts'
import { createPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { suite } from '../suite.ts'
import { passesOnSomeTry, until } from '../waiting.ts'

const test = suite('the connection to PostgreSQL')
let database: Awaited<ReturnType<typeof createPostgresDatabase>>

test.before(async () => {
  database = await createPostgresDatabase({ migrated: false })
})
test.after(() => database.drop())

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error) => error,
  )
}

/** A query may still meet a session whose end has not arrived yet; each failure costs the pool that session. */
async function recovered(sql: Pool): Promise<void> {
  await until('the pool has recovered', async () => {
    const error = await failure(sql`select 1`)
    assert.ok(error === undefined || isDatabaseUnavailable(error), String(error))
    return error === undefined
  })
}

test('reads timestamps alike whatever the database’s own settings are', async () => {
  const admin = connect({ url: database.url, max: 1 })
  await admin.unsafe(`alter database ${new URL(database.url).pathname.slice(1)} set datestyle = 'German, DMY'`)
  await admin.unsafe(`alter database ${new URL(database.url).pathname.slice(1)} set timezone = 'Asia/Kathmandu'`)
  await admin.end()
  const sql = connect({ url: database.url, max: 1 })
  for (const time of [
    '0001-01-01T00:00:00.000Z',
    '0099-05-06T07:08:09.100Z',
    '2026-01-02T03:04:05.678Z',
    '9999-12-31T23:59:59.999Z',
  ]) {
    const [row] = await sql`select ${new Date(time)}::timestamptz as at`
    assert.is(row?.at.toISOString(), time)
  }
  await sql.end()
})

test('sessions that are ended by the administrator are unavailable for a moment, and opened again', async () => {
  const sql = connect({ url: database.url, max: 4 })
  const admin = connect({ url: database.url, max: 1 })
  const end = () =>
    admin`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  for (let round = 0; round < 3; round++) {
    const running = Promise.all(Array.from({ length: 4 }, () => failure(sql`select pg_sleep(120)`)))
    const asleep = () =>
      admin`select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
    await until('all are at work', async () => (await asleep()).length === 4)
    await end()
    for (const error of await running) assert.ok(isDatabaseUnavailable(error), String(error))
    await recovered(sql)
  }
  await Promise.all([sql.end(), admin.end()])
})

test('the other sessions of a pool that lost one end with what they have to do, and make room for its successor', async () => {
  const name = `pool-${process.pid}`
  const sql = connect({ url: `${database.url}?application_name=${name}`, max: 4 })
  const admin = connect({ url: database.url, max: 1 })
  const sessions = () =>
    admin<{ pid: number }[]>`select pid from pg_stat_activity where application_name = ${name} order by pid`
  await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.05)`))
  const before = await sessions()
  const longer = sql.begin(async (tx) => {
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    const other = before.find(({ pid }) => pid !== own?.pid)
    await admin`select pg_terminate_backend(${other?.pid ?? 0})`
    await until('the others have ended', async () => (await sessions()).every(({ pid }) => pid === own?.pid))
    return (await tx`select 'committed' as outcome`)[0]
  })
  assert.equal(await longer, { outcome: 'committed' })
  await recovered(sql)
  await until('so has this one', async () =>
    (await sessions()).every(({ pid }) => before.every((one) => one.pid !== pid)),
  )
  await Promise.all([sql.end(), admin.end()])
})

for (const pause of [0, 1, 5, 100]) {
  test(`a transaction whose session ends fails, and nothing of it happens (${pause} ms later)`, async () => {
    const sql = connect({ url: database.url, max: 1 })
    const admin = connect({ url: database.url, max: 1 })
    await admin`create table if not exists written (by_transaction integer)`
    const uncaught: unknown[] = []
    const note = (error: unknown) => void uncaught.push(error)
    process.on('uncaughtException', note)
    const error = await failure(
      sql.begin(async (tx) => {
        const [session] = await tx`select pg_backend_pid() as pid`
        await tx`insert into written values (1)`
        await admin`select pg_terminate_backend(${session?.pid})`
        if (pause > 0) await sleep(pause)
        await tx`insert into written values (2)`
        await tx`insert into written values (3)`
      }),
    )
    assert.ok(isDatabaseUnavailable(error), String(error))
    await recovered(sql)
    const value = await sql.begin(async (tx) => (await tx`select count(*)::int as count from written`)[0])
    assert.equal(value, { count: 0 })
    await sleep(50)
    process.off('uncaughtException', note)
    assert.equal(uncaught, [])
    await Promise.all([sql.end(), admin.end()])
  })
}

test('a transaction that fails otherwise is rolled back, and its session goes on', async () => {
  const sql = connect({ url: database.url, max: 1 })
  await sql`create table if not exists written (by_transaction integer)`
  const session = async () => (await sql`select pg_backend_pid() as pid`)[0]?.pid
  const before = await session()
  const thrown = new Error('of the work itself')
  const error = await failure(
    sql.begin(async (tx) => {
      await tx`insert into written values (1)`
      throw thrown
    }),
  )
  assert.is(error, thrown)
  const elsewhere = Object.assign(new Error('of another connection'), { code: 'ECONNREFUSED' })
  const other = await failure(
    sql.begin(async (tx) => {
      await tx`insert into written values (1)`
      throw elsewhere
    }),
  )
  assert.is(other, elsewhere)
  assert.is((await sql`select 1 from written`).length, 0)
  assert.is(await session(), before)
  assert.equal(await sql.begin('read only', async (tx) => (await tx`show transaction_read_only`)[0]), {
    transaction_read_only: 'on',
  })
  await sql.end()
})

test('a transaction may come behind more statements than the library sends ahead by itself', async () => {
  const sql = connect({ url: database.url, max: 1 })
  await sql`create table if not exists written (by_transaction integer)`
  const before = Array.from({ length: 100 }, () => sql`select 1`.then(() => 1))
  const transaction = sql.begin((tx) => tx`insert into written values (1)`).then(() => 1)
  await Promise.all([...before, transaction])
  const [outside] = await sql`select pg_current_xact_id_if_assigned() as id from written`
  assert.equal(outside, { id: null })
  await sql`delete from written`
  await sql.end()
})

test('a statement that takes too long is cancelled and counts as unavailable', async () => {
  const sql = connect({ url: `${database.url}?statement_timeout=200`, max: 1 })
  const error = await failure(sql`select pg_sleep(5)`)
  assert.is((error as { code?: string }).code, '57014')
  assert.ok(isDatabaseUnavailable(error))
  await sql.end()
})

test('a port where nobody listens is unavailable at once, every time', async () => {
  await passesOnSomeTry(async () => {
    const sql = connect({ url: `postgres://nobody@127.0.0.1:${await freePort()}/none`, max: 1 })
    const started = performance.now()
    for (let attempt = 0; attempt < 5; attempt++) assert.ok(isDatabaseUnavailable(await failure(sql`select 1`)))
    const took = performance.now() - started
    await sql.end({ timeout: 1 })
    return took < 5_000 ? undefined : `it took ${Math.round(took)} ms`
  })
})

test('a server that accepts and says nothing is given up after 5 s', async () => {
  const server = createServer(() => {})
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    }),
  )
  const sql = connect({ url: `postgres://nobody@127.0.0.1:${port}/none`, max: 1 })
  const error = await failure(sql`select 1`)
  assert.is((error as { code?: string }).code, 'CONNECT_TIMEOUT')
  assert.ok(isDatabaseUnavailable(error))
  await sql.end({ timeout: 1 })
  server.close()
})

test('mistakes of a statement do not count as unavailable', async () => {
  const sql = connect({ url: database.url, max: 1 })
  for (const work of [sql`select * from nowhere`, sql`select 1 / 0`, sql`select 'x'::uuid`]) {
    assert.not(isDatabaseUnavailable(await failure(work)))
  }
  assert.not(isDatabaseUnavailable(new Error('no code')))
  assert.not(isDatabaseUnavailable(undefined))
  await sql.end()
})

test.run()
