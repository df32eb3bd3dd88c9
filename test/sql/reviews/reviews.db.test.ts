import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type AcceptRow, accept } from '../../../server/ingest/accept.ts'
import type { ListPosition } from '../../../server/sql/list-page.ts'
import type { Project } from '../../../server/sql/projects/projects.ts'
import { removeReviews } from '../../../server/sql/reviews/remove-reviews.ts'
import { countReviews, deleteReview, getReview, listReviews, patchReview } from '../../../server/sql/reviews/reviews.ts'
import type { Environment, ListRequest, StoredReview } from '../../../src/contract/review.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { makeProject, markIndexed, review, revisionOf } from '../fixtures.ts'

const test = suite('stored reviews')
let db: TestDatabase
let project: Project

test.before(async () => {
  db = await openTestDatabase()
})
test.before.each(async () => {
  project = await makeProject(db.sql)
})
test.after(() => db.close())

async function push(rows: AcceptRow[], env: Environment = 'live'): Promise<string[]> {
  const answer = await accept(db.sql, project, env, rows, {})
  if ('limit' in answer) throw new Error('limit')
  return answer.reviews.map(({ id }) => id)
}

const get = (id: string) => getReview(db.sql, { projectId: project.id, env: 'live' }, id)
const ALL = { limit: 20, hidden: 'all' } as const
const list = (request: Partial<ListRequest> = {}, after?: ListPosition) =>
  listReviews(db.sql, { projectId: project.id, env: 'live' }, { ...ALL, ...request }, after)
const names = (reviews: StoredReview[]) => reviews.map(({ external_id }) => external_id)
const day = (n: number) => new Date(Date.UTC(2026, 0, n))
const positionOf = (row: StoredReview | undefined): ListPosition => ({
  at: row?.occurred_at ? new Date(row.occurred_at) : null,
  id: row?.id ?? '',
})

async function pages(request: Partial<ListRequest>): Promise<string[][]> {
  const all: string[][] = []
  let after: ListPosition | undefined
  for (;;) {
    const { reviews, more } = await list(request, after)
    all.push(names(reviews))
    if (!more) return all
    after = positionOf(reviews.at(-1))
  }
}

test('a review is found in its project and environment and nowhere else', async () => {
  const [id = ''] = await push([review('a')])
  const other = await makeProject(db.sql)
  assert.is((await get(id))?.external_id, 'a')
  assert.is(await getReview(db.sql, { projectId: project.id, env: 'test' }, id), undefined)
  assert.is(await getReview(db.sql, { projectId: other.id, env: 'live' }, id), undefined)
  assert.is(await get(randomUUID()), undefined)
  for (const odd of ['no uuid', '', `${id}0`, `{${id}}`, id.replaceAll('-', '')]) assert.is(await get(odd), undefined)
  assert.is((await get(id.toUpperCase()))?.id, id)
})

test('a list is newest first, ties by id, reviews without a date last', async () => {
  const ids = await push([
    review('old', { occurred_at: day(1) }),
    review('new', { occurred_at: day(3) }),
    ...['t1', 't2', 't3', 't4'].map((name) => review(name, { occurred_at: day(2) })),
    review('n1'),
    review('n2'),
  ])
  await db.sql`update reviews set occurred_at = null where project_id = ${project.id} and external_id like 'n_'`
  const byId = (wanted: string[]) =>
    wanted.sort((a, b) => ((ids[order.indexOf(a)] ?? '') < (ids[order.indexOf(b)] ?? '') ? 1 : -1))
  const order = ['old', 'new', 't1', 't2', 't3', 't4', 'n1', 'n2']
  const expected = ['new', ...byId(['t1', 't2', 't3', 't4']), 'old', ...byId(['n1', 'n2'])]
  assert.equal(names((await list()).reviews), expected)
  for (const limit of [1, 2, 3, 5, 7, 8]) assert.equal((await pages({ limit })).flat(), expected, `limit ${limit}`)
  assert.equal((await pages({ limit: 8 })).length, 1, 'a full last page says that it is the last')
})

