import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type Accepted, type AcceptRow, accept, ProjectGone, remainingCapacity } from '../../server/ingest/accept.ts'
import type { Project } from '../../server/sql/projects/projects.ts'
import { getReview, patchReview } from '../../server/sql/reviews/reviews.ts'
import { compareReviews } from '../../server/sql/reviews/write-reviews.ts'
import type { Environment } from '../../src/contract/review.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { makeProject, markIndexed, review, revisionOf } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'

const test = suite('accept')
let db: TestDatabase
let project: Project

test.before(async () => {
  db = await openTestDatabase()
})
test.before.each(async () => {
  project = await makeProject(db.sql)
})
test.after(() => db.close())

async function push(rows: AcceptRow[], env: Environment = 'live', allowance = {}): Promise<Accepted> {
  const answer = await accept(db.sql, project, env, rows, allowance)
  if ('limit' in answer) throw new Error(`limit: ${answer.limit.remaining} remain`)
  return answer
}

/** Pushes one review that is stored and indexed, and returns its id. */
async function indexed(row: AcceptRow): Promise<string> {
  const id = (await push([row])).reviews[0]?.id
  if (id === undefined) throw new Error('not stored')
  await markIndexed(db.sql, project.id)
  await db.sql`update reviews set updated_at = '2026-01-01' where id = ${id}`
  return id
}

const stored = (id: string) => getReview(db.sql, { projectId: project.id, env: 'live' }, id)
const excerptsOf = (id: string) => db.sql`select * from excerpts where review_id = ${id}`
const jobsOf = (id: string) => db.sql`select * from index_jobs where review_id = ${id}`

async function counts() {
  const [row] = await db.sql`
    select (select count(*)::int from reviews where project_id = ${project.id}) as reviews,
      (select count(*)::int from index_jobs where project_id = ${project.id}) as jobs,
      (select sum(review_count)::int from environments where project_id = ${project.id}) as counted`
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
  const { reviews, deferred } = await push([row])
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
  const [job] = await jobsOf(id)
  assert.is(job?.text_version, 1)
  assert.equal(await counts(), { reviews: 1, jobs: 1, counted: 1 })
  assert.is(await revisionOf(db.sql, project.id), 1)
  assert.is(await revisionOf(db.sql, project.id, 'test'), 0)
})

test('an unrated review has no sentiment yet, absent fields are null', async () => {
  const { reviews } = await push([review('a', { rating: null })])
  const saved = await stored(reviews[0]?.id ?? '')
  assert.is(saved?.rating, null)
  assert.is(saved?.sentiment, null)
  assert.is(saved?.sentiment_source, null)
  assert.is(saved?.url, null)
  assert.is(saved?.author_avatar_url, null)
  assert.is(saved?.language, null)
  assert.equal(saved?.metadata, {})
})

test('stars decide the sentiment', async () => {
  const { reviews } = await push([1, 2, 3, 4, 5].map((rating) => review(`r${rating}`, { rating })))
  const sentiments = await Promise.all(reviews.map(async ({ id }) => (await stored(id))?.sentiment))
  assert.equal(sentiments, ['negative', 'negative', 'neutral', 'positive', 'positive'])
})

