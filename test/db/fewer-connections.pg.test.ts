import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import type { Pool } from '../../server/deps.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('a pool that gets fewer connections than it had')
const role = `pullquote_fewer_${process.pid}`
const url = new URL(process.env.TEST_DATABASE_URL ?? 'postgres://none')
const admin = connect({ url: url.href, max: 1 })
url.username = role
const probe = { everyMs: 3_600_000, silentMs: 20_000 }

test.before(async () => {
  await admin.unsafe(`create role ${role} login`)
})
test.after(async () => {
  await admin.unsafe(`drop role ${role}`)
  await admin.end()
})

const sessions = async () => (await admin`select from pg_stat_activity where usename = ${role}`).length

/** @returns how many of twenty at once failed */
async function failures(sql: Pool): Promise<number> {
  const work = (n: number) => (n % 2 === 0 ? sql`select pg_sleep(0.02)` : sql.begin((tx) => tx`select pg_sleep(0.02)`))
  const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => work(n)))
  return answers.filter(({ status }) => status === 'rejected').length
}

/** Others have taken them: of the sessions that it had these are left. */
async function leave(connections: number): Promise<void> {
  await admin.unsafe(`alter role ${role} connection limit ${connections}`)
  await admin`
    select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role} order by pid offset ${connections}::int`
}

test('soon refuses nothing any more, and has all of them again when they are granted', async () => {
  const sql = connect({ url: url.href, max: 6, probe: { ...probe, growMs: 100 } })
  assert.is(await failures(sql), 0)
  assert.is(await sessions(), 6)
  await leave(3)
  await until('what comes is answered, again and again', async () => {
    for (let turn = 0; turn < 5; turn++) if ((await failures(sql)) > 0) return false
    return (await sessions()) <= 3
  })
  await leave(6)
  await until('it has as many as before', async () => (await failures(sql)) === 0 && (await sessions()) === 6)
  await sql.end()
})

test.run()
