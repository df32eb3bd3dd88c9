import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { Bulkhead, inBulkhead, ServerSilent } from '../../server/db/bulkhead.ts'
import { connect } from '../../server/db/connect.ts'
import { withDeadline } from '../../server/db/deadline.ts'
import { poolControl } from '../../server/db/pool-control.ts'
import { transaction } from '../../server/db/transaction.ts'
import { CommitUnconfirmed } from '../../server/db/unavailable.ts'
import type { Pool } from '../../server/deps.ts'
import { toApiError } from '../../server/http/to-api-error.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'

const test = suite('a pool whose statements go by bulkheads')
let database: Awaited<ReturnType<typeof createPostgresDatabase>>
let sql: Pool

test.before(async () => {
  database = await createPostgresDatabase({ migrated: false })
  sql = connect({ url: database.url })
  await sql`create table notes (words text)`
})
test.after(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const bulkhead = (most = 2) => new Bulkhead({ most, slowMs: 60_000, onSlow() {} })
const isSilent = (error: unknown) => error instanceof ServerSilent

/** How many statements of this text sleep just now. */
async function sleeping(text: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from pg_stat_activity
    where query like ${`${text}%`} and wait_event = 'PgSleep' and datname = current_database()`
  return row?.count ?? 0
}

const untilSleeping = (text: string, count = 1) =>
  until(`${count} sleep in ${text}`, async () => (await sleeping(text)) === count)

test('as many statements and transactions wait for a server as its bulkhead has places', async () => {
  const one = bulkhead(2)
  const asked = inBulkhead(one, () =>
    Promise.all([sql`select pg_sleep(1)`, sql.begin((tx) => tx`select pg_sleep(1)`), sql.unsafe('select pg_sleep(1)')]),
  )
  await untilSleeping('select pg_sleep(1)', 2)
  await pause(50)
  assert.ok((await sleeping('select pg_sleep(1)')) <= 2)
  await asked
})

test('a part of a statement takes no place', async () => {
  const [row] = await inBulkhead(bulkhead(1), async () => sql<{ sum: number }[]>`select ${sql`1 + ${1}::int`} as sum`)
  assert.is(row?.sum, 2)
})

test('a statement is not waited for any longer when its bulkhead is closed', async () => {
  const one = bulkhead()
  const asked = inBulkhead(one, async () => sql`select pg_sleep(5)`)
  await untilSleeping('select pg_sleep(5)')
  one.close()
  assert.ok(isSilent(await asked.catch((error: unknown) => error)))
})

test('a transaction whose bulkhead is closed sends nothing more, and is rolled back', async () => {
  const one = bulkhead()
  let further: unknown
  const written = inBulkhead(one, () =>
    transaction(sql, async (tx) => {
      await tx`insert into notes values ('cut')`
      await tx`select pg_sleep(1.5)`
      further = await tx`insert into notes values ('later')`.catch((error: unknown) => error)
    }),
  )
  await untilSleeping('select pg_sleep(1.5)')
  one.close()
  assert.ok(isSilent(await written.catch((error: unknown) => error)))
  await untilSleeping('select pg_sleep(1.5)', 0)
  await until('no transaction is left open', async () => {
    const open = await sql`
      select from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`
    return open.length === 0
  })
  assert.is(further, undefined)
  assert.is((await sql`select from notes`).length, 0)
})

test('of a commit that was sent when the bulkhead closed nobody says that nothing was written', async () => {
  const one = bulkhead()
  await sql`create table late (words text)`
  await sql.unsafe(
    `create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(1.5); return null; end $$`,
  )
  await sql`create constraint trigger slow after insert on late deferrable initially deferred for each row execute function wait()`
  const written = inBulkhead(one, () =>
    withDeadline(() => transaction(sql, async (tx) => tx`insert into late values ('committed')`), 10_000),
  )
  await untilSleeping('commit')
  one.close()
  const error = await written.catch((thrown: unknown) => thrown)
  assert.instance(error, CommitUnconfirmed)
  const answer = toApiError(error, 'request')
  assert.is(answer.code, 'service_unavailable')
  assert.match(answer.message, /may have been carried out/)
  await until('it is committed', async () => (await sql`select from late`).length === 1)
})

test('a renewed pool answers though all connections of the old one hang', async () => {
  const small = connect({ url: database.url, max: 2 })
  try {
    let hanging = 2
    const ended = [1, 2].map(() => small`select pg_sleep(3)`.catch(() => {}).finally(() => hanging--))
    await untilSleeping('select pg_sleep(3)', 2)
    poolControl(small)?.renew()
    await small`select 1`
    assert.is(hanging, 2)
    await Promise.all(ended)
  } finally {
    await small.end({ timeout: 1 })
  }
})

test.run()
