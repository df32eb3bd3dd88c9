import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { accept, ProjectGone } from '../../server/ingest/accept.ts'
import { getReview } from '../../server/sql/reviews/reviews.ts'
import { review, revisionOf } from '../sql/fixtures.ts'
import { acceptSuite } from './accept-suite.ts'

const { test, at } = acceptSuite('accept')

const stored = (id: string) => getReview(at.sql, { projectId: at.project.id, env: 'live' }, id)

async function counts() {
  const [row] = await at.sql`
    select (select count(*)::int from reviews where project_id = ${at.project.id}) as reviews,
      (select count(*)::int from index_jobs where project_id = ${at.project.id}) as jobs,
      (select sum(review_count)::int from environments where project_id = ${at.project.id}) as counted`
  return row
}

test('a new review is stored with every field, waits as indexing and has a job', async () => {
  const row = review('a', {
    source: 'trustpilot',
    rating: 2,
    author_avatar_url: 'https://img.example/a.png',
    url: 'https://trustpilot.example/a',
    language: 'de-AT',
    metadata: { room: '12' },
  })
  const { reviews, deferred } = await at.push([row])
  const id = reviews[0]?.id ?? ''
  assert.equal(reviews, [{ id, external_id: 'a', source: 'trustpilot', status: 'indexing', outcome: 'inserted' }])
  assert.is(deferred, false)
  const saved = await stored(id)
  assert.ok(saved)
  const { created_at, updated_at, ...fields } = saved
  assert.equal(fields, {
    ...row,
    id,
    occurred_at: '2026-03-01T10:00:00.000Z',
    sentiment: 'negative',
    sentiment_source: 'rating',
    hidden: false,
    status: 'indexing',
  })
  assert.is(created_at, updated_at)
  const [job] = await at.jobsOf(id)
  assert.is(job?.text_version, 1)
  assert.equal(await counts(), { reviews: 1, jobs: 1, counted: 1 })
  assert.is(await revisionOf(at.sql, at.project.id), 1)
  assert.is(await revisionOf(at.sql, at.project.id, 'test'), 0)
})

test('an unrated review has no sentiment yet, absent fields are null', async () => {
  const { reviews } = await at.push([review('a', { rating: null })])
  const saved = await stored(reviews[0]?.id ?? '')
  assert.is(saved?.rating, null)
  assert.is(saved?.sentiment, null)
  assert.is(saved?.sentiment_source, 'model')
  assert.is(saved?.url, null)
  assert.is(saved?.author_avatar_url, null)
  assert.is(saved?.language, null)
  assert.equal(saved?.metadata, {})
})

test('stars decide the sentiment', async () => {
  const { reviews } = await at.push([1, 2, 3, 4, 5].map((rating) => review(`r${rating}`, { rating })))
  const sentiments = await Promise.all(reviews.map(async ({ id }) => (await stored(id))?.sentiment))
  assert.equal(sentiments, ['negative', 'negative', 'neutral', 'positive', 'positive'])
})

test('repeats collapse to the last occurrence, in its place', async () => {
  const { reviews } = await at.push([
    review('a', { text: 'first' }),
    review('b'),
    review('a', { source: 'yelp' }),
    review('a', { text: 'last' }),
  ])
  assert.equal(
    reviews.map(({ source, external_id }) => [source, external_id]),
    [
      ['google', 'b'],
      ['yelp', 'a'],
      ['google', 'a'],
    ],
  )
  assert.is((await stored(reviews[2]?.id ?? ''))?.text, 'last')
  assert.equal(await counts(), { reviews: 3, jobs: 3, counted: 3 })
})

test('inserted and stored reviews come back in request order', async () => {
  await at.push(['c', 'a'].map((id) => review(id)))
  const { reviews } = await at.push(['a', 'b', 'c', 'd'].map((id) => review(id, { author_name: 'Another' })))
  assert.equal(
    reviews.map(({ external_id, outcome }) => `${external_id} ${outcome}`),
    ['a updated', 'b inserted', 'c updated', 'd inserted'],
  )
})