test('repeats collapse to the last occurrence, in its place', async () => {
  const { reviews } = await push([
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
  await push(['c', 'a'].map((id) => review(id)))
  const { reviews } = await push(['a', 'b', 'c', 'd'].map((id) => review(id, { author_name: 'Another' })))
  assert.equal(
    reviews.map(({ external_id, outcome }) => `${external_id} ${outcome}`),
    ['a updated', 'b inserted', 'c updated', 'd inserted'],
  )
})

test('the same push again touches nothing', async () => {
  const row = review('a', { metadata: { b: '1', a: '2' } })
  const id = await indexed(row)
  const before = await stored(id)
  const { reviews } = await push([{ ...row, metadata: { a: '2', b: '1' } }])
  assert.equal(reviews, [{ id, external_id: 'a', source: 'google', status: 'indexed', outcome: 'unchanged' }])
  assert.equal(await stored(id), before)
  assert.is(await revisionOf(db.sql, project.id), 1)
  assert.equal(await counts(), { reviews: 1, jobs: 0, counted: 1 })
})

test('a changed text is indexed again, and its old excerpts are gone at once', async () => {
  const id = await indexed(review('a'))
  const { reviews } = await push([review('a', { text: 'The lift was broken.' })])
  assert.equal(reviews, [{ id, external_id: 'a', source: 'google', status: 'indexing', outcome: 'updated' }])
  const saved = await stored(id)
  assert.is(saved?.text, 'The lift was broken.')
  assert.is(saved?.status, 'indexing')
  assert.is(saved?.sentiment, 'positive')
  assert.not.equal(saved?.updated_at, '2026-01-01T00:00:00.000Z')
  assert.is((await excerptsOf(id)).length, 0)
  assert.is((await jobsOf(id))[0]?.text_version, 2)
  assert.is(await revisionOf(db.sql, project.id), 2)
})

test('a changed text takes the job from whoever works on it', async () => {
  const { reviews } = await push([review('a')])
  const id = reviews[0]?.id ?? ''
  await db.sql`update index_jobs set lease_token = ${randomUUID()}, leased_until = now() + interval '1 minute',
    run_at = now() + interval '1 hour', attempts = 4, last_error = 'x' where review_id = ${id}`
  await push([review('a', { text: 'Changed meanwhile.' })])
  const [job] = await jobsOf(id)
  assert.is(job?.lease_token, null)
  assert.is(job?.leased_until, null)
  assert.is(job?.attempts, 0)
  assert.is(job?.text_version, 2)
  assert.ok(job?.run_at <= new Date(Date.now() + 5000))
})

test('a removed rating is indexed again, to be classified', async () => {
  const id = await indexed(review('a', { rating: 5 }))
  const { reviews } = await push([review('a', { rating: null })])
  assert.is(reviews[0]?.status, 'indexing')
  const saved = await stored(id)
  assert.is(saved?.sentiment, null)
  assert.is(saved?.sentiment_source, null)
  assert.is((await excerptsOf(id)).length, 0)
  assert.is((await jobsOf(id)).length, 1)
})

test('other changes keep the review indexed and reach its excerpts', async () => {
  const id = await indexed(review('a', { rating: 5 }))
  const { reviews } = await push([
    review('a', { rating: 1, occurred_at: new Date('2026-04-02T00:00:00Z'), author_name: 'Someone else' }),
  ])
  assert.equal(reviews, [{ id, external_id: 'a', source: 'google', status: 'indexed', outcome: 'updated' }])
  const saved = await stored(id)
  assert.is(saved?.sentiment, 'negative')
  assert.is(saved?.author_name, 'Someone else')
  const [excerpt] = await excerptsOf(id)
  assert.is(excerpt?.rating, 1)
  assert.is(excerpt?.sentiment, 'negative')
  assert.equal(excerpt?.occurred_at, new Date('2026-04-02T00:00:00Z'))
  assert.is((await jobsOf(id)).length, 0)
  assert.is(await revisionOf(db.sql, project.id), 2)
})

test('a rating that is added decides the sentiment without indexing again', async () => {
  const id = await indexed(review('a', { rating: null }))
  assert.is((await stored(id))?.sentiment_source, 'model')
  await push([review('a', { rating: 1 })])
  const saved = await stored(id)
  assert.equal([saved?.sentiment, saved?.sentiment_source, saved?.status], ['negative', 'rating', 'indexed'])
})

test('an unrated review keeps the sentiment of the model while its text stays', async () => {
  const id = await indexed(review('a', { rating: null }))
  await push([review('a', { rating: null, author_name: 'Someone else' })])
  assert.equal([(await stored(id))?.sentiment, (await stored(id))?.status], ['neutral', 'indexed'])
})

test('a changed language stems the excerpts anew', async () => {
  const id = await indexed(review('a', { text: 'Die Zimmer waren ruhig.' }))
  await push([review('a', { text: 'Die Zimmer waren ruhig.', language: 'de' })])
  const [excerpt] = await excerptsOf(id)
  assert.is(excerpt?.search_config, 'german')
  const [row] =
    await db.sql`select excerpt_lexemes('german', text) = lexemes as stemmed from excerpts where review_id = ${id}`
  assert.is(row?.stemmed, true)
})

test('absent metadata stays, given metadata replaces', async () => {
  const id = await indexed(review('a', { metadata: { room: '12' } }))
  await push([review('a', { author_name: 'B' })])
  assert.equal((await stored(id))?.metadata, { room: '12' })
  await push([review('a', { author_name: 'B', metadata: {} })])
  assert.equal((await stored(id))?.metadata, {})
})

test('metadata keys that mean something to JavaScript survive', async () => {
  const metadata = JSON.parse('{"__proto__": "polluted", "constructor": "c", "toString": "t", "\\"quoted\\"": "\\\\"}')
  const { reviews } = await push([review('a', { metadata })])
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
  const { reviews } = await push(
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
  const { reviews } = await push(times.map((time, i) => review(`t${i}`, { occurred_at: new Date(time) })))
  for (const [i, time] of times.entries()) assert.is((await stored(reviews[i]?.id ?? ''))?.occurred_at, time)
  const again = await push(times.map((time, i) => review(`t${i}`, { occurred_at: new Date(time) })))
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
  const { reviews } = await push([row])
  const saved = await stored(reviews[0]?.id ?? '')
  assert.is(saved?.text, row.text)
  assert.equal(Object.keys(saved?.metadata ?? {}).length, 32)
  assert.is((await push([row])).reviews[0]?.outcome, 'unchanged')
})

test('live and test rows of one key are two reviews', async () => {
  const live = await push([review('a')], 'live')
  const other = await push([review('a', { text: 'In the test environment.' })], 'test')
  assert.is(other.reviews[0]?.outcome, 'inserted')
  assert.is.not(live.reviews[0]?.id, other.reviews[0]?.id)
  assert.equal(await counts(), { reviews: 2, jobs: 2, counted: 2 })
})

test('a hidden row of an import begins hidden, and a push never changes that state', async () => {
  const { reviews } = await push([review('a', { hidden: true }), review('b')])
  const [a = '', b = ''] = reviews.map(({ id }) => id)
  assert.is((await stored(a))?.hidden, true)
  assert.is((await stored(b))?.hidden, false)
  await push([review('a', { author_name: 'B' }), review('b', { hidden: true, author_name: 'B' })])
  assert.is((await stored(a))?.hidden, true)
  assert.is((await stored(b))?.hidden, false)
  await patchReview(db.sql, { projectId: project.id, env: 'live' }, a, { hidden: false })
  await push([review('a', { hidden: true })])
  assert.is((await stored(a))?.hidden, false)
})

test('at the cap a batch is refused whole, and says how many fit', async () => {
  project = await makeProject(db.sql, { plan: 'free' })
  await push([review('a')], 'live')
  await db.sql`update environments set review_count = 4000 where project_id = ${project.id} and env = 'live'`
  await db.sql`update environments set review_count = 998 where project_id = ${project.id} and env = 'test'`
  const rows = ['a', 'b', 'c', 'd'].map((id) => review(id, { author_name: 'New' }))
  const refused = await accept(db.sql, project, 'live', rows, {})
  assert.equal(refused, { limit: { remaining: 2 } })
  const [row] = await db.sql`select count(*)::int as count, max(author_name) as author from reviews
    where project_id = ${project.id}`
  assert.equal(row, { count: 1, author: 'Mara Vogel' })
  assert.is(await revisionOf(db.sql, project.id), 1)
  assert.is((await push(rows.slice(0, 3))).reviews.length, 3)
  assert.equal(await accept(db.sql, project, 'test', [review('e')], {}), { limit: { remaining: 0 } })
  assert.is((await push(rows.slice(0, 3))).reviews.length, 3, 'stored reviews never count against the cap')
})

test('the plan that counts is the one in the database', async () => {
  project = await makeProject(db.sql, { plan: 'paid' })
  await db.sql`update environments set review_count = 5000 where project_id = ${project.id} and env = 'live'`
  await db.sql`update projects set plan = 'free' where id = ${project.id}`
  assert.equal(await accept(db.sql, project, 'live', [review('a')], {}), { limit: { remaining: 0 } })
})

test('the operator may set another cap than the plan’s', async () => {
  project = await makeProject(db.sql, { plan: 'free' })
  const allowance = { reviewsPerProject: { free: 2 } }
  assert.is((await push([review('a')], 'live', allowance)).reviews.length, 1)
  assert.equal(await accept(db.sql, project, 'live', [review('b'), review('c')], allowance), {
    limit: { remaining: 1 },
  })
  assert.is(await remainingCapacity(db.sql, project, allowance), 1)
})

test('past the operator’s limits reviews are stored and deferred', async () => {
  const { deferred } = await push([review('a')], 'live', { dailyEmbeddings: 0 })
  assert.is(deferred, true)
  assert.is((await jobsOf((await push([review('a')])).reviews[0]?.id ?? '')).length, 1)
  assert.is((await push([review('a')], 'live', { dailyEmbeddings: 0 })).deferred, false, 'nothing was queued')
  assert.is((await push([review('b')], 'live', { dailyEmbeddings: 1_000_000 })).deferred, false)
})

test('an empty batch is nothing, a deleted project an error', async () => {
  assert.equal(await push([]), { reviews: [], deferred: false })
  try {
    await accept(db.sql, { id: randomUUID() }, 'live', [review('a')], {})
    assert.unreachable()
  } catch (error) {
    assert.instance(error, ProjectGone)
  }
})

test('a project without the environment is an error, and no review that was stored nowhere', async () => {
  await db.sql`delete from environments where project_id = ${project.id} and env = 'live'`
  const refusal = await push([review('a')]).catch((error: Error) => error)
  assert.instance(refusal, Error)
})

test('a fault in the middle leaves nothing behind', async () => {
  await push([review('a')])
  const poison = review('c', { rating: 9 })
  try {
    await push([review('a', { text: 'changed' }), review('b'), poison])
    assert.unreachable()
  } catch (error) {
    assert.is((error as { code?: string }).code, '23514')
  }
  assert.equal(await counts(), { reviews: 1, jobs: 1, counted: 1 })
  assert.is((await push([review('a')])).reviews[0]?.outcome, 'unchanged')
})

test('an import can ask what is stored and how many fit', async () => {
  await push([review('a'), review('b')])
  const keys = [review('x'), review('b'), review('a', { source: 'yelp' }), review('a'), review('a')]
  const stored = async (env: Environment) =>
    (await compareReviews(db.sql, { projectId: project.id, env }, keys)).flatMap((one, place) =>
      one === 'inserted' ? [] : [place],
    )
  assert.equal(await stored('live'), [1, 3, 4])
  assert.is(await remainingCapacity(db.sql, project, {}), 100_000 - 2)
  assert.equal(await stored('test'), [])
})

test.run()
