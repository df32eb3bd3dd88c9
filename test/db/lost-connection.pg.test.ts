import { createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { writeBackup } from '../../server/db/backup/write.ts'
import { connect } from '../../server/db/connect.ts'
import { transaction } from '../../server/db/transaction.ts'
import { CommitUnconfirmed, isDatabaseUnavailable } from '../../server/db/unavailable.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('a connection that is lost')
let database: Awaited<ReturnType<typeof createPostgresDatabase>>

test.before(async () => {
  database = await createPostgresDatabase({ migrated: false })
})
test.after(() => database.drop())

/** The database behind a wire that can be cut, as it is when the server process is killed. */
async function cuttable(target = database.url) {
  const { hostname, port } = new URL(target)
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
  const url = new URL(target)
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
    /** Lets nothing through any more on what is open now, and says nothing of it. */
    swallow() {
      for (const socket of sockets) socket.unpipe().resume()
      sockets.clear()
    },
    close: () => new Promise((resolve) => proxy.close(resolve)),
  }
}

for (const how of ['end', 'reset'] as const) {
  test(`in the middle of a transaction fails that transaction and nothing else (${how})`, async () => {
    const wire = await cuttable()
    const sql = connect({ url: wire.url, max: 3 })
    const beside = connect({ url: database.url, max: 1 })
    const pids: number[] = []
    const outcomes = Array.from({ length: 3 }, () =>
      transaction(sql, async (tx) => {
        const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        if (own) pids.push(own.pid)
        await Promise.all([tx`select pg_sleep(120)`, tx`select 2`])
      }).then(
        () => 'committed',
        (error: unknown) => error,
      ),
    )
    // Until each transaction waits in its long statement.
    const asleep = () => beside`select from pg_stat_activity where pid = any(${pids}) and wait_event = 'PgSleep'`
    await until('all three sleep', async () => (await asleep()).length === 3)
    await beside.end()
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

test('takes no statement with it that begins between its error and its end', async () => {
  const wire = await cuttable()
  const sql = connect({ url: wire.url, max: 1 })
  for (let round = 0; round < 5; round++) {
    await until('a connection is open and idle', () =>
      sql`select`.then(
        () => true,
        () => false,
      ),
    )
    wire.cut('reset')
    const outcomes: Promise<string>[] = []
    // One in each turn of the event loop: only in one of them has the connection had its error and not its end.
    const started = Date.now()
    while (Date.now() - started < 20) {
      await immediate()
      outcomes.push(
        sql`select 1 as one`.then(
          ([row]) => (row?.one === 1 ? 'answered' : 'answered by nothing'),
          (error: unknown) => (isDatabaseUnavailable(error) ? 'failed' : String(error)),
        ),
      )
    }
    const all = await Promise.race([Promise.all(outcomes), sleep(10_000).then(() => ['lost'])])
    assert.equal(
      [...new Set(all)].filter((outcome) => !['answered', 'failed'].includes(outcome)),
      [],
    )
  }
  await sql.end({ timeout: 1 })
  await wire.close()
})

for (const said of ['', 'HTTP/1.1 400 Bad Request\r\n\r\n']) {
  test(`that is accepted and closed, as by a proxy without a database, is tried once for a statement (${said.length} bytes)`, async () => {
    let accepted = 0
    const proxy = createServer((socket) => {
      accepted++
      socket
        .on('error', () => {})
        .resume()
        .end(said)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const address = proxy.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const sql = connect({ url: `postgres://nobody@127.0.0.1:${port}/none` })
    const error = await sql`select 1`.catch((thrown: unknown) => thrown)
    assert.ok(isDatabaseUnavailable(error), String(error))
    assert.is(accepted, 1)
    await sql.end({ timeout: 1 })
    await new Promise((resolve) => proxy.close(resolve))
  })
}

for (const hosts of ['localhost', 'localhost,localhost']) {
  test(`is not left open when its pool ends while it is being made (${hosts})`, async () => {
    const { pathname, port, username, password } = new URL(database.url)
    const url = `postgres://${username}${password && `:${password}`}@/${pathname.slice(1)}?host=${hosts}&port=${port}`
    const beside = connect({ url: database.url, max: 1 })
    for (let delay = 0; delay < 16; delay += 2) {
      const sql = connect({ url: `${url}&application_name=ended` })
      const outcomes = Promise.allSettled(Array.from({ length: 10 }, () => sql`select 1`))
      await sleep(delay)
      await sql.end({ timeout: 0 })
      await outcomes
    }
    await until(
      'all are closed',
      async () => (await beside`select from pg_stat_activity where application_name = 'ended'`).length === 0,
    )
    await beside.end()
  })
}

test('while a commit is under way leaves nobody to know whether it was carried out, and nobody says that it was not', async () => {
  const wire = await cuttable()
  const sql = connect({ url: wire.url, max: 1 })
  const beside = connect({ url: database.url, max: 1 })
  await beside.unsafe(`create table late (words text);
    create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return null; end $$;
    create constraint trigger slow after insert on late deferrable initially deferred for each row execute function wait()`)
  const written = transaction(sql, async (tx) => tx`insert into late values ('committed')`).catch(
    (error: unknown) => error,
  )
  const committing = () => beside`select from pg_stat_activity where query = 'commit' and wait_event = 'PgSleep'`
  await until('the commit is under way', async () => (await committing()).length === 1)
  wire.cut('reset')
  assert.instance(await written, CommitUnconfirmed)
  await until('it is carried out', async () => (await beside`select from late`).length === 1)
  await Promise.all([sql.end({ timeout: 1 }), beside.end()])
  await wire.close()
})

test('whose packets are swallowed for good is replaced, and what waited on it fails', async () => {
  const wire = await cuttable()
  const sql = connect({ url: wire.url, max: 2, probe: { everyMs: 200, silentMs: 2_000 } })
  await Promise.all([sql`select pg_sleep(.05)`, sql`select pg_sleep(.05)`])
  wire.swallow()
  let failed: unknown
  void transaction(sql, (tx) => tx`select 1`).catch((error: unknown) => {
    failed = error
  })
  await until('queries are answered on new connections', () => {
    const answered = sql`select 1`.then(
      () => true,
      (error: unknown) => {
        assert.ok(isDatabaseUnavailable(error), String(error))
        return false
      },
    )
    return Promise.race([answered, sleep(300).then(() => false)])
  })
  await until('what waited has failed', () => failed !== undefined)
  assert.ok(isDatabaseUnavailable(failed), String(failed))
  await sql.end({ timeout: 1 })
  await wire.close()
})

test('a backup from a database that falls silent ends, and says so', async () => {
  const migrated = await createPostgresDatabase()
  const wire = await cuttable(migrated.url)
  const folder = await mkdtemp(join(tmpdir(), 'pullquote-silent-'))
  const sql = connect({ url: wire.url, max: 2 })
  await sql`insert into projects (name, plan, allowed_origins)
    select 'project ' || n, 'free', '{}' from generate_series(1, 5000) n`
  const swallowed = (async () => {
    await until('the backup has begun', () => existsSync(join(folder, 'backup')), 1)
    wire.swallow()
  })()
  const started = Date.now()
  const error = await writeBackup(sql, createWriteStream(join(folder, 'backup')), 700).catch(
    (thrown: unknown) => thrown,
  )
  await swallowed
  assert.ok(isDatabaseUnavailable(error), String(error))
  assert.ok(Date.now() - started < 60_000)
  await sql.end({ timeout: 1 })
  await wire.close()
  await rm(folder, { recursive: true })
  await migrated.drop()
})

test('a pool that is only busy is not replaced', async () => {
  const wire = await cuttable()
  const sql = connect({ url: wire.url, max: 1, probe: { everyMs: 100, silentMs: 3_000 } })
  const [before] = await sql`select pg_backend_pid() as pid`
  for (let i = 0; i < 5; i++) await sql`select pg_sleep(.3)`
  const [after] = await sql`select pg_backend_pid() as pid`
  assert.is(after?.pid, before?.pid)
  await sql.end({ timeout: 1 })
  await wire.close()
})

test.run()