test('metadata keys that mean something to JavaScript survive', async () => {
  const metadata = JSON.parse('{"__proto__": "polluted", "constructor": "c", "toString": "t", "\\"quoted\\"": "\\\\"}')
  const { reviews } = await at.push([review('a', { metadata })])
  const saved = await stored(reviews[0]?.id ?? '')
  assert.equal(Object.entries(saved?.metadata ?? {}).sort(), Object.entries(metadata).sort())
  assert.is(Object.getPrototypeOf(saved?.metadata), Object.prototype)
})

test('text comes back as it went in', async () => {
  const texts = [
    '“Ruhig” — wirklich! 🏨🇩🇪',
    "O'Hara's \\n {x} $1 %s",
    'line\nbreak\ttab\r\n\u0001',
    'e\u0301 \u00e9',
    '{"a":1}',
    'null',
  ]
  const { reviews } = await at.push(
    texts.map((text, i) => review(`t${i}`, { text, author_name: text, external_id: text })),
  )
  for (const [i, text] of texts.entries()) {
    const saved = await stored(reviews[i]?.id ?? '')
    assert.equal([saved?.text, saved?.author_name, saved?.external_id], [text, text, text])
  }
})

test('times keep their milliseconds, from year 1 to 9999', async () => {
  const times = [
    '0001-01-01T00:00:00.000Z',
    '0099-12-31T23:59:59.999Z',
    '2026-02-28T23:59:59.123Z',
    '9999-12-31T23:59:59.999Z',
  ]
  const { reviews } = await at.push(times.map((time, i) => review(`t${i}`, { occurred_at: new Date(time) })))
  for (const [i, time] of times.entries()) assert.is((await stored(reviews[i]?.id ?? ''))?.occurred_at, time)
  const again = await at.push(times.map((time, i) => review(`t${i}`, { occurred_at: new Date(time) })))
  assert.ok(again.reviews.every(({ outcome }) => outcome === 'unchanged'))
})

test('the longest fields fit', async () => {
  const row = review('語'.repeat(512), {
    text: '語'.repeat(20_000),
    author_name: '語'.repeat(256),
    metadata: Object.fromEntries(
      Array.from({ length: 32 }, (_, i) => [`${'語'.repeat(62)}${i + 10}`, '語'.repeat(512)]),
    ),
  })
  const { reviews } = await at.push([row])
  const saved = await stored(reviews[0]?.id ?? '')
  assert.is(saved?.text, row.text)
  assert.equal(Object.keys(saved?.metadata ?? {}).length, 32)
  assert.is((await at.push([row])).reviews[0]?.outcome, 'unchanged')
})

test('live and test rows of one key are two reviews', async () => {
  const live = await at.push([review('a')], 'live')
  const other = await at.push([review('a', { text: 'In the test environment.' })], 'test')
  assert.is(other.reviews[0]?.outcome, 'inserted')
  assert.is.not(live.reviews[0]?.id, other.reviews[0]?.id)
  assert.equal(await counts(), { reviews: 2, jobs: 2, counted: 2 })
})

test('an empty batch is nothing, a deleted project an error', async () => {
  assert.equal(await at.push([]), { reviews: [], deferred: false })
  try {
    await accept(at.sql, { id: randomUUID() }, 'live', [review('a')], {})
    assert.unreachable()
  } catch (error) {
    assert.instance(error, ProjectGone)
  }
})

test('a project without the environment is an error, and no review that was stored nowhere', async () => {
  await at.sql`delete from environments where project_id = ${at.project.id} and env = 'live'`
  const refusal = await at.push([review('a')]).catch((error: Error) => error)
  assert.instance(refusal, Error)
})

test('a fault in the middle leaves nothing behind', async () => {
  await at.push([review('a')])
  const poison = review('c', { rating: 9 })
  try {
    await at.push([review('a', { text: 'changed' }), review('b'), poison])
    assert.unreachable()
  } catch (error) {
    assert.is((error as { code?: string }).code, '23514')
  }
  assert.equal(await counts(), { reviews: 1, jobs: 1, counted: 1 })
  assert.is((await at.push([review('a')])).reviews[0]?.outcome, 'unchanged')
})

test.run()
