import * as assert from 'uvu/assert'
import { createFindBestCosines } from '../../server/search/best-cosine.ts'
import { createInsights, normalizeQuery, withInsights } from '../../server/search/insights.ts'
import {
  forgetInsights,
  frequentQueries,
  insightTotals,
  QUERIES_A_DAY,
  searchesByDay,
} from '../../server/sql/usage/query-insights.ts'
import { pageQueries } from '../../src/web-page/page-queries.ts'
import { silent } from '../database.ts'
import { gardenSuite, requestOf } from './planted.ts'

const { test, garden } = gardenSuite('insights')

const recorder = () => createInsights({ sql: garden.sql, log: silent, flushMs: 3_600_000 })
const id = () => garden.context.project.id
const totals = () => insightTotals(garden.sql, { projectId: id(), env: 'live' }, 30)
const byDay = () => searchesByDay(garden.sql, { projectId: id(), env: 'live' }, 30)
const frequent = (by: 'sent' | 'searches' | 'unanswered') =>
  frequentQueries(garden.sql, { projectId: id(), env: 'live' }, { days: 30, limit: 10, by })

test('searches are counted by what they found, cached or not', async () => {
  await garden.plant({ slices: [['Quiet', 0.9]] })
  const insights = recorder()
  const search = withInsights(garden.search(), insights)
  const ask = (body: object) => search(garden.context, requestOf(body), { bypassCache: false })
  await ask({ q: 'Quiet  Room' })
  await ask({ q: 'quiet room' })
  await ask({})
  await search(garden.context, requestOf({ q: 'quiet room' }), { bypassCache: false, skipInsights: true })
  await garden.sql`delete from excerpts`
  await ask({ q: 'parking' })
  await garden.plant({ slices: [['Other', 0.1]] })
  await ask({ q: 'parking', fallback: 'recent' })
  await insights.stop()
  assert.equal(await totals(), { searches: 4, empty: 1, fallbacks: 1, queries: 2 })
  assert.equal(await frequent('searches'), [
    { query: 'parking', searches: 2, empty: 1, fallbacks: 1 },
    { query: 'quiet room', searches: 2, empty: 0, fallbacks: 0 },
  ])
  assert.equal(
    (await frequent('unanswered')).map(({ query }) => query),
    ['parking'],
  )
})

test('a page that asks for its heading in vain and then with its description counts once, by what it found', async () => {
  const [insights, other] = [recorder(), recorder()]
  const ask = (q: string, match: 'none' | 'query' | 'fallback', times = 1) => {
    for (let i = 0; i < times; i++) insights.record({ projectId: id(), env: 'live', q, match })
  }
  ask('Sauna – Heat and quiet by the lake', 'query', 3)
  ask('Sauna – Prices', 'fallback')
  ask('Conference – Rooms – For up to forty guests', 'none', 2)
  ask('Breakfast – Until eleven', 'query')
  ask('Pool – Outdoors', 'query', 2)
  ask('Spa – Call 0151 234 567 89', 'query')
  ask('Garden – Roses', 'query')
  await insights.flush()
  // Another server had the first queries, and writes them later.
  const firsts = [
    ['Sauna', 4],
    ['Conference – Rooms', 2],
    ['Pool', 1],
    ['Spa', 1],
  ] as const
  for (const [q, times] of firsts)
    for (let i = 0; i < times; i++) other.record({ projectId: id(), env: 'live', q, match: 'none' })
  other.record({ projectId: id(), env: 'live', q: 'Garden', match: 'fallback' })
  ask('Breakfast', 'query', 2)
  await other.stop()
  await insights.stop()
  assert.equal(await frequent('searches'), [
    { query: 'sauna', searches: 4, empty: 0, fallbacks: 1 },
    { query: 'breakfast', searches: 2, empty: 0, fallbacks: 0 },
    { query: 'conference – rooms', searches: 2, empty: 2, fallbacks: 0 },
    { query: 'pool – outdoors', searches: 2, empty: 0, fallbacks: 0 },
    { query: 'breakfast – until eleven', searches: 1, empty: 0, fallbacks: 0 },
    { query: 'garden', searches: 1, empty: 0, fallbacks: 0 },
    { query: 'pool', searches: 1, empty: 1, fallbacks: 0 },
    { query: 'spa', searches: 1, empty: 0, fallbacks: 0 },
  ])
  assert.equal(
    (await frequent('unanswered')).map(({ query }) => query),
    ['conference – rooms', 'pool', 'sauna'],
    'a query that was sent more often than its beginning found nothing is one of its own',
  )
  assert.equal(await totals(), { searches: 14, empty: 3, fallbacks: 1, queries: 8 })
  assert.equal(
    (await byDay()).map(({ searches, unanswered }) => [searches, unanswered]),
    [[14, 4]],
  )
  const sent = await frequent('sent')
  assert.equal(
    sent.slice(0, 2).map(({ query, searches }) => [query, searches]),
    [
      ['sauna', 4],
      ['sauna – heat and quiet by the lake', 3],
    ],
  )
  assert.is((await garden.sql`select from query_insights where as_second > 0`).length, 5)
})

