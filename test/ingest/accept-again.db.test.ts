import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { AcceptRow } from '../../server/ingest/accept.ts'
import { getReview, patchReview } from '../../server/sql/reviews/reviews.ts'
import { compareReviews } from '../../server/sql/reviews/write-reviews.ts'
import { markIndexed, review, revisionOf } from '../sql/fixtures.ts'
import { acceptSuite } from './accept-suite.ts'

const { test, at } = acceptSuite('accept: a review that is stored already')

/** Pushes one review that is stored and indexed, and returns its id. */
async function indexed(row: AcceptRow): Promise<string> {
  const id = (await at.push([row])).reviews[0]?.id
  if (id === undefined) throw new Error('not stored')
  await markIndexed(at.sql, at.project.id)
  await at.sql`update reviews set updated_at = '2026-01-01' where id = ${id}`
  return id
}

const stored = (id: string) => getReview(at.sql, { projectId: at.project.id, env: 'live' }, id)
const excerptsOf = (id: string) => at.sql`select * from excerpts where review_id = ${id}`

async function counts() {
  const [row] = await at.sql`
    select (select count(*)::int from reviews where project_id = ${at.project.id}) as reviews,
      (select count(*)::int from index_jobs where project_id = ${at.project.id}) as jobs,
      (select sum(review_count)::int from environments where project_id = ${at.project.id}) as counted`
  return row
}

test('the same push again touches nothing', async () => {
  const row = review('a', { metadata: { b: '1', a: '2' } })
  const id = await indexed(row)
  const before = await stored(id)
  const { reviews } = await at.push([{ ...row, metadata: { a: '2', b: '1' } }])
  assert.equal(reviews, [{ id, external_id: 'a', source: 'google', status: 'indexed', outcome: 'unchanged' }])
  assert.equal(await stored(id), before)
  assert.is(await revisionOf(at.sql, at.project.id), 1)
  assert.equal(await counts(), { reviews: 1, jobs: 0, counted: 1 })
})

test('a changed text is indexed again, and its old excerpts are gone at once', async () => {
  const id = await indexed(review('a'))
  const { reviews } = await at.push([review('a', { text: 'The lift was broken.' })])
  assert.equal(reviews, [{ id, external_id: 'a', source: 'google', status: 'indexing', outcome: 'updated' }])
  const saved = await stored(id)
  assert.is(saved?.text, 'The lift was broken.')
  assert.is(saved?.status, 'indexing')
  assert.is(saved?.sentiment, 'positive')
  assert.not.equal(saved?.updated_at, '2026-01-01T00:00:00.000Z')
  assert.is((await excerptsOf(id)).length, 0)
  assert.is((await at.jobsOf(id))[0]?.text_version, 2)
  assert.is(await revisionOf(at.sql, at.project.id), 2)
})

test('a changed text takes the job from whoever works on it', async () => {
  const { reviews } = await at.push([review('a')])
  const id = reviews[0]?.id ?? ''
  await at.sql`update index_jobs set lease_token = ${randomUUID()}, leased_until = now() + interval '1 minute',
    run_at = now() + interval '1 hour', attempts = 4, last_error = 'x' where review_id = ${id}`
  await at.push([review('a', { text: 'Changed meanwhile.' })])
  const [job] = await at.jobsOf(id)
  assert.is(job?.lease_token, null)
  assert.is(job?.leased_until, null)
  assert.is(job?.attempts, 0)
  assert.is(job?.text_version, 2)
  assert.ok(job?.run_at <= new Date(Date.now() + 5000))
})

test('a removed rating is indexed again, to be classified', async () => {
  const id = await indexed(review('a', { rating: 5 }))
  const { reviews } = await at.push([review('a', { rating: null })])
  assert.is(reviews[0]?.status, 'indexing')
  const saved = await stored(id)
  assert.is(saved?.sentiment, null)
  assert.is(saved?.sentiment_source, 'model')
  assert.is((await excerptsOf(id)).length, 0)
  assert.is((await at.jobsOf(id)).length, 1)
})

