import * as assert from 'uvu/assert'
import { chargeQuery, monthlyQueries, queriesThisMonth, refundQuery } from '../../../server/sql/usage/query-usage.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'

const test = suite('monthly quota of uncached queries')
let database: TestDatabase
let project = ''

test.before(async () => {
  database = await openTestDatabase()
})
test.before.each(async () => {
  await database.sql`delete from projects`
  const [row] = await database.sql<{ id: string }[]>`insert into projects (name) values ('Lakeside') returning id`
  project = row?.id ?? ''
})
test.after(() => database.close())

test('counts up to the quota and then refuses without counting', async () => {
  const spent = []
  for (let i = 0; i < 4; i++) spent.push((await chargeQuery(database.sql, project, 3)).ok)
  assert.equal(spent, [true, true, true, false])
  assert.is(await queriesThisMonth(database.sql, project), 3)
})

test('stays exact when many spend at once', async () => {
  const all = await Promise.all(Array.from({ length: 30 }, () => chargeQuery(database.sql, project, 20)))
  assert.is(all.filter(({ ok }) => ok).length, 20)
  assert.is(await queriesThisMonth(database.sql, project), 20)
})

test('refuses everything at a quota of zero', async () => {
  assert.is((await chargeQuery(database.sql, project, 0)).ok, false)
  assert.is(await queriesThisMonth(database.sql, project), 0)
})

test('says how long the month still lasts, by the calendar of UTC', async () => {
  await database.sql`set time zone 'Pacific/Kiritimati'`
  const refused = await chargeQuery(database.sql, project, 0)
  await database.sql`set time zone 'UTC'`
  const now = new Date()
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  assert.is(refused.ok, false)
  if (!refused.ok) assert.ok(Math.abs(refused.retryAfterSeconds - (next - now.getTime()) / 1000) <= 5)
})

test('begins again each month', async () => {
  await chargeQuery(database.sql, project, 1)
  await database.sql`update query_usage set month = (month - interval '1 month')::date`
  assert.is(await queriesThisMonth(database.sql, project), 0)
  assert.is((await chargeQuery(database.sql, project, 1)).ok, true)
})

test('gives a query back to the month that it was charged to', async () => {
  const spent = await chargeQuery(database.sql, project, 5)
  assert.ok(spent.ok)
  await chargeQuery(database.sql, project, 5)
  if (spent.ok) await refundQuery(database.sql, project, spent.month)
  assert.is(await queriesThisMonth(database.sql, project), 1)
  await refundQuery(database.sql, project, '2020-01-01')
  assert.is(await queriesThisMonth(database.sql, project), 1)
})

test('counts each project for itself', async () => {
  const [other] = await database.sql<{ id: string }[]>`insert into projects (name) values ('Other') returning id`
  await chargeQuery(database.sql, project, 1)
  assert.is((await chargeQuery(database.sql, other?.id ?? '', 1)).ok, true)
  await chargeQuery(database.sql, project, 2)
  assert.is(await queriesThisMonth(database.sql, project), 2)
  assert.is(await queriesThisMonth(database.sql, other?.id ?? ''), 1)
})

test('tells the month before as well, and none before that', async () => {
  const { sql } = database
  const [other] = await sql<{ id: string }[]>`insert into projects (name) values ('Idle') returning id`
  const idle = other?.id ?? ''
  await chargeQuery(sql, project, 5)
  for (const [ago, uncached] of [
    ['1 month', 7],
    ['2 months', 9],
  ] as const)
    await sql`
      insert into query_usage (project_id, month, uncached)
      values (${project}, (date_trunc('month', now() at time zone 'UTC') - ${ago}::text::interval)::date, ${uncached})`
  assert.equal(
    await monthlyQueries(sql, [project, idle]),
    new Map([
      [project, { this_month: 1, last_month: 7 }],
      [idle, { this_month: 0, last_month: 0 }],
    ]),
  )
})

test('leaves the session’s durability as it was', async () => {
  const setting = async () =>
    (
      await database.sql<{ value: string }[]>`
    select current_setting('synchronous_commit') as value`
    )[0]?.value
  const before = await setting()
  await chargeQuery(database.sql, project, 9)
  assert.is(await setting(), before)
})

test.run()
