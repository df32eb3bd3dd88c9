/** A project that is deleted while its keys are made and used. It needs two connections, so PostgreSQL. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import type { Pool } from '../../server/deps.ts'
import { toApiError } from '../../server/http/to-api-error.ts'
import { authenticate } from '../../server/sql/access/authenticate.ts'
import { createKey } from '../../server/sql/access/keys.ts'
import { chargeQuery } from '../../server/sql/usage/query-usage.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { makeProject, sha256 } from './fixtures.ts'

const test = suite('a project deleted meanwhile')
let drop: () => Promise<void>
let sql: Pool
let other: postgres.Sql

test.before(async () => {
  const database = await createPostgresDatabase()
  drop = database.drop
  sql = connect({ url: database.url })
  other = postgres(database.url, { max: 1, onnotice() {} })
})
test.after(async () => {
  await other?.end()
  await sql?.end()
  await drop?.()
})

/** Starts `work` while the project is deleted, and commits the deletion when `work` waits for it. */
async function whileDeleted<T>(projectId: string, work: () => Promise<T>): Promise<T | Error> {
  await other`begin`
  await other`delete from projects where id = ${projectId}`
  let ended = false
  const working = work()
    .catch((error: Error) => error)
    .finally(() => {
      ended = true
    })
  for (let waiting = false; !waiting && !ended; await pause(20)) {
    const [row] = await other`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    waiting = Number(row?.count) > 0
  }
  await other`commit`
  return working
}

const newKey = (projectId: string, keyHash: Buffer) =>
  createKey(sql, { projectId, env: 'live', kind: 'secret', keyHash, hint: 'abcd' })

test('a key is not made, which is no fault', async () => {
  const project = await makeProject(sql)
  assert.is(await whileDeleted(project.id, () => newKey(project.id, sha256(randomUUID()))), undefined)
})

test('its key is no longer known, and keys that are looked up with it still are', async () => {
  const [project, neighbour] = [await makeProject(sql), await makeProject(sql)]
  const [gone, stays] = [sha256(randomUUID()), sha256(randomUUID())]
  await newKey(project.id, gone)
  await newKey(neighbour.id, stays)
  const found = await whileDeleted(project.id, () => Promise.all([authenticate(sql, gone), authenticate(sql, stays)]))
  if (found instanceof Error) throw found
  assert.is(found[0], undefined)
  assert.is(found[1]?.project.id, neighbour.id)
})

test('what else fails by it is 503, and asked again it says what is missing', async () => {
  const project = await makeProject(sql)
  const failure = await whileDeleted(project.id, () => chargeQuery(sql, project.id, 5))
  const { code, retryAfterSeconds } = toApiError(failure, 'id')
  assert.equal([code, retryAfterSeconds], ['service_unavailable', 1])
})

test.run()