test('other changes keep the review indexed and reach its excerpts', async () => {
  const id = await indexed(review('a', { rating: 5 }))
  const { reviews } = await at.push([
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
  assert.is((await at.jobsOf(id)).length, 0)
  assert.is(await revisionOf(at.sql, at.project.id), 2)
})

test('a rating that is added decides the sentiment without indexing again', async () => {
  const id = await indexed(review('a', { rating: null }))
  assert.is((await stored(id))?.sentiment_source, 'model')
  await at.push([review('a', { rating: 1 })])
  const saved = await stored(id)
  assert.equal([saved?.sentiment, saved?.sentiment_source, saved?.status], ['negative', 'rating', 'indexed'])
})

test('an unrated review keeps the sentiment of the model while its text stays', async () => {
  const id = await indexed(review('a', { rating: null }))
  await at.push([review('a', { rating: null, author_name: 'Someone else' })])
  assert.equal([(await stored(id))?.sentiment, (await stored(id))?.status], ['neutral', 'indexed'])
})

test('a changed language stems the excerpts anew', async () => {
  const id = await indexed(review('a', { text: 'Die Zimmer waren ruhig.' }))
  await at.push([review('a', { text: 'Die Zimmer waren ruhig.', language: 'de' })])
  const [excerpt] = await excerptsOf(id)
  assert.is(excerpt?.search_config, 'german')
  const [row] =
    await at.sql`select excerpt_lexemes('german', text) = lexemes as stemmed from excerpts where review_id = ${id}`
  assert.is(row?.stemmed, true)
})

test('absent metadata stays, given metadata replaces', async () => {
  const id = await indexed(review('a', { metadata: { room: '12' } }))
  await at.push([review('a', { author_name: 'B' })])
  assert.equal((await stored(id))?.metadata, { room: '12' })
  await at.push([review('a', { author_name: 'B', metadata: {} })])
  assert.equal((await stored(id))?.metadata, {})
})

test("an import's vague day leaves a known one as it is, and a known one takes the vague one's place with its mark", async () => {
  const origin = randomUUID()
  const vague = { ...review('a'), occurred_at: new Date('2026-02-01'), isApproximate: true }
  const known = { ...review('a'), occurred_at: new Date('2025-12-24T10:00Z'), origin }
  const mark = { date_as_written: '3 months ago' }
  const id = await indexed({ ...vague, metadata: { room: '12', ...mark } })
  const says = async (row: AcceptRow) => {
    const [dry] = await compareReviews(at.sql, { projectId: at.project.id, env: 'live' }, [row])
    const { reviews } = await at.push([row])
    const review = await stored(id)
    return [dry === reviews[0]?.outcome && dry, review?.occurred_at?.slice(0, 10), review?.metadata]
  }
  const inRoom = (room: string) => ({ ...vague, metadata: { room, ...mark } })
  const later = { ...inRoom('12'), occurred_at: new Date('2026-02-09') }
  assert.equal(await says(later), ['updated', '2026-02-09', { room: '12', ...mark }])
  assert.equal(await says(known), ['updated', '2025-12-24', { room: '12' }])
  assert.equal(await says(inRoom('12')), ['unchanged', '2025-12-24', { room: '12' }])
  assert.equal(await says(inRoom('14')), ['updated', '2025-12-24', { room: '14' }])
  const bare = { ...later, metadata: mark }
  assert.equal(await says(bare), ['unchanged', '2025-12-24', { room: '14' }], 'it says nothing of the room')
  const pushed = { ...later, isApproximate: undefined }
  assert.equal(await says(pushed), ['updated', '2026-02-09', later.metadata], 'a push is stored as it says')
  assert.equal(await says(bare), ['unchanged', '2026-02-09', later.metadata])
})

test('a hidden row of an import begins hidden, and a push never changes that state', async () => {
  const { reviews } = await at.push([review('a', { hidden: true }), review('b')])
  const [a = '', b = ''] = reviews.map(({ id }) => id)
  assert.is((await stored(a))?.hidden, true)
  assert.is((await stored(b))?.hidden, false)
  await at.push([review('a', { author_name: 'B' }), review('b', { hidden: true, author_name: 'B' })])
  assert.is((await stored(a))?.hidden, true)
  assert.is((await stored(b))?.hidden, false)
  await patchReview(at.sql, { projectId: at.project.id, env: 'live' }, a, { hidden: false })
  await at.push([review('a', { hidden: true })])
  assert.is((await stored(a))?.hidden, false)
})

test('a review follows what its vendor shows, its excerpts with it, and a dry run says so', async () => {
  const id = await indexed(review('a', { visibility: 'shown' }))
  await at.sql`update excerpts set hidden = false where review_id = ${id}`
  const says = async (visibility: 'shown' | 'hidden' | undefined) => {
    const row = review('a', { visibility })
    const [dry] = await compareReviews(at.sql, { projectId: at.project.id, env: 'live' }, [row])
    const { reviews } = await at.push([row])
    const [excerpt] = await excerptsOf(id)
    return [dry, reviews[0]?.outcome, (await stored(id))?.hidden, excerpt?.hidden]
  }
  assert.equal(await says('shown'), ['unchanged', 'unchanged', false, false])
  assert.equal(await says('hidden'), ['updated', 'updated', true, true])
  assert.equal(await says('hidden'), ['unchanged', 'unchanged', true, true])
  assert.equal(await says(undefined), ['unchanged', 'unchanged', true, true], 'a file without such a column')
  assert.equal(await says('shown'), ['updated', 'updated', false, false])
})

test('what began hidden because its vendor hid it is shown once the vendor shows it', async () => {
  const id = await indexed(review('a', { hidden: true, visibility: 'hidden' }))
  await at.push([review('a', { visibility: 'shown' })])
  assert.is((await stored(id))?.hidden, false)
})

test('what was decided by hand stays, whatever its vendor shows', async () => {
  const scope = { projectId: at.project.id, env: 'live' as const }
  const shown = await indexed(review('shown', { visibility: 'hidden', hidden: true }))
  await patchReview(at.sql, scope, shown, { hidden: false })
  const hidden = await indexed(review('hidden'))
  await patchReview(at.sql, scope, hidden, { hidden: true })
  // Hidden by the vendor first, and then by hand as well.
  const both = await indexed(review('both', { visibility: 'hidden', hidden: true }))
  const before = await stored(both)
  await patchReview(at.sql, scope, both, { hidden: true })
  assert.equal(await stored(both), before, 'a patch that changes nothing shows nowhere')
  // Written back from our own export: who hid it is not known any more.
  const restored = await indexed(review('restored', { hidden: true }))
  await at.push([
    review('shown', { visibility: 'hidden' }),
    ...['hidden', 'both', 'restored'].map((id) => review(id, { visibility: 'shown' })),
  ])
  const states = await Promise.all([shown, hidden, both, restored].map(async (id) => (await stored(id))?.hidden))
  assert.equal(states, [false, true, true, true])
})

test('a later version takes the place of the review that it replaces, unless its id is stored already', async () => {
  const [first, second] = [await indexed(review('old-1')), await indexed(review('old-2'))]
  await at.push([review('new-2', { text: 'Is there.' })])
  const { reviews } = await at.push([
    { ...review('new-1', { text: 'Warmer bread.' }), replaces: first },
    { ...review('new-2', { text: 'Is there, changed.' }), replaces: second },
  ])
  assert.equal(
    reviews.map(({ outcome, status }) => [outcome, status]),
    [
      ['updated', 'indexing'],
      ['updated', 'indexing'],
    ],
  )
  assert.equal([(await stored(first))?.external_id, (await stored(first))?.text], ['new-1', 'Warmer bread.'])
  assert.is((await stored(second))?.external_id, 'old-2')
  assert.is((await counts())?.reviews, 3)
})

test.run()