test('the two queries that the snippet derives from a page are one search', async () => {
  const page = {
    h1: ['Sauna & Steam'],
    title: 'Sauna & Steam | Lantern Hotel',
    description: ['Heat, and quiet by the lake.'],
    site: [],
  }
  const insights = recorder()
  const queries = pageQueries(page)
  assert.is(queries.length, 2)
  for (const [at, q] of queries.entries())
    insights.record({ projectId: id(), env: 'live', q, match: at === 0 ? 'none' : 'query' })
  await insights.stop()
  assert.equal(await frequent('searches'), [{ query: 'sauna & steam', searches: 1, empty: 0, fallbacks: 0 }])
})

test('flushes of several servers add up', async () => {
  const [one, two] = [recorder(), recorder()]
  for (const insights of [one, two, two]) {
    insights.record({ projectId: id(), env: 'live', q: 'pool', match: 'none' })
  }
  await Promise.all([one.flush(), two.flush()])
  two.record({ projectId: id(), env: 'live', q: 'pool', match: 'query' })
  await Promise.all([one.stop(), two.stop()])
  assert.equal(await frequent('searches'), [{ query: 'pool', searches: 4, empty: 3, fallbacks: 0 }])
})

test('environments and projects are apart', async () => {
  const insights = recorder()
  insights.record({ projectId: id(), env: 'test', q: 'pool', match: 'query' })
  insights.record({ projectId: await garden.project('Other'), env: 'live', q: 'pool', match: 'query' })
  await insights.stop()
  assert.is((await totals()).searches, 0)
  assert.equal([...(await frequent('searches')), ...(await byDay())], [])
})

test('only the days asked for count', async () => {
  const insights = recorder()
  insights.record({ projectId: id(), env: 'live', q: 'pool', match: 'none' })
  await insights.flush()
  await garden.sql`update query_insights set day = day - 30`
  assert.is((await totals()).searches, 0)
  insights.record({ projectId: id(), env: 'live', q: 'pool', match: 'none' })
  await insights.stop()
  await garden.sql`update query_insights set day = day - 29 where day = (now() at time zone 'UTC')::date`
  assert.equal(await frequent('unanswered'), [{ query: 'pool', searches: 1, empty: 1, fallbacks: 0 }])
  assert.equal(
    (await byDay()).map(({ days_ago, searches, unanswered }) => [days_ago, searches, unanswered]),
    [[29, 1, 1]],
  )
})