test('a page stays while rows come and go ahead of it', async () => {
  const ids = await push(Array.from({ length: 9 }, (_, i) => review(`r${i}`, { occurred_at: day(20 - i) })))
  const first = await list({ limit: 3 })
  assert.equal(names(first.reviews), ['r0', 'r1', 'r2'])
  await push([review('newest', { occurred_at: day(30) })])
  await deleteReview(db.sql, { projectId: project.id, env: 'live' }, ids[1] ?? '')
  await deleteReview(db.sql, { projectId: project.id, env: 'live' }, ids[2] ?? '')
  const second = await list({ limit: 3 }, positionOf(first.reviews[2]))
  assert.equal(names(second.reviews), ['r3', 'r4', 'r5'])
})

test('filters narrow a list', async () => {
  const [a = '', b = ''] = await push([
    review('a', { rating: 5, source: 'yelp', occurred_at: day(5) }),
    review('b', { rating: 3, occurred_at: day(4) }),
    review('c', { rating: null, occurred_at: day(3) }),
    review('d', { rating: 4, occurred_at: day(2) }),
  ])
  await patchReview(db.sql, { projectId: project.id, env: 'live' }, a, { hidden: true })
  await db.sql`update reviews set status = 'indexed' where project_id = ${project.id} and id in (${a}, ${b})`
  const found = async (request: Partial<ListRequest>) => names((await list(request)).reviews).join('')
  assert.is(await found({}), 'abcd')
  assert.is(await found({ source: 'yelp' }), 'a')
  assert.is(await found({ min_rating: 4 }), 'ad')
  assert.is(await found({ min_rating: 1 }), 'abd', 'unrated reviews are excluded')
  assert.is(await found({ hidden: 'true' }), 'a')
  assert.is(await found({ hidden: 'false' }), 'bcd')
  assert.is(await found({ since: day(4) }), 'ab')
  assert.is(await found({ indexed: 'true' }), 'ab')
  assert.is(await found({ indexed: 'false' }), 'cd')
  assert.is(await found({ indexed: 'false', min_rating: 4, hidden: 'false', source: 'google', since: day(1) }), 'd')
  assert.equal((await pages({ limit: 1, hidden: 'false' })).flat(), ['b', 'c', 'd'])
})

test('lists of environments and projects are apart', async () => {
  await push([review('a')], 'test')
  assert.equal(await list(), { reviews: [], more: false })
})

test('hiding keeps the time of hiding, reaches the excerpts and makes caches miss', async () => {
  const [id = ''] = await push([review('a')])
  await markIndexed(db.sql, project.id)
  const hiddenAt = async () =>
    (
      await db.sql`select r.hidden_at, e.hidden from reviews r join excerpts e on e.project_id = r.project_id and e.review_id = r.id where r.id = ${id}`
    )[0]
  const hidden = await patchReview(db.sql, { projectId: project.id, env: 'live' }, id, { hidden: true })
  assert.is(hidden?.hidden, true)
  const first = await hiddenAt()
  assert.is(first?.hidden, true)
  assert.ok(first?.hidden_at)
  assert.is(await revisionOf(db.sql, project.id), 2)
  await patchReview(db.sql, { projectId: project.id, env: 'live' }, id, { hidden: true, metadata: { a: '1' } })
  assert.equal((await hiddenAt())?.hidden_at, first?.hidden_at)
  assert.is((await patchReview(db.sql, { projectId: project.id, env: 'live' }, id, { hidden: false }))?.hidden, false)
  assert.equal({ ...(await hiddenAt()) }, { hidden_at: null, hidden: false })
  assert.is(await revisionOf(db.sql, project.id), 4)
})

test('a patch that describes the row as it is touches nothing', async () => {
  const [id = ''] = await push([review('a', { metadata: { b: '2', a: '1' } })])
  await db.sql`update reviews set updated_at = '2026-01-01' where id = ${id}`
  const before = await get(id)
  const patch = { hidden: false, metadata: { a: '1', b: '2' } }
  assert.equal(await patchReview(db.sql, { projectId: project.id, env: 'live' }, id, patch), before)
  assert.equal(await get(id), before)
  assert.is(await revisionOf(db.sql, project.id), 1)
})

