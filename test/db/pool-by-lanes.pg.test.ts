import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { withDeadline } from '../../server/db/deadline.ts'
import { inLane, Lane, ServerSilent } from '../../server/db/lane.ts'
import { poolControl } from '../../server/db/resilient-pool.ts'
import { transaction } from '../../server/db/transaction.ts'
import { CommitUnconfirmed } from '../../server/db/unavailable.ts'
import type { Pool } from '../../server/deps.ts'
import { toApiError } from '../../server/http/to-api-error.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'

const test = suite('a pool whose statements go by lanes')
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

const lane = (most = 2) => new Lane({ most, slowMs: 60_000, onSlow() {} })
const isSilent = (error: unknown) => error instanceof ServerSilent

/** How long ago, in seconds, so many statements began that still run. */
async function sleeping(): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()
      and datname = current_database()`
  return row?.count ?? 0
}

test('as many statements and transactions wait for a server as its lane has places', async () => {
  const one = lane(2)
  const asked = inLane(one, () =>
    Promise.all([
      sql`select pg_sleep(0.4)`,
      sql.begin((tx) => tx`select pg_sleep(0.4)`),
      sql.unsafe('select pg_sleep(0.4)'),
    ]),
  )
  await sleep(200)
  assert.is(await sleeping(), 2)
  await asked
})

test('a part of a statement takes no place', async () => {
  const [row] = await inLane(lane(1), async () => sql<{ sum: number }[]>`select ${sql`1 + ${1}::int`} as sum`)
  assert.is(row?.sum, 2)
})

test('a statement is not waited for any longer when its lane is closed', async () => {
  const one = lane()
  const asked = inLane(one, async () => sql`select pg_sleep(5)`)
  await sleep(100)
  one.close()
  assert.ok(isSilent(await asked.catch((error: unknown) => error)))
})

test('a transaction whose lane is closed sends nothing more, and is rolled back', async () => {
  const one = lane()
  let further: unknown
  const written = inLane(one, () =>
    transaction(sql, async (tx) => {
      await tx`insert into notes values ('cut')`
      await tx`select pg_sleep(0.3)`
      further = await tx`insert into notes values ('later')`.catch((error: unknown) => error)
    }),
  )
  await sleep(100)
  one.close()
  assert.ok(isSilent(await written.catch((error: unknown) => error)))
  await sleep(500)
  assert.is(further, undefined)
  assert.is((await sql`select from notes`).length, 0)
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`
  assert.is(row?.count, 0)
})

test('of a commit that was sent when the lane closed nobody says that nothing was written', async () => {
  const one = lane()
  await sql`create table late (words text)`
  await sql.unsafe(
    `create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return null; end $$`,
  )
  await sql`create constraint trigger slow after insert on late deferrable initially deferred for each row execute function wait()`
  const written = inLane(one, () =>
    withDeadline(() => transaction(sql, async (tx) => tx`insert into late values ('committed')`), 10_000),
  )
  await sleep(250)
  one.close()
  const error = await written.catch((thrown: unknown) => thrown)
  assert.instance(error, CommitUnconfirmed)
  const answer = toApiError(error, 'request')
  assert.is(answer.code, 'service_unavailable')
  assert.match(answer.message, /may have been carried out/)
  await sleep(600)
  assert.is((await sql`select from late`).length, 1)
})

test('a renewed pool answers though all connections of the old one hang', async () => {
  const small = connect({ url: database.url, max: 2 })
  try {
    const hanging = [1, 2].map(() => small`select pg_sleep(3)`.catch(() => {}))
    await sleep(100)
    poolControl(small)?.renew()
    const before = performance.now()
    await small`select 1`
    assert.ok(performance.now() - before < 2_000)
    await Promise.all(hanging)
  } finally {
    await small.end({ timeout: 1 })
  }
})

test.run()
