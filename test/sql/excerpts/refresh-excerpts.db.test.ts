import * as assert from 'uvu/assert'
import { accept } from '../../../server/ingest/accept.ts'
import { refreshExcerpts } from '../../../server/sql/excerpts/refresh-excerpts.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { makeProject, markIndexed, review } from '../fixtures.ts'

const test = suite('excerpts of reviews that changed')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.after(() => db.close())

const TEXT = 'Die Zimmer waren ruhig.'

/** A project with two indexed reviews, whose excerpts are read as English. */
async function indexed() {
  const project = await makeProject(db.sql)
  const answer = await accept(db.sql, project, 'live', [review('a', { text: TEXT }), review('b', { text: TEXT })], {})
  if ('limit' in answer) throw new Error('limit')
  await markIndexed(db.sql, project.id)
  return { project, ids: answer.reviews.map(({ id }) => id) }
}

const configs = async (projectId: string) =>
  (
    await db.sql`
      select search_config::text as config, lexemes @@ 'zimm' as stemmed from excerpts e
      join reviews r on r.project_id = e.project_id and r.id = e.review_id
      where e.project_id = ${projectId} order by external_id`
  ).map((row) => Object.values(row))

test('a review that turns out to be German is stemmed so, and no other is', async () => {
  const mine = await indexed()
  const other = await indexed()
  const [id = ''] = mine.ids
  await refreshExcerpts(db.sql, mine.project.id, [{ id, language: 'de', text: TEXT }])
  assert.equal(await configs(mine.project.id), [
    ['german', true],
    ['english', false],
  ])
  assert.equal(await configs(other.project.id), [
    ['english', false],
    ['english', false],
  ])
})

test.run()
