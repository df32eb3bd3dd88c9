/** The console's list of reviews: what it looks for, and that a long environment is looked through in parts. */
import * as assert from 'uvu/assert'
import { createProject } from '../../../server/sql/projects/projects.ts'
import { findReviews } from '../../../server/sql/reviews/console-reviews.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'

const DATED = 2_100
const UNDATED = 30
const test = suite('reviews in the console')
let database: TestDatabase
let scope: { projectId: string; env: 'live' }

test.before(async () => {
  database = await openTestDatabase()
  const project = await createProject(database.sql, { name: 'long', plan: 'paid' })
  if (typeof project === 'string') throw new Error(project)
  scope = { projectId: project.id, env: 'live' }
  await database.sql`
    insert into reviews (project_id, env, source, external_id, rating, text, author_name, occurred_at, status, metadata)
    select ${project.id}, 'live', 'custom', n::text, 5, case when n % 1050 = 0 then 'a white ferry' else 'a quiet room' end,
      'Guest', case when n <= ${DATED}::int then '2026-01-01'::timestamptz - make_interval(hours => n) end, 'indexed',
      '{"platform": "Booking.com"}'
    from generate_series(1, ${DATED + UNDATED}::int) n`
})
test.after(() => database.close())

/** All pages of a search, with how often it was broken off. */
async function all(wanted: Parameters<typeof findReviews>[2], limit: number) {
  const ids: string[] = []
  let brokenOff = 0
  let after: Parameters<typeof findReviews>[4]
  do {
    const page = await findReviews(database.sql, scope, wanted, limit, after)
    ids.push(...page.reviews.map(({ id }) => id))
    if (page.isBrokenOff) brokenOff++
    else assert.ok(page.next === undefined || page.reviews.length === limit)
    after = page.next
  } while (after)
  return { ids, brokenOff }
}

test('every review comes once, those without a date last', async () => {
  const { ids } = await all({}, 500)
  assert.is(ids.length, DATED + UNDATED)
  assert.is(new Set(ids).size, ids.length)
  const newest = await database.sql<{ id: string }[]>`
    select id from reviews order by occurred_at desc nulls last, id desc`
  assert.equal(
    ids,
    newest.map(({ id }) => id),
  )
})

test('a search that finds little is broken off, and goes on where it was', async () => {
  const first = await findReviews(database.sql, scope, { q: 'white ferry' }, 20)
  assert.equal([first.reviews.length, first.isBrokenOff], [1, true])
  const { ids, brokenOff } = await all({ q: 'white ferry' }, 20)
  assert.is(ids.length, 2)
  assert.ok(brokenOff >= 1 && brokenOff <= 2, `${brokenOff}`)
  assert.equal((await all({ q: 'helicopter' }, 20)).ids, [])
})

test('of long reviews fewer are looked at together, and one that is longer than a part is looked at alone', async () => {
  const project = await createProject(database.sql, { name: 'long texts', plan: 'paid' })
  if (typeof project === 'string') throw new Error(project)
  const lengths = [450_000, 450_000, 5_000_000, 20_000, 20_000]
  await database.sql`
    insert into reviews (project_id, env, source, external_id, rating, text, author_name, occurred_at, status)
    select ${project.id}, 'live', 'custom', n::text, 5, repeat('a', length), 'Guest',
      '2026-01-01'::timestamptz - make_interval(hours => n::int), 'indexed'
    from unnest(${lengths}::int[]) with ordinality as given(length, n)`
  const parts: unknown[] = []
  let after: Parameters<typeof findReviews>[4]
  do {
    const next = await findReviews(database.sql, { projectId: project.id, env: 'live' }, { q: 'ferry' }, 20, after)
    assert.equal(next.reviews, [])
    after = next.next
    const [row] = await database.sql`select count(*)::int as seen from reviews
      where project_id = ${project.id} and (occurred_at, id) >= (${after?.at ?? null}, ${after?.id ?? null})`
    parts.push(row?.seen)
  } while (after?.at)
  assert.equal(parts, [2, 3, 0], 'and then come those without a date')
  const { reviews } = await findReviews(database.sql, { projectId: project.id, env: 'live' }, { q: 'aaaa' }, 20)
  assert.is(reviews.length, 2)
})

test('a percent sign is looked for as it stands, and a custom source is called what its metadata says', async () => {
  assert.equal((await all({ q: '%' }, 20)).ids, [])
  const { reviews } = await findReviews(database.sql, scope, {}, 1)
  assert.is(reviews[0]?.platform, 'Booking.com')
})

test.run()
