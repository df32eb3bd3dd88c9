import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { hashKey, newApiKey } from '../../server/http/api-key.ts'
import { createResultCache } from '../../server/search/cache.ts'
import { SearchMemory } from '../../server/search/memory/search-memory.ts'
import { createSearch } from '../../server/search/search.ts'
import { authenticate } from '../../server/sql/access/authenticate.ts'
import { createKey } from '../../server/sql/access/keys.ts'
import { patchReview } from '../../server/sql/reviews/reviews.ts'
import { queriesThisMonth } from '../../server/sql/usage/query-usage.ts'
import { openTestDatabase, silent, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { Garden, requestOf } from './planted.ts'

const test = suite('round trips of a query')
let db: TestDatabase
let garden: Garden
let memory: SearchMemory
let reviewId = ''
const key = newApiKey('secret', 'live')
const hash = hashKey(key)
let statements = 0
/** Times that nothing was on its way when a statement was sent: what one waits for after another. */
let waits = 0
let onTheirWay = 0
function sent(statement: Promise<unknown>): void {
  statements++
  if (onTheirWay++ === 0) waits++
  const settled = () => void onTheirWay--
  statement.then(settled, settled)
}
/** The pool, counting what is sent. A fragment is no statement: it is sent with one, or never. */
function counting(sql: TestDatabase['sql']): TestDatabase['sql'] {
  return new Proxy(sql, {
    apply(target, self, args) {
      const made = Reflect.apply(target, self, args)
      const { then } = made
      if (typeof then !== 'function') return made
      const value = (...handlers: unknown[]) => {
        Object.defineProperty(made, 'then', { value: then })
        sent(made)
        return Reflect.apply(then, made, handlers)
      }
      return Object.defineProperty(made, 'then', { value, configurable: true })
    },
    get(target, name, receiver) {
      if (name !== 'unsafe') return Reflect.get(target, name, receiver)
      return (...given: Parameters<typeof target.unsafe>) => {
        const made = target.unsafe(...given)
        sent(made)
        return made
      }
    },
  })
}

test.before(async () => {
  db = await openTestDatabase()
  garden = await new Garden(db.sql).open()
  const keyHash = hash
  await createKey(db.sql, { projectId: garden.context.project.id, env: 'live', kind: 'secret', keyHash, hint: 'abcd' })
  reviewId = await garden.plant({ slices: [['A quiet room', 0.8]] })
  for (let i = 0; i < 3; i++) await garden.plant({ language: 'de', slices: [['Ein ruhiges Zimmer', 0.7]] })
  await db.sql`update excerpts set embedding = int8_vector(embedding)`
  memory = new SearchMemory({ sql: counting(db.sql), log: silent, budget: 1e9, dimensions: 3 })
})
test.after(async () => {
  await memory.stop()
  await db.close()
})

function searchWith(used: SearchMemory | undefined) {
  const sql = counting(db.sql)
  const { embedder, modelId } = garden
  const cache = createResultCache({ entries: 0, bytes: 0 })
  return createSearch({ sql, embedder, modelId, cache, memory: used, log: silent })
}

async function trips(body: object, used: SearchMemory | undefined, search = searchWith(used)): Promise<number> {
  const { context } = garden
  statements = 0
  waits = 0
  const found = await authenticate(counting(db.sql), hash)
  assert.ok(found)
  const answer = await search({ ...context, revision: found.revision }, requestOf(body), { bypassCache: true })
  assert.ok(answer.ok && answer.results.length > 0)
  return statements
}

test('of an uncached one: key, quota with the stems, candidates, rows', async () => {
  assert.is(await trips({ q: 'quiet room' }, undefined), 4)
})

test('from memory: key, quota with the stems, rows, whatever it filters by', async () => {
  await until('it is loaded', async () => {
    await trips({ q: 'quiet room' }, memory)
    return memory.state().loaded === 1
  })
  assert.is(await trips({ q: 'quiet room' }, memory), 3)
  assert.is(await trips({ q: 'quiet room', filters: { source: ['google'], since: '2020-01-01T00:00:00Z' } }, memory), 3)
  assert.is(await trips({ q: 'zzz', mode: 'reviews', limit: 20 }, memory), 3)
})

test('after a write two more: what was touched, and how it is now', async () => {
  await patchReview(db.sql, { projectId: garden.context.project.id, env: 'live' }, reviewId, { hidden: true })
  // It was planted without a row in the log: the first time it is loaded again.
  await until('it is loaded', async () => {
    await trips({ q: 'quiet room' }, memory)
    return memory.state().loaded === 1
  })
  await patchReview(db.sql, { projectId: garden.context.project.id, env: 'live' }, reviewId, { hidden: false })
  assert.is(await trips({ q: 'quiet room' }, memory), 5)
  assert.is(await trips({ q: 'quiet room' }, memory), 3)
})

test('with results in another language two more, to see what they lose, until the languages are known', async () => {
  const { languages } = await createBuiltinEmbedder()
  garden.embedder = { ...garden.embedder, languages }
  try {
    const search = searchWith(memory)
    assert.is(await trips({ q: 'quiet room with a balcony' }, memory, search), 5)
    assert.is(await trips({ q: 'quiet room with a balcony' }, memory, search), 3)
    assert.is(await trips({ q: 'rooms that are quiet' }, memory, search), 3)
  } finally {
    garden.embedder = { ...garden.embedder, languages: undefined }
  }
})

test('with a model that compares words one more, to read what was found, until its words are known', async () => {
  const { languages, coverage } = await createBuiltinEmbedder()
  garden.embedder = { ...garden.embedder, languages, coverage }
  try {
    const search = searchWith(memory)
    assert.is(await trips({ q: 'quiet room with a balcony' }, memory, search), 4)
    assert.is(await trips({ q: 'quiet room with a balcony' }, memory, search), 3)
    assert.is(await trips({ q: 'rooms that are quiet' }, memory, search), 3)
  } finally {
    garden.embedder = { ...garden.embedder, languages: undefined, coverage: undefined }
  }
})

test('where vectors are made here the quota and the rows are one wait', async () => {
  garden.embedder = { ...garden.embedder, isInstant: true }
  try {
    const search = searchWith(memory)
    assert.is(await trips({ q: 'quiet room' }, memory, search), 3)
    assert.is(waits, 3, 'the stems are not known yet')
    assert.is(await trips({ q: 'quiet room' }, memory, search), 3)
    assert.is(waits, 2)
    assert.is(await trips({}, memory, search), 3)
    assert.is(waits, 2)
    for (const hidden of [true, false]) {
      await patchReview(db.sql, { projectId: garden.context.project.id, env: 'live' }, reviewId, { hidden })
      assert.is(await trips({ q: 'quiet room' }, memory, search), 5)
      assert.is(waits, 4, 'after a write the index follows before the quota is asked for, and then knows the stems')
    }
    garden.embedder = { ...garden.embedder, isInstant: false }
    const paid = searchWith(memory)
    await trips({ q: 'quiet room' }, memory, paid)
    await trips({ q: 'quiet room' }, memory, paid)
    assert.is(waits, 3, 'one over the quota costs a provider nothing')
  } finally {
    garden.embedder = { ...garden.embedder, isInstant: undefined }
  }
})

test('over the quota nothing is answered, and the next time nothing is read', async () => {
  const { context } = garden
  const used = async () => queriesThisMonth(db.sql, context.project.id)
  const before = await used()
  await db.sql`update query_usage set uncached = 50000`
  garden.embedder = { ...garden.embedder, isInstant: true }
  try {
    const revision = (await authenticate(db.sql, hash))?.revision ?? ''
    const search = searchWith(memory)
    const ask = () => search({ ...context, revision }, requestOf({}), { bypassCache: true })
    for (const most of [2, 1, 1]) {
      statements = 0
      const refused = await ask()
      assert.is(refused.ok ? 'answered' : refused.code, 'query_quota_exceeded')
      assert.is(statements, most)
      assert.is(await used(), 50_000)
    }
  } finally {
    garden.embedder = { ...garden.embedder, isInstant: undefined }
    await db.sql`update query_usage set uncached = ${before}`
  }
})

test('what is charged beside rows that cannot be read is taken back', async () => {
  garden.embedder = { ...garden.embedder, isInstant: true }
  const before = await queriesThisMonth(db.sql, garden.context.project.id)
  await db.sql`alter table reviews rename column url to link`
  try {
    await trips({}, memory).then(
      () => assert.unreachable(),
      (error) => assert.is(error.code, '42703'),
    )
  } finally {
    await db.sql`alter table reviews rename column link to url`
    garden.embedder = { ...garden.embedder, isInstant: undefined }
  }
  assert.is(await queriesThisMonth(db.sql, garden.context.project.id), before)
})

test('without matches the newest reviews are one more than the rows that there are none of', async () => {
  assert.is(await trips({ q: 'zzz', filters: { min_rating: 5 }, fallback: 'recent' }, memory), 3)
})

test.run()