test('to show what is shown decides by hand about that review, and about no other', async () => {
  const [id = ''] = await push([review('a'), review('b')])
  await patchReview(db.sql, { projectId: project.id, env: 'live' }, id, { hidden: false })
  const decided =
    await db.sql`select external_id from reviews where project_id = ${project.id} and visibility_set_by = 'hand'`
  assert.equal(
    decided.map((row) => row.external_id),
    ['a'],
  )
})

test('metadata is replaced whole, and odd keys survive', async () => {
  const [id = ''] = await push([review('a', { metadata: { a: '1' } })])
  const metadata = JSON.parse('{"__proto__": "x", "b": "2"}')
  const after = await patchReview(db.sql, { projectId: project.id, env: 'live' }, id, { metadata })
  assert.equal(Object.entries(after?.metadata ?? {}).sort(), [
    ['__proto__', 'x'],
    ['b', '2'],
  ])
  assert.ok(after && after.updated_at >= after.created_at)
  assert.equal((await patchReview(db.sql, { projectId: project.id, env: 'live' }, id, { metadata: {} }))?.metadata, {})
})

test('a patch or delete of a review that is not there finds nothing', async () => {
  const [id = ''] = await push([review('a')])
  assert.is(await patchReview(db.sql, { projectId: project.id, env: 'test' }, id, { hidden: true }), undefined)
  assert.is(
    await patchReview(db.sql, { projectId: project.id, env: 'live' }, randomUUID(), { hidden: true }),
    undefined,
  )
  assert.is(await patchReview(db.sql, { projectId: project.id, env: 'live' }, 'no uuid', { hidden: true }), undefined)
  assert.is(await deleteReview(db.sql, { projectId: project.id, env: 'test' }, id), false)
  assert.is(await deleteReview(db.sql, { projectId: project.id, env: 'live' }, 'no uuid'), false)
  assert.is(await revisionOf(db.sql, project.id), 1)
  assert.is((await get(id))?.hidden, false)
})

test('a deleted review takes its excerpts and its job along', async () => {
  const [a = '', b = ''] = await push([review('a'), review('b')])
  await markIndexed(db.sql, project.id)
  await push([review('c')])
  assert.is(await deleteReview(db.sql, { projectId: project.id, env: 'live' }, a), true)
  assert.is(await deleteReview(db.sql, { projectId: project.id, env: 'live' }, a), false)
  const left = await db.sql`select review_id from excerpts where project_id = ${project.id}`
  assert.equal([...left], [{ review_id: b }])
  assert.equal(await countReviews(db.sql, project.id), { live: 2, test: 0 })
  assert.is(await revisionOf(db.sql, project.id), 3)
})

test('a wipe empties one environment and touches no other', async () => {
  await push(
    Array.from({ length: 20 }, (_, i) => review(`r${i}`)),
    'test',
  )
  await markIndexed(db.sql, project.id)
  await push([review('waiting')], 'test')
  const [kept = ''] = await push([review('a')])
  assert.is(await removeReviews(db.sql, { projectId: project.id, env: 'test' }), 21)
  assert.is(await removeReviews(db.sql, { projectId: project.id, env: 'test' }), 0)
  assert.equal(await countReviews(db.sql, project.id), { live: 1, test: 0 })
  assert.ok(await get(kept))
  const [left] = await db.sql`select (select count(*)::int from excerpts where project_id = ${project.id}) as excerpts,
    (select count(*)::int from index_jobs where project_id = ${project.id}) as jobs`
  assert.equal(left, { excerpts: 0, jobs: 1 })
  assert.ok((await revisionOf(db.sql, project.id, 'test')) > 2)
  assert.is(await revisionOf(db.sql, project.id, 'live'), 1)
})

test.run()
