import * as assert from 'uvu/assert'
import { createResultCache } from '../../server/search/cache.ts'
import { SearchMemory } from '../../server/search/memory/search-memory.ts'
import { createSearch, type Search, type SearchContext } from '../../server/search/search.ts'
import { environmentRevision } from '../../server/sql/excerpts/search-rows.ts'
import { patchReview } from '../../server/sql/reviews/reviews.ts'
import { queriesThisMonth } from '../../server/sql/usage/query-usage.ts'
import { openTestDatabase, silent, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { Garden, requestOf } from './planted.ts'

const test = suite('a search that is begun before its context is certain')
let db: TestDatabase
let garden: Garden
let memory: SearchMemory
let search: Search
let reviewId = ''
/** Searches of memory. */
let finds = 0

test.before(async () => {
  db = await openTestDatabase()
  garden = await new Garden(db.sql).open()
  garden.embedder = { ...garden.embedder, isInstant: true }
  reviewId = await garden.plant({ slices: [['A quiet room', 0.8]] })
  for (let i = 0; i < 3; i++) await garden.plant({ slices: [['A quiet garden', 0.7]] })
  await db.sql`update excerpts set embedding = int8_vector(embedding)`
  memory = new SearchMemory({ sql: db.sql, log: silent, budget: 1e9, dimensions: 3 })
  const { find } = memory
  memory.find = (...given) => {
    finds++
    return find.apply(memory, given)
  }
  const { embedder, modelId } = garden
  const cache = createResultCache({ entries: 10, bytes: 1e6 })
  search = createSearch({ sql: db.sql, embedder, modelId, cache, memory, log: silent })
  await patchReview(db.sql, scopeOf(), reviewId, { hidden: true })
  await patchReview(db.sql, scopeOf(), reviewId, { hidden: false })
  await until('it is loaded', async () => {
    await search(await contextNow(), requestOf({ q: 'quiet room' }), { bypassCache: true })
    return memory.state().loaded === 1
  })
  await search(await contextNow(), requestOf({ q: 'quiet room' }), { bypassCache: true })
})
test.after(async () => {
  await memory.stop()
  await db.close()
})

const scopeOf = () => ({ projectId: garden.context.project.id, env: 'live' as const })
async function contextNow(): Promise<SearchContext> {
  return { ...garden.context, revision: (await environmentRevision(db.sql, scopeOf())) ?? '' }
}
const request = requestOf({ q: 'quiet room', fallback: 'none' })
const ids = async (context: SearchContext, options: Partial<Parameters<Search>[2]> = {}) => {
  const found = await search(context, request, { bypassCache: true, ...options })
  return found.ok ? found.results.map(({ excerpt_id }) => excerpt_id) : found.code
}

test('is made once, costs nothing by itself, and finds the same', async () => {
  const context = await contextNow()
  const used = () => queriesThisMonth(db.sql, context.project.id)
  const before = await used()
  const expected = await ids(context)
  finds = 0
  const foreseen = search.foresee?.(context, request, true)
  assert.ok((await foreseen?.candidates)?.passing.length)
  assert.is(await used(), before + 1)
  assert.equal(await ids(context, { foreseen }), expected)
  assert.is(finds, 1)
  assert.is(await used(), before + 2)
})

test('is passed over when the settings were changed meanwhile, or another request is made', async () => {
  const context = await contextNow()
  const foreseen = search.foresee?.(context, request, true)
  assert.ok(foreseen)
  await foreseen.candidates
  finds = 0
  await ids({ ...context, project: { ...context.project, minRating: 5 } }, { foreseen })
  assert.is(finds, 1)
  const other = requestOf({ q: 'quiet room', filters: { min_rating: 5, source: ['yelp'] }, fallback: 'none' })
  const found = await search(context, other, { bypassCache: true, foreseen })
  assert.equal(found.ok && found.results, [])
})

test('is passed over when something was written meanwhile: what was hidden does not come', async () => {
  const context = await contextNow()
  const [best] = await ids(context)
  const foreseen = search.foresee?.(context, request, true)
  assert.is((await foreseen?.candidates)?.passing[0]?.id, best)
  await patchReview(db.sql, scopeOf(), reviewId, { hidden: true })
  finds = 0
  assert.not.ok((await ids(await contextNow(), { foreseen })).includes(best ?? ''))
  assert.is(finds, 1)
  await patchReview(db.sql, scopeOf(), reviewId, { hidden: false })
})

test('is not begun when its answer is kept, memory is behind, its words are not known or a service embeds it', async () => {
  const context = await contextNow()
  await ids(context)
  assert.ok(search.foresee?.(context, request, true))
  assert.ok(search.foresee?.(context, requestOf({ q: 'a quiet room' }), false))
  await search(context, request, { bypassCache: false })
  assert.is(search.foresee?.(context, request, false), undefined)
  assert.ok(search.foresee?.(context, request, true))
  assert.is(search.foresee?.({ ...context, revision: '0:other' }, request, true), undefined)
  assert.is(search.foresee?.(context, requestOf({ q: 'orchestra' }), true), undefined)
  const { modelId } = garden
  const cache = createResultCache({ entries: 10, bytes: 1e6 })
  const embedder = { ...garden.embedder, isInstant: undefined }
  const slow = createSearch({ sql: db.sql, embedder, modelId, cache, memory, log: silent })
  await slow(context, request, { bypassCache: true })
  assert.is(slow.foresee?.(context, request, true), undefined)
})

test.run()
