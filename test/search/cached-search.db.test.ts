import * as assert from 'uvu/assert'
import { EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { createResultCache } from '../../server/search/cache.ts'
import { queriesThisMonth } from '../../server/sql/usage/query-usage.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { Garden, requestOf } from './planted.ts'

const test = suite('search results in the cache')
let database: TestDatabase
let garden: Garden

test.before(async () => {
  database = await openTestDatabase()
})
test.before.each(async () => {
  garden = await new Garden(database.sql).open()
  await garden.plant({ slices: [['sauna', 0.9]] })
})
test.after(() => database.close())

const used = () => queriesThisMonth(database.sql, garden.context.project.id)
const small = () => createResultCache({ entries: 100, bytes: 1_000_000 })
const plain = { bypassCache: false }

test('are served again without counting or embedding', async () => {
  const search = garden.search(small())
  const request = requestOf({ q: 'sauna' })
  const first = await search(garden.context, request, plain)
  const second = await search(garden.context, request, plain)
  assert.is(first.ok && first.cache, 'MISS')
  assert.equal(second, { ...first, cache: 'HIT' })
  assert.is(garden.embedder.calls, 1)
  assert.is(await used(), 1)
})

test('depend on everything that can change the answer', async () => {
  const search = garden.search(small())
  const { context } = garden
  const base = { q: 'sauna' }
  const cacheOf = async (of: typeof context, body: object) => {
    const found = await search(of, requestOf(body), plain)
    return found.ok && found.cache
  }
  assert.is(await cacheOf(context, base), 'MISS')
  const changed = [
    [{ ...context, revision: '1' }, base],
    [{ ...context, env: 'test' as const }, base],
    [{ ...context, project: { ...context.project, minRating: 5 } }, base],
    [{ ...context, project: { ...context.project, similarityFloor: 0.5 } }, base],
    [context, { ...base, limit: 6 }],
    [context, { ...base, mode: 'reviews' }],
    [context, { ...base, include: 'text' }],
    [context, { ...base, fallback: 'recent' }],
    [context, { ...base, filters: { min_rating: 5 } }],
    [context, { ...base, filters: { source: 'google' } }],
    [context, { ...base, filters: { since: '2026-01-01' } }],
    [context, { ...base, filters: { 'metadata.a': 'b' } }],
    [context, {}],
  ] as const
  for (const [of, body] of changed) {
    assert.is(await cacheOf(of, body), 'MISS', JSON.stringify(body))
    assert.is(await cacheOf(of, body), 'HIT', JSON.stringify(body))
  }
  assert.is(await cacheOf({ ...context, project: { ...context.project, plan: 'paid' } }, base), 'HIT')
})

test('are the same for the same request, however it is written', async () => {
  const search = garden.search(small())
  await search(garden.context, requestOf({ q: ' sauna ', filters: { source: ['yelp', 'google'] } }), plain)
  const again = await search(
    garden.context,
    requestOf({ q: 'sauna', limit: 5, filters: { source: ['google', 'yelp', 'yelp'] } }),
    plain,
  )
  assert.is(again.ok && again.cache, 'HIT')
})

test('are not looked up with no-cache, which counts and refreshes them', async () => {
  const search = garden.search(small())
  const request = requestOf({ q: 'sauna' })
  await search(garden.context, request, plain)
  await garden.plant({ slices: [['another sauna', 0.8]] })
  const fresh = await search(garden.context, request, { bypassCache: true })
  assert.is(fresh.ok && fresh.cache, 'BYPASS')
  assert.is(fresh.ok && fresh.results.length, 2)
  assert.is(await used(), 2)
  const after = await search(garden.context, request, plain)
  assert.is(after.ok && after.cache, 'HIT')
  assert.is(after.ok && after.results.length, 2)
})

test('are computed once for equal requests that come together', async () => {
  const search = garden.search(small())
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => search(garden.context, requestOf({ q: 'sauna' }), plain)),
  )
  assert.equal(
    answers.map((found) => found.ok && found.cache),
    ['MISS', 'HIT', 'HIT', 'HIT', 'HIT'],
  )
  assert.is(garden.embedder.calls, 1)
  assert.is(await used(), 1)
})

test('a search that needs no quota is answered beside one that the quota refuses', async () => {
  const search = garden.search(small())
  const project = { ...garden.context.project, plan: 'free' as const }
  await database.sql`
    insert into query_usage (project_id, month, uncached)
    values (${project.id}, date_trunc('month', now() at time zone 'UTC')::date, 50000)`
  const context = { ...garden.context, project }
  const request = requestOf({ q: 'sauna' })
  const [refused, answered] = await Promise.all([
    search(context, request, plain),
    search(context, request, { ...plain, skipQuota: true }),
  ])
  assert.equal([refused.ok, answered.ok && answered.cache], [false, 'MISS'])
})

test('are served at quota, while a miss is refused and costs no embedding', async () => {
  const search = garden.search(small())
  const request = requestOf({ q: 'sauna' })
  await search(garden.context, request, plain)
  await database.sql`update query_usage set uncached = 50000`
  const kept = await search(garden.context, request, plain)
  assert.is(kept.ok && kept.cache, 'HIT')
  for (const [body, options] of [
    [{ q: 'pool' }, plain],
    [{}, plain],
    [{ q: 'sauna' }, { bypassCache: true }],
  ] as const) {
    const refused = await search(garden.context, requestOf(body), options)
    assert.is(refused.ok, false)
    if (!refused.ok) {
      assert.is(refused.code, 'query_quota_exceeded')
      assert.ok(refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 31 * 86_400)
    }
  }
  assert.is(garden.embedder.calls, 1)
  assert.is(await used(), 50_000)
})

test('are no empty pages from before this server knew that another model is the active one', async () => {
  let isActive = true
  const search = garden.search(small(), undefined, () => isActive)
  const { context } = garden
  const strict = { ...context, project: { ...context.project, similarityFloor: 0.99 } }
  const asked = [
    { of: context, q: 'sauna' },
    { of: strict, q: 'parking' },
  ].flatMap(({ of, q }) => [
    { of, body: { q } },
    { of, body: { q, fallback: 'recent' } },
  ])
  const ask = () => Promise.allSettled(asked.map(({ of, body }) => search(of, requestOf(body), plain)))
  const shown = (settled: Awaited<ReturnType<typeof ask>>) =>
    settled.map((one) => (one.status === 'rejected' ? one.reason.code : one.value.ok && one.value.match))
  assert.equal(shown(await ask()), ['query', 'query', 'none', 'fallback'])
  isActive = false
  assert.equal(shown(await ask()), ['query', 'query', 'embedding_unavailable', 'embedding_unavailable'])
  isActive = true
  assert.equal(shown(await ask()), ['query', 'query', 'none', 'fallback'])
  assert.is(await used(), 4)
})

test('do not hold failures: an unavailable embedder is not charged, and the next try is computed', async () => {
  const search = garden.search(small())
  garden.embedder.failure = new EmbeddingUnavailable('down')
  const together = [1, 2].map(() => search(garden.context, requestOf({ q: 'sauna' }), plain))
  for (const outcome of await Promise.allSettled(together)) {
    assert.is(outcome.status === 'rejected' && outcome.reason.code, 'embedding_unavailable')
  }
  assert.is(await used(), 0)
  assert.is((await search(garden.context, requestOf({}), plain)).ok, true)
  delete garden.embedder.failure
  const found = await search(garden.context, requestOf({ q: 'sauna' }), plain)
  assert.is(found.ok && found.cache, 'MISS')
})

test.run()