test('what may be personal is not kept', () => {
  for (const q of ['ann@example.com', 'call 0151 234 567 89', '4111-1111-1111-1111', '  ']) {
    assert.is(normalizeQuery(q), undefined, q)
  }
  for (const q of ['room 214', 'open 24/7', 'new year 2026', 'sea bass']) assert.is(normalizeQuery(q), q)
  assert.is(normalizeQuery('Conference – Rooms – Call 0151 234 567 89'), 'conference – rooms – …')
  assert.is(normalizeQuery('ann@example.com – Rooms'), undefined)
  assert.is(normalizeQuery(`x${'y'.repeat(400)}`)?.length, 200)
  assert.is(normalizeQuery('\ud83d'), '\ufffd')
})

test('old days are forgotten', async () => {
  const insights = recorder()
  insights.record({ projectId: id(), env: 'live', q: 'pool', match: 'query' })
  await insights.flush()
  await garden.sql`update query_insights set day = day - 90`
  insights.record({ projectId: id(), env: 'live', q: 'bar', match: 'query' })
  await insights.stop()
  await forgetInsights(garden.sql, 90)
  const kept = await garden.sql<{ query: string }[]>`select query from query_insights`
  assert.equal(
    kept.map(({ query }) => query),
    ['bar'],
  )
  await forgetInsights(garden.sql, 0)
  assert.is((await garden.sql`select from query_insights`).length, 0, 'all of them where none are to be kept')
})

test('many old days are forgotten one by one, the oldest first', async () => {
  await garden.sql`
    insert into query_insights (project_id, env, day, query, searches, empty, fallbacks)
    select ${id()}, env, (now() at time zone 'UTC')::date - days, 'pool ' || number, 1, 0, 0
    from unnest(array['live', 'test']) as env, generate_series(0, 6) as days, generate_series(1, 3) as number`
  const days = async () => {
    const rows = await garden.sql<{ days: number }[]>`
      select (now() at time zone 'UTC')::date - day as days from query_insights group by env, day order by days, env`
    return rows.map((row) => row.days)
  }
  let steps = 3
  await forgetInsights(garden.sql, 2, () => steps-- > 0)
  assert.equal(await days(), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5])
  await forgetInsights(garden.sql, 2)
  assert.equal(await days(), [0, 0, 1, 1])
})

test('a flood of different queries fills no table', async () => {
  const insights = recorder()
  for (let i = 0; i < 5_000; i++) {
    insights.record({ projectId: id(), env: 'live', q: `flood ${i}`, match: 'none' })
    if (i % 900 === 0) await insights.flush()
  }
  await insights.stop()
  assert.ok((await totals()).queries <= QUERIES_A_DAY + 1_000)
  // What is known already goes on being counted.
  const again = recorder()
  again.record({ projectId: id(), env: 'live', q: 'flood 0', match: 'none' })
  await again.stop()
  assert.equal((await frequent('searches'))[0], { query: 'flood 0', searches: 2, empty: 2, fallbacks: 0 })
})

test('a project that was deleted meanwhile loses its counts and no others', async () => {
  const insights = recorder()
  const gone = await garden.project('Gone')
  insights.record({ projectId: gone, env: 'live', q: 'pool', match: 'query' })
  insights.record({ projectId: id(), env: 'live', q: 'pool', match: 'query' })
  await garden.sql`delete from projects where id = ${gone}`
  await insights.stop()
  assert.is((await totals()).searches, 1)
})

test('the nearest excerpt is the nearest that may appear', async () => {
  await garden.plant({ slices: [['hidden', 0.9]], hidden: true })
  await garden.plant({
    slices: [
      ['near', 0.6],
      ['far', 0.2],
    ],
  })
  const { sql, embedder, modelId, context } = garden
  const [cosine] = await createFindBestCosines({ sql, embedder, modelId })(context, ['anything'])
  assert.is(cosine?.toFixed(3), '0.600')
})

test('queries for which no time is left have no nearest excerpt, instead of no answer for all', async () => {
  await garden.plant({ slices: [['near', 0.6]] })
  const { sql, embedder, modelId, context } = garden
  const queries = ['anything', 'something']
  assert.equal(await createFindBestCosines({ sql, embedder, modelId }, -1)(context, queries), [null, null])
})

test.run()
