import * as assert from 'uvu/assert'
import { accept, remainingCapacity } from '../../server/ingest/accept.ts'
import { compareReviews } from '../../server/sql/reviews/write-reviews.ts'
import type { Environment } from '../../src/contract/review.ts'
import { makeProject, review, revisionOf } from '../sql/fixtures.ts'
import { acceptSuite } from './accept-suite.ts'

const { test, at } = acceptSuite('accept: how many reviews fit')

test('at the cap a batch is refused whole, and says how many fit', async () => {
  at.project = await makeProject(at.sql, { plan: 'free' })
  await at.push([review('a')], 'live')
  await at.sql`update environments set review_count = 4000 where project_id = ${at.project.id} and env = 'live'`
  await at.sql`update environments set review_count = 998 where project_id = ${at.project.id} and env = 'test'`
  const rows = ['a', 'b', 'c', 'd'].map((id) => review(id, { author_name: 'New' }))
  const refused = await accept(at.sql, at.project, 'live', rows, {})
  assert.equal(refused, { limit: { remaining: 2 } })
  const [row] = await at.sql`select count(*)::int as count, max(author_name) as author from reviews
    where project_id = ${at.project.id}`
  assert.equal(row, { count: 1, author: 'Mara Vogel' })
  assert.is(await revisionOf(at.sql, at.project.id), 1)
  assert.is((await at.push(rows.slice(0, 3))).reviews.length, 3)
  assert.equal(await accept(at.sql, at.project, 'test', [review('e')], {}), { limit: { remaining: 0 } })
  assert.is((await at.push(rows.slice(0, 3))).reviews.length, 3, 'stored reviews never count against the cap')
})

test('the plan that counts is the one in the database', async () => {
  at.project = await makeProject(at.sql, { plan: 'paid' })
  await at.sql`update environments set review_count = 5000 where project_id = ${at.project.id} and env = 'live'`
  await at.sql`update projects set plan = 'free' where id = ${at.project.id}`
  assert.equal(await accept(at.sql, at.project, 'live', [review('a')], {}), { limit: { remaining: 0 } })
})

test('the operator may set another cap than the plan’s', async () => {
  at.project = await makeProject(at.sql, { plan: 'free' })
  const allowance = { reviewsPerProject: { free: 2 } }
  assert.is((await at.push([review('a')], 'live', allowance)).reviews.length, 1)
  assert.equal(await accept(at.sql, at.project, 'live', [review('b'), review('c')], allowance), {
    limit: { remaining: 1 },
  })
  assert.is(await remainingCapacity(at.sql, at.project, allowance), 1)
})

test('past the operator’s limits reviews are stored and deferred', async () => {
  const { deferred } = await at.push([review('a')], 'live', { dailyEmbeddings: 0 })
  assert.is(deferred, true)
  assert.is((await at.jobsOf((await at.push([review('a')])).reviews[0]?.id ?? '')).length, 1)
  const again = await at.push([review('a')], 'live', { dailyEmbeddings: 0 })
  assert.is(again.deferred, true, 'whose first answer was lost is told again')
  assert.is((await at.push([review('b')], 'live', { dailyEmbeddings: 1_000_000 })).deferred, false)
  await at.sql`update reviews set status = 'indexed'`
  const indexed = await at.push([review('a')], 'live', { dailyEmbeddings: 0 })
  assert.is(indexed.deferred, false, 'what is indexed waits for nothing')
})

test('pushes of one project wait for each other without a connection, which others find free', async () => {
  let stored = 0
  const pushes = Array.from({ length: 20 }, async (_, i) => {
    await at.push([review(`a${i}`)])
    stored++
  })
  // The first may come before them.
  for (let i = 0; i < 2; i++) await at.sql`select 1`
  assert.ok(stored < 5, `${stored} were stored before`)
  await Promise.all(pushes)
})

test('an import can ask what is stored and how many fit', async () => {
  await at.push([review('a'), review('b')])
  const keys = [review('x'), review('b'), review('a', { source: 'yelp' }), review('a'), review('a')]
  const stored = async (env: Environment) =>
    (await compareReviews(at.sql, { projectId: at.project.id, env }, keys)).flatMap((one, place) =>
      one === 'inserted' ? [] : [place],
    )
  assert.equal(await stored('live'), [1, 3, 4])
  assert.is(await remainingCapacity(at.sql, at.project, {}), 100_000 - 2)
  assert.equal(await stored('test'), [])
})

test('an import can ask whether its reviews would replace others: name, time and text all differ', async () => {
  await at.push([review('a'), review('b'), review('c'), review('d')])
  const other = { author_name: 'Somebody else', occurred_at: new Date('2020-02-02'), text: 'Of another place.' }
  const { author_name, ...sameName } = other
  const rows = [
    review('a', other),
    review('b', sameName),
    review('c', { author_name }),
    review('d'),
    review('e', other),
  ]
  assert.equal(await compareReviews(at.sql, { projectId: at.project.id, env: 'live' }, rows), [
    'replaced',
    'updated',
    'updated',
    'unchanged',
    'inserted',
  ])
})

test.run()
