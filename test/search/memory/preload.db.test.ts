import * as assert from 'uvu/assert'
import { preload } from '../../../server/search/memory/preload.ts'
import { SearchMemory } from '../../../server/search/memory/search-memory.ts'
import { openTestDatabase, silent, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { Garden } from '../planted.ts'

const test = suite('an index that is loaded before anyone searches')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.after(() => db.close())

test('it is the one of the environment with the most reviews', async () => {
  const garden = await new Garden(db.sql).open()
  const large = await garden.project('Large')
  await garden.plant({ slices: [['A quiet room', 0.8]] })
  for (const text of ['Clean beds', 'A warm pool']) await garden.plant({ slices: [[text, 0.8]] }, large)
  await db.sql`update excerpts set embedding = int8_vector(embedding)`
  await db.sql`update environments set review_count = 1 where project_id = ${garden.context.project.id}`
  await db.sql`update environments set review_count = 2 where project_id = ${large} and env = 'live'`
  const memory = new SearchMemory({ sql: db.sql, log: silent, budget: 1e8, dimensions: 3 })
  await preload(memory, { sql: db.sql, log: silent, modelId: garden.modelId })
  await until('it is loaded', () => memory.state().loaded === 1)
  assert.is(memory.state().excerpts, 2)
  await memory.stop()
})

test('a database that fails at that moment is none of the start', async () => {
  const failing = Object.assign(() => Promise.reject(new Error('gone')), db.sql)
  await preload({ load: () => assert.unreachable() }, { sql: failing, log: silent, modelId: 1 })
})

test.run()
