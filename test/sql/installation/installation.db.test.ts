import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { accept } from '../../../server/ingest/accept.ts'
import {
  activateModel,
  activeModelId,
  cursorSecret,
  ModelChanged,
} from '../../../server/sql/installation/installation.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { makeProject, markIndexed, review, revisionOf } from '../fixtures.ts'

const test = suite('installation')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.before.each(async () => {
  await db.sql`delete from projects`
  await db.sql`update installation set embedding_model_id = null`
  await db.sql`delete from embedding_models`
})
test.after(() => db.close())

test('the cursor secret is long, random and stays', async () => {
  const secret = await cursorSecret(db.sql)
  assert.is(secret.length, 32)
  assert.equal(await cursorSecret(db.sql), secret)
  assert.ok(new Set(secret).size > 10)
})

test('the first model becomes active; the same again changes nothing', async () => {
  assert.is(await activeModelId(db.sql), undefined)
  const first = await activateModel(db.sql, { name: 'test', dimensions: 3 })
  assert.equal(first, { modelId: first.modelId, reindexing: 0 })
  assert.is(await activeModelId(db.sql), first.modelId)
  assert.equal(await activateModel(db.sql, { name: 'test', dimensions: 3 }), first)
})

test('another model queues what it has not embedded, once', async () => {
  const first = await activateModel(db.sql, { name: 'test', dimensions: 3 })
  const project = await makeProject(db.sql)
  await accept(db.sql, project, 'live', [review('a'), review('b')], {})
  await markIndexed(db.sql, project.id)
  const revision = await revisionOf(db.sql, project.id)
  const second = await activateModel(db.sql, { name: 'other', dimensions: 5 })
  assert.is.not(second.modelId, first.modelId)
  assert.is(second.reindexing, 2)
  const [state] = await db.sql`select
    (select count(*)::int from reviews where status = 'indexing') as indexing,
    (select count(*)::int from index_jobs) as jobs, (select count(*)::int from excerpts) as excerpts`
  assert.equal(state, { indexing: 2, jobs: 2, excerpts: 2 }, 'old excerpts stay for listings without q')
  assert.is(await revisionOf(db.sql, project.id), revision + 1)
  assert.is((await activateModel(db.sql, { name: 'other', dimensions: 5 })).reindexing, 0)
  const back = await activateModel(db.sql, { name: 'test', dimensions: 3 })
  assert.equal(back, { modelId: first.modelId, reindexing: 0 }, 'its excerpts are still there')
  const [after] = await db.sql`select
    (select count(*)::int from reviews where status = 'indexing') as indexing,
    (select count(*)::int from index_jobs) as jobs`
  assert.equal(after, { indexing: 0, jobs: 0 }, 'and nothing waits any more')
})

test('back at the former model, only what it has not embedded waits: what came or changed meanwhile', async () => {
  await activateModel(db.sql, { name: 'test', dimensions: 3 })
  const project = await makeProject(db.sql)
  await accept(db.sql, project, 'live', [review('a'), review('b')], {})
  await markIndexed(db.sql, project.id)
  await activateModel(db.sql, { name: 'other', dimensions: 5 })
  await accept(db.sql, project, 'live', [review('b', { text: 'The rooms were loud.' }), review('c')], {})
  assert.is((await activateModel(db.sql, { name: 'test', dimensions: 3 })).reindexing, 2)
  const states = await db.sql`
    select external_id, status, j.review_id is not null as queued
    from reviews r left join index_jobs j on j.project_id = r.project_id and j.review_id = r.id order by external_id`
  assert.equal(
    states.map((row) => Object.values(row)),
    [
      ['a', 'indexed', false],
      ['b', 'indexing', true],
      ['c', 'indexing', true],
    ],
  )
})

test('a switch takes claimed jobs from servers that still work with the former model', async () => {
  await activateModel(db.sql, { name: 'test', dimensions: 3 })
  const project = await makeProject(db.sql)
  await accept(db.sql, project, 'live', [review('a')], {})
  await db.sql`update index_jobs set lease_token = ${randomUUID()}, leased_until = now() + interval '1 minute'`
  await activateModel(db.sql, { name: 'other', dimensions: 5 })
  const [job] = await db.sql`select lease_token, leased_until from index_jobs`
  assert.equal({ ...job }, { lease_token: null, leased_until: null })
})

test('a model that changed its length under its name is refused', async () => {
  await activateModel(db.sql, { name: 'test', dimensions: 3 })
  try {
    await activateModel(db.sql, { name: 'test', dimensions: 4 })
    assert.unreachable()
  } catch (error) {
    if (!(error instanceof ModelChanged)) throw error
    // Without the constant component of every stored vector, which no model has.
    assert.match(error.message, /has 3 dimensions; this database knows it with 2\. .*PULLQUOTE_EMBEDDING_CALIBRATION/)
  }
})

test('servers that start at once agree', async () => {
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => activateModel(db.sql, { name: 'test', dimensions: 3 })),
  )
  assert.is(new Set(answers.map(({ modelId }) => modelId)).size, 1)
})

test.run()
