import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { startAutoanalyze } from '../../server/db/autovacuum.ts'
import { connect } from '../../server/db/connect.ts'
import { createPostgresDatabase, openTestDatabase, silent } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('statistics of a growing PostgreSQL database')

test('a table that has about doubled is analysed, and one that has not is left alone', async () => {
  const { sql, close } = await openTestDatabase()
  const statistics = startAutoanalyze(sql, silent, 3_600_000)
  const grow = (count: number, prefix: string) => sql`
    insert into reviews (project_id, env, source, external_id, text)
    select id, 'live', 'custom', ${prefix} || n, 'Made up' from projects, generate_series(1, ${count}::int) n`
  // Sessions report their counts with a delay, and at the latest when they are told to.
  const analyses = async () => {
    await sql`select pg_stat_force_next_flush()`
    await pause(50)
    await statistics.run()
    const [row] = await sql`select analyze_count from pg_stat_user_tables where relid = 'reviews'::regclass`
    return Number(row?.analyze_count)
  }
  await sql`alter table reviews set (autovacuum_enabled = false)`
  await sql`insert into projects (name) values ('hotel')`
  await grow(5_000, 'a')
  await statistics.run()
  const first = await until('it is analysed after the first rows', async () => (await analyses()) || undefined)
  await grow(1_000, 'b')
  assert.is(await analyses(), first)
  await grow(20_000, 'c')
  await until('it is analysed again', async () => (await analyses()) > first)
  statistics.stop()
  await close()
})

test('a table that was never analysed, as pg_upgrade leaves it, is analysed at once', async () => {
  const { sql, close } = await openTestDatabase()
  await sql`alter table reviews set (autovacuum_enabled = false)`
  await sql`insert into projects (name) values ('hotel')`
  await sql`
    insert into reviews (project_id, env, source, external_id, text)
    select id, 'live', 'custom', n, 'Made up' from projects, generate_series(1, 900) n`
  const isAnalysed = async () => {
    const [row] = await sql`select reltuples >= 0 as known from pg_class where oid = 'reviews'::regclass`
    return row?.known
  }
  assert.is(await isAnalysed(), false)
  const statistics = startAutoanalyze(sql, silent, 3_600_000)
  await until('it is analysed', isAnalysed)
  statistics.stop()
  await close()
})

test('tables of another owner are left to autovacuum, without a warning each time in the log of PostgreSQL', async () => {
  const { url, drop } = await createPostgresDatabase()
  const owner = connect({ url, max: 1 })
  const role = `pullquote_writer_${process.pid}`
  await owner.unsafe(
    `create role ${role} login; grant select, insert, update on all tables in schema public to ${role}`,
  )
  const noticed: string[] = []
  const other = new URL(url)
  other.username = role
  const sql = connect({ url: other.href, max: 1, onNotice: (notice) => void noticed.push(notice) })
  try {
    await owner`insert into projects (name) values ('hotel')`
    await owner`
      insert into reviews (project_id, env, source, external_id, text)
      select id, 'live', 'custom', n, 'Made up' from projects, generate_series(1, 5000) n`
    await owner`select pg_stat_force_next_flush()`
    const statistics = startAutoanalyze(sql, silent, 3_600_000)
    await statistics.run()
    statistics.stop()
    assert.equal(noticed, [])
  } finally {
    await sql.end()
    await owner.unsafe(`drop owned by ${role}; drop role ${role}`)
    await owner.end()
    await drop()
  }
})

test.run()
