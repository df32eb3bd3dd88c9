/** A project that is deleted while its keys are made and used. It needs two connections, so PostgreSQL. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import type { Pool } from '../../server/deps.ts'
import { toApiError } from '../../server/http/to-api-error.ts'
import { accept } from '../../server/ingest/accept.ts'
import { authenticate } from '../../server/sql/access/authenticate.ts'
import { createKey } from '../../server/sql/access/keys.ts'
import { deleteProject, purgeDeletedProjects } from '../../server/sql/projects/delete-project.ts'
import { getProject, listProjects } from '../../server/sql/projects/projects.ts'
import { chargeQuery } from '../../server/sql/usage/query-usage.ts'
import { codeOf } from '../../src/contract/code-of.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { makeProject, review, sha256 } from './fixtures.ts'

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

/** Statements that wait for a lock. */
const waiting = async () => {
  const [row] = await sql`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  return Number(row?.count)
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

test('keys that are counted and deleted in opposite orders are looked up again, and no request hears of it', async () => {
  const project = await makeProject(sql)
  const hashes = [sha256(randomUUID()), sha256(randomUUID())]
  const made = await Promise.all(hashes.map(async (hash) => ({ id: (await newKey(project.id, hash))?.id ?? '', hash })))
  const [first, last] = made.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id }) => id)
  const both = () => Promise.all(hashes.map((hash) => authenticate(sql, hash)))
  await both()
  await other`begin`
  await other`select from rate_windows where key_id = ${last ?? ''} for update`
  const looking = Promise.allSettled([both()])
  await until('they wait', async () => (await waiting()) === 1)
  // On a slow machine it is this one that PostgreSQL ends.
  await other`select from rate_windows where key_id = ${first ?? ''} for update`.catch(() => undefined)
  await other`rollback`
  const [looked] = await looking
  assert.equal(looked.status === 'fulfilled' && looked.value.map((found) => found?.project.id), [
    project.id,
    project.id,
  ])
})

test('it is gone before its reviews and the counts of its queries are, and nobody waits for those', async () => {
  for (const table of ['hidden_excerpts', 'query_insights']) {
    const [project, neighbour] = [await makeProject(sql), await makeProject(sql)]
    const [gone, stays] = [sha256(randomUUID()), sha256(randomUUID())]
    await newKey(project.id, gone)
    await newKey(neighbour.id, stays)
    await accept(sql, project, 'live', [review('a')], {})
    await sql`insert into hidden_excerpts (project_id, review_id, words_hash, env, words)
      select project_id, id, sha256('words'), env, 'words' from reviews where project_id = ${project.id}`
    await sql`insert into query_insights (project_id, env, day, query, searches, empty, fallbacks)
      values (${project.id}, 'live', current_date, 'breakfast', 1, 0, 0)`
    await other`begin`
    await other`select from ${other(table)} where project_id = ${project.id} for update`
    assert.ok(await deleteProject(sql, project.id))
    assert.is(await accept(sql, project, 'live', [review('b')], {}).catch(codeOf), 'project_gone')
    const removing = purgeDeletedProjects(sql)
    await until('the removal has come to what is locked', async () => (await waiting()) === 1)
    const found = await Promise.all([gone, stays].map((key) => authenticate(sql, key)))
    assert.equal(
      found.map((one) => one?.project.id),
      [undefined, neighbour.id],
    )
    assert.is(await getProject(sql, project.id), undefined)
    assert.not.ok((await listProjects(sql)).some(({ id }) => id === project.id))
    assert.is(await newKey(project.id, sha256(randomUUID())), undefined)
    assert.equal(await makeProject(sql, { name: project.name }).then(({ name }) => name), project.name)
    await other`rollback`
    assert.is(await removing, 1)
    const [left] = await sql`select count(*)::int as count from projects where id = ${project.id}`
    assert.equal(left, { count: 0 })
  }
})

test('what else fails by it is 503, and asked again it says what is missing', async () => {
  const project = await makeProject(sql)
  const failure = await whileDeleted(project.id, () => chargeQuery(sql, project.id, 5))
  const { code, retryAfterSeconds } = toApiError(failure, 'id')
  assert.equal([code, retryAfterSeconds], ['service_unavailable', 1])
})

test.run()
