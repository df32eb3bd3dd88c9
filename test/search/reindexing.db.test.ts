import * as assert from 'uvu/assert'
import { gardenSuite } from './planted.ts'

const { test, garden } = gardenSuite('while reviews are indexed again for another model, a search')

const match = async (body: object) => {
  try {
    return (await garden.find({ q: 'zzz', ...body })).match
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code
  }
}

async function plantWaiting(env: 'live' | 'test' = 'live') {
  const modelId = await garden.model('former', 2)
  const id = await garden.plant({ env, modelId, slices: [['still of the former model', 0.9]] })
  await garden.sql`
    insert into index_jobs (project_id, review_id, text_version) values (${garden.context.project.id}, ${id}, 1)`
}

test('that finds nothing is no empty page, whose words would be counted as looked for in vain', async () => {
  await plantWaiting()
  for (const fallback of ['none', 'recent']) assert.is(await match({ fallback }), 'embedding_unavailable', fallback)
  assert.is((await garden.sql`select from query_usage where uncached > 0`).length, 0, 'a failed search is not charged')
  assert.is(await match({ q: undefined }), 'recent', 'nothing is compared without q')
})

test('that finds something is answered', async () => {
  await plantWaiting()
  await garden.plant({ slices: [['done', 0.8]] })
  assert.is(await match({}), 'query')
})

test('is answered as ever if what waits is in the other environment', async () => {
  await plantWaiting('test')
  assert.is(await match({ fallback: 'none' }), 'none')
})

test('does not wait for reviews that may never be indexed', async () => {
  await plantWaiting()
  await garden.sql`update index_jobs set faults = 1`
  assert.is(await match({ fallback: 'none' }), 'none', 'failed on its own')
  await garden.sql`update index_jobs set faults = 0, set_aside_at = now(), run_at = 'infinity'`
  assert.is(await match({ fallback: 'none' }), 'none', 'set aside')
  await garden.sql`delete from index_jobs`
  assert.is(await match({ fallback: 'none' }), 'none', 'left by a server of another model, and queued within a minute')
})

test('is not held up by reviews that are indexed for the first time', async () => {
  const id = await garden.plant({ slices: [['too far', 0.1]] })
  await garden.sql`
    insert into index_jobs (project_id, review_id, text_version) values (${garden.context.project.id}, ${id}, 2)`
  assert.is(await match({ fallback: 'none' }), 'none')
})

test.run()
