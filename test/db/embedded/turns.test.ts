import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { createApp } from '../../../server/app.ts'
import { beforeBackground, inBackground } from '../../../server/db/turns.ts'
import type { Pool } from '../../../server/deps.ts'
import { SearchMemory } from '../../../server/search/memory/search-memory.ts'
import { environmentRevision } from '../../../server/sql/excerpts/search-rows.ts'
import { removeReviews } from '../../../server/sql/reviews/remove-reviews.ts'
import { openTestDatabase, silent, type TestDatabase } from '../../database.ts'
import { openService } from '../../http/service.ts'
import { found } from '../../routes/v1/canned-search.ts'
import { Garden, requestOf } from '../../search/planted.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'

const test = suite('turns on the embedded database')
let database: TestDatabase

test.before(async () => {
  database = await openTestDatabase()
})
test.after(() => database.close())

test('a search waits for one piece of background work at most, however much is queued', async () => {
  const background = inBackground(database.sql)
  const done: string[] = []
  let isBegun = false
  const work = Array.from({ length: 6 }, (_, i) =>
    background.begin(async (sql) => {
      isBegun = true
      await sql`select pg_sleep(.02)`
      done.push(`work ${i}`)
    }),
  )
  // No fixed time, in which a busy machine would end the first and begin the second.
  while (!isBegun) await pause(1)
  await beforeBackground(database.sql, async () => {
    await database.sql`select 1`
    await pause(5)
    await database.sql`select 2`
    done.push('search')
  })
  assert.equal(done, ['work 0', 'search'])
  await Promise.all(work)
  assert.is(done.length, 7)
})

test('a search goes first however it is sent', async () => {
  const order: string[] = []
  const service = await openService({
    search: async () => {
      const { sql } = service.database
      const work = inBackground(sql)`select 1`.then(() => order.push('work'))
      background.push(work)
      await pause(30)
      order.push('search')
      return found('MISS')()
    },
  })
  const background: Promise<unknown>[] = []
  const app = createApp(service.deps)
  const headers = { authorization: `Bearer ${service.keys.secret}`, 'content-type': 'application/json' }
  const ask = async (path: string, request: RequestInit) => {
    const response = await app.fetch(new Request(`http://hotel.test${path}`, { ...request, headers }))
    assert.is(response.status, 200)
    await Promise.all(background)
  }
  await ask('/v1/query?q=quiet', {})
  await ask('/v1/query', { method: 'POST', body: JSON.stringify({ q: 'quiet' }) })
  assert.equal(order, ['search', 'work', 'search', 'work'])
  await service.close()
})

test('background work goes on while requests never end', async () => {
  let isOver = false
  const requests = beforeBackground(database.sql, async () => {
    while (!isOver) await pause(1)
  })
  const [row] = await inBackground(database.sql)<{ two: number }[]>`select 1 + 1 as two`
  assert.is(row?.two, 2)
  isOver = true
  await requests
})

test('a request that fails is over as well', async () => {
  const failed = await beforeBackground(database.sql, () => Promise.reject(new Error('no'))).catch(() => 'failed')
  assert.is(failed, 'failed')
  const began = performance.now()
  // Each would wait for 100 ms.
  for (let i = 0; i < 40; i++) await inBackground(database.sql)`select 1`
  assert.ok(performance.now() - began < 2_000, `waited for ${performance.now() - began} ms`)
})

test('a search goes before the next step of a removal, and before the next page of an index that is loaded', async () => {
  const { memory, scope } = await plantedIn(database.sql, 1)
  let isRemoved = false
  const { removing, before } = await beforeBackground(database.sql, async () => {
    memory.load({ ...scope, env: 'live' })
    const removing = removeReviews(database.sql, { ...scope, env: 'test' }).then(() => {
      isRemoved = true
    })
    for (let i = 0; i < 8; i++) await database.sql`select 1`
    return { removing, before: [memory.state().loaded, isRemoved] }
  })
  assert.equal(before, [0, false])
  await removing
  await until('the index is loaded', () => memory.state().loaded === 1)
  await memory.stop()
})

test('an index does not wait for the search that waits for it', async () => {
  const { memory, search } = await plantedIn(database.sql, 30, 1)
  // Sixty statements load it, each of which would wait for 100 ms.
  const first = await beforeBackground(database.sql, () =>
    Promise.race([search().then(() => 'search'), pause(5_000, 'each statement waited')]),
  )
  assert.is(first, 'search')
  await memory.stop()
})

test('the first search waits for the index, instead of reading all excerpts in one statement for which others wait', async () => {
  const { memory, search } = await plantedIn(database.sql, 1)
  await search()
  assert.is(memory.state().inline, 1)
  await memory.stop()
})

test('an index is loaded in pages, between which requests go', async () => {
  let pages = 0
  const begin = (...given: Parameters<Pool['begin']>) => {
    pages++
    return database.sql.begin(...given)
  }
  const counting = new Proxy(database.sql, {
    get: (pool, name) => (name === 'begin' ? begin : Reflect.get(pool, name)),
  })
  const { memory, search } = await plantedIn(counting, 1_001)
  await search()
  await until('the index is loaded', () => memory.state().loaded === 1)
  assert.is(pages, 3)
  await memory.stop()
})

/** So many excerpts, and a search that begins to load them. */
async function plantedIn(sql: Pool, excerpts: number, pageRows = 500) {
  const garden = await new Garden(sql).open()
  await garden.multiply(await garden.plant({ slices: [['A quiet room', 0.8]] }), excerpts - 1)
  await sql`update excerpts set embedding = int8_vector(embedding)`
  const revision = (await environmentRevision(sql, { projectId: garden.context.project.id, env: 'live' })) ?? ''
  const memory = new SearchMemory({ sql, log: silent, budget: 1e8, dimensions: 3, pageRows })
  const search = () =>
    garden.search(undefined, memory)({ ...garden.context, revision }, requestOf({ q: 'quiet room' }), {
      bypassCache: true,
    })
  return { memory, search, scope: { projectId: garden.context.project.id, modelId: garden.modelId } }
}

test.run()
