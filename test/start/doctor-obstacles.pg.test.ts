import { tmpdir } from 'node:os'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { createDoctor } from '../../server/doctor.ts'
import { createPostgresDatabase } from '../database.ts'
import { fakeEmbedder } from '../indexing/fake-embedder.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('doctor, when PostgreSQL can be reached')
let database: Awaited<ReturnType<typeof createPostgresDatabase>>
let sql: ReturnType<typeof connect>

test.before(async () => {
  database = await createPostgresDatabase()
  sql = connect({ url: database.url, max: 2 })
})
test.after(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

function findings() {
  const config = {
    home: tmpdir(),
    host: '127.0.0.1',
    port: 8787,
    demo: false,
    console: false,
    allowance: {},
    databaseUrl: database.url,
  }
  const model = { name: 'fake', id: 1 }
  return createDoctor({ sql, config, embedder: fakeEmbedder(), model, clock: () => new Date() }, 1_500)()
}

const told = async (check: string) => {
  const finding = (await findings()).find((one) => one.check === check && one.status !== 'ok')
  return finding ? `${finding.status}: ${finding.message}; ${finding.hint}` : 'nothing'
}

test('and nobody stands in the way, says nothing of it', async () => {
  assert.is(await told('locks'), 'nothing')
  assert.is(await told('database'), 'nothing')
})

test('but another program has locked a table, names it, also when all connections wait for it', async () => {
  const other = connect({ url: `${database.url}?application_name=nightly%20job`, max: 1 })
  let release = () => {}
  const locked = other.begin(async (tx) => {
    await tx`lock table reviews`
    await new Promise<void>((resolve) => {
      release = resolve
    })
  })
  const holds = async () => (await sql`select from pg_locks where mode = 'AccessExclusiveLock' and granted`).length > 0
  await until('the table is locked', holds)
  assert.match(
    await told('locks'),
    /^warning: process \d+ of \w+ \(nightly job\) has held locks on tables of Pullquote/,
  )
  const waiting = [sql`select from reviews`, sql`select from reviews where false`].map((one) => one.execute())
  const hint = /^failure: process (\d+) .*\(nightly job\).* 503 after 15 s; .*pg_terminate_backend\(\1\)$/
  await until('it is said that requests wait', async () => hint.test(await told('locks')))
  release()
  await Promise.all([locked, ...waiting])
  await other.end()
  assert.is(await told('locks'), 'nothing')
})

test('but its disk is full, says so', async () => {
  await sql.unsafe(`
    create function no_room() returns event_trigger language plpgsql as $$
      begin raise 'could not extend file' using errcode = '53100'; end $$;
    create event trigger no_room on ddl_command_start when tag in ('CREATE TABLE AS') execute function no_room()`)
  assert.match(await told('database'), /^failure: PostgreSQL's disk is full: .* 503/)
  await sql.unsafe('drop event trigger no_room')
  assert.is(await told('database'), 'nothing')
})

test.run()
