import * as assert from 'uvu/assert'
import type { Sql } from '../../server/deps.ts'
import { policyOf, thresholdsOf } from '../../server/search/policy.ts'
import { fetchExcerpts, fetchNewest } from '../../server/search/sql/excerpt-rows.ts'
import { findCandidates } from '../../server/search/sql/find-candidates.ts'
import { findWordForms } from '../../server/search/sql/word-forms.ts'
import { queryWords } from '../../server/search/words.ts'
import { listReviews } from '../../server/sql/reviews/reviews.ts'
import type { Scope } from '../../server/sql/scope.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { Garden } from './planted.ts'

const test = suite('plans of a small project beside a large one')
const LARGE = 20_000
let database: TestDatabase
let garden: Garden
let large = ''

test.before(async () => {
  database = await openTestDatabase()
  garden = await new Garden(database.sql).open('Small')
  for (let i = 0; i < 20; i++) await garden.plant({ slices: [['The sauna was hot', 0.8]] })
  large = await garden.project('Large')
  await database.sql`
    insert into reviews (project_id, env, source, external_id, rating, text, author_name, occurred_at, metadata,
      sentiment, sentiment_source, status)
    select ${large}, 'live', 'google', i, 5, 'The sauna was hot', 'Ada', now() - i * interval '1 minute',
      '{"branch": "north"}', 'positive', 'rating', 'indexed'
    from generate_series(1, ${LARGE}::int) as i`
  // Else the check of the foreign key keeps the plan that it made for a table of twenty rows.
  await database.sql`analyze reviews`
  await database.sql`
    insert into excerpts (project_id, review_id, ordinal, id, env, start_offset, end_offset, text, search_config,
      lexemes, embedding_model_id, embedding, rating, sentiment, hidden, source, occurred_at)
    select project_id, id, 0, gen_random_uuid(), env, 0, 17, text, 'english', excerpt_lexemes('english', text),
      ${garden.modelId}, '[1,0,0]', rating, sentiment, false, source, occurred_at
    from reviews where project_id = ${large}`
  await database.sql`analyze`
})
test.after(() => database.close())

const scopeOf = (projectId: string): Scope => ({ projectId, env: 'live', modelId: garden.modelId })
const policy = (metadata: [string, string][] = []) => policyOf(garden.context.project, { metadata })

/** The plan that a statement of the search gets, instead of its rows. */
async function planOf(run: (sql: Sql) => Promise<unknown>): Promise<string> {
  let plan = ''
  const explaining = new Proxy(database.sql, {
    get(target, name, receiver) {
      if (name !== 'unsafe') return Reflect.get(target, name, receiver)
      return async (...[text, ...rest]: Parameters<Sql['unsafe']>) => {
        const rows = await target.unsafe<{ 'QUERY PLAN': string }[]>(`explain ${text}`, ...rest)
        plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        return []
      }
    },
  })
  await run(explaining)
  return plan
}

async function candidates(sql: Sql, projectId: string, metadata: [string, string][] = []) {
  const forms = await findWordForms(database.sql, scopeOf(projectId), queryWords('sauna hot pool'))
  const depth = { among: 'nearest', limit: 100 } as const
  const query = {
    vector: Float32Array.of(1, 0, 0),
    forms,
    policy: policy(metadata),
    thresholds: thresholdsOf(0.66),
    depth,
  }
  return findCandidates(sql, scopeOf(projectId), query)
}

test('reach the small project’s vectors by an index, with the same words all over the neighbour', async () => {
  const plan = await planOf((sql) => candidates(sql, garden.context.project.id))
  assert.match(plan, /Index (Only )?Scan.* on excerpts/)
  assert.not.match(plan, /Seq Scan on excerpts/)
})

test('read the large project from end to end', async () => {
  const plan = await planOf((sql) => candidates(sql, large))
  assert.match(plan, /Seq Scan on excerpts/)
})

test('stay so after many runs, when a prepared statement would have got a generic plan', async () => {
  for (let i = 0; i < 8; i++) await candidates(database.sql, large)
  const plan = await planOf((sql) => candidates(sql, garden.context.project.id))
  assert.not.match(plan, /Seq Scan on excerpts/)
  const [kept] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from pg_prepared_statements where statement like 'with near%'`
  assert.is(kept?.count, 0)
})

test('look up the metadata of the small project’s reviews only', async () => {
  const plan = await planOf((sql) => candidates(sql, garden.context.project.id, [['branch', 'north']]))
  assert.not.match(plan, /Seq Scan/)
})

test('read the rows of a page by their keys, of small and large, whatever they are', async () => {
  for (const project of [garden.context.project.id, large]) {
    const keys = await candidates(database.sql, project).then(({ passing }) => passing.slice(0, 20))
    const read = (sql: Sql) => fetchExcerpts(sql, scopeOf(project), policy(), keys, true)
    const plan = await planOf(read)
    assert.not.match(plan, /Seq Scan/)
    assert.match(plan, /Index Scan.* on excerpts e /)
  }
})

test('walk the newest reviews of a large project in order, and stop at the page’s end', async () => {
  const plan = await planOf((sql) => fetchNewest(sql, scopeOf(large), policy(), 5, false))
  assert.match(plan, /Index Scan using excerpts_newest/)
  assert.not.match(plan, /Sort Key: e_1/)
})

test('the few reviews that wait are found among many that waited when statistics were made', () =>
  database.sql.begin(async (sql) => {
    const some = sql`project_id = ${large} and external_id::int % 10 = 0`
    await sql`update reviews set status = 'indexing' where ${some}`
    await sql`analyze reviews`
    await sql`update reviews set status = 'indexed' where ${some}`
    const walks = async () => {
      const [row] = await sql<{ all: number; waiting: number }[]>`
        select pg_stat_get_xact_numscans('reviews_newest'::regclass)::int as all,
          pg_stat_get_xact_numscans('reviews_waiting'::regclass)::int as waiting`
      return row ?? { all: 0, waiting: 0 }
    }
    const before = await walks()
    const request = { limit: 20, hidden: 'all', indexed: 'false' } as const
    assert.equal((await listReviews(sql, { projectId: large, env: 'live' }, request)).reviews, [])
    assert.equal(await walks(), { ...before, waiting: before.waiting + 1 })
  }))

test.run()
