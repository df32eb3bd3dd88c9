import * as assert from 'uvu/assert'
import { readStoredBetween } from '../../../server/sql/reviews/earlier-reviews.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { makeProject } from '../fixtures.ts'

const test = suite('the stored reviews of a period')
const from = new Date('2026-03-01T00:00:00Z')
const to = new Date('2026-03-31T00:00:00Z')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.after(() => db.close())

test('come in pages, each review once, also those of one moment', async () => {
  const { id } = await makeProject(db.sql)
  // 2,600 within the period, a hundred a day, one before it and one after it.
  await db.sql`
    insert into reviews (project_id, env, id, source, external_id, text, author_name, occurred_at)
    select ${id}, 'live', gen_random_uuid(), 'custom', n::text, 'text', 'A',
      case n when 0 then timestamptz '2026-02-28Z' when 2601 then timestamptz '2026-04-01Z'
      else timestamptz '2026-03-01Z' + (n / 100) * interval '1 day' end
    from generate_series(0, 2601) n`
  const seen: string[] = []
  let after: { id: string; occurred_at: Date } | undefined
  for (let pages = 1; pages < 10; pages++) {
    const scope = { projectId: id, env: 'live' } as const
    const { reviews, more } = await readStoredBetween(db.sql, scope, { from, to, names: [] }, after)
    seen.push(...reviews.map(({ external_id }) => external_id ?? ''))
    after = reviews.at(-1)
    if (!more) break
  }
  assert.is(seen.length, 2_600)
  assert.is(new Set(seen).size, 2_600)
})

test.run()
