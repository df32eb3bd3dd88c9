import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import type { Pool } from '../../server/deps.ts'
import { type AcceptRow, accept } from '../../server/ingest/accept.ts'
import { saveExcerpts, serializeRows } from '../../server/sql/excerpts/save-excerpts.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import type { Project } from '../../server/sql/projects/projects.ts'
import { claimReviews } from '../../server/sql/queue/claim.ts'
import { endLeases } from '../../server/sql/queue/lease.ts'
import { removeReviews } from '../../server/sql/reviews/remove-reviews.ts'
import { countReviews, deleteReview, listReviews, patchReview } from '../../server/sql/reviews/reviews.ts'
import type { Environment } from '../../src/contract/review.ts'
import { createPostgresDatabase } from '../database.ts'
import { makeProject, review } from '../sql/fixtures.ts'
import { suite } from '../suite.ts'

const test = suite('accept under contention')
let database: Awaited<ReturnType<typeof createPostgresDatabase>>
/** Two servers on one database: a pool each. */
let servers: [Pool, Pool]
let project: Project

test.before(async () => {
  database = await createPostgresDatabase()
  servers = [connect({ url: database.url }), connect({ url: database.url })]
})
test.before.each(async () => {
  await servers[0]`delete from projects`
  project = await makeProject(servers[0])
})
test.after(async () => {
  await Promise.all(servers.map((sql) => sql.end({ timeout: 5 })))
  await database.drop()
})

const random = (below: number) => Math.floor(Math.random() * below)
const pick = <T>(list: readonly T[]): T | undefined => list[random(list.length)]
const server = () => servers[random(2)] ?? servers[0]
const push = (rows: AcceptRow[], env: Environment = 'live') => accept(server(), project, env, rows, {})

async function invariants() {
  const [sql] = servers
  const [row] = await sql`
    select
      (select count(*)::int from environments e
        where review_count <> (select count(*) from reviews r where r.project_id = e.project_id and r.env = e.env))
        as "wrong counts",
      (select count(*)::int from reviews r where status = 'indexing'
        and not exists (select 1 from index_jobs j where j.project_id = r.project_id and j.review_id = r.id))
        as "indexing without a job",
      (select count(*)::int from index_jobs j join reviews r on r.project_id = j.project_id and r.id = j.review_id
        where j.text_version <> r.text_version or r.status = 'indexed') as "jobs of another text",
      (select count(*)::int from excerpts e join reviews r on r.project_id = e.project_id and r.id = e.review_id
        where substr(r.text, e.start_offset + 1, e.end_offset - e.start_offset) <> e.text) as "excerpts of another text",
      (select count(*)::int from excerpts e join reviews r on r.project_id = e.project_id and r.id = e.review_id
        where (e.rating, e.sentiment, e.hidden, e.occurred_at, e.env, e.source)
          is distinct from (r.rating, r.sentiment, r.hidden_at is not null, r.occurred_at, r.env, r.source))
        as "copies that differ",
      (select count(*)::int from reviews r where status = 'indexed'
        and not exists (select 1 from excerpts e where e.project_id = r.project_id and e.review_id = r.id))
        as "indexed without excerpts",
      (select count(*)::int from reviews r where status = 'indexing'
        and exists (select 1 from excerpts e where e.project_id = r.project_id and e.review_id = r.id))
        as "indexing with excerpts",
      (select count(*)::int from reviews r where rating is not null and sentiment_source is distinct from 'rating')
        as "sentiments against the stars"`
  return row
}

const SOUND = {
  'wrong counts': 0,
  'indexing without a job': 0,
  'jobs of another text': 0,
  'excerpts of another text': 0,
  'copies that differ': 0,
  'indexed without excerpts': 0,
  'indexing with excerpts': 0,
  'sentiments against the stars': 0,
}

test('two servers that push the same keys in opposite orders both finish, and no row is doubled', async () => {
  const keys = Array.from({ length: 60 }, (_, i) => `k${i}`)
  await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      push((n % 2 ? keys : [...keys].reverse()).map((key) => review(key, { text: `text ${n} of ${key}` }))),
    ),
  )
  assert.equal(await countReviews(servers[0], project.id), { live: 60, test: 0 })
  assert.equal({ ...(await invariants()) }, SOUND)
})

test('pushes that race for the last places never pass the cap', async () => {
  project = await makeProject(servers[0], { plan: 'free' })
  await servers[0]`update environments set review_count = 4950 where project_id = ${project.id} and env = 'test'`
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      push(
        Array.from({ length: 7 }, (_, i) => review(`n${n}-${i}`)),
        n % 2 ? 'live' : 'test',
      ),
    ),
  )
  const landed = answers.filter((answer) => !('limit' in answer))
  assert.is(landed.length, 7, '7 batches of 7 fit into 50 places')
  const refused = answers.flatMap((answer) => ('limit' in answer ? [answer.limit.remaining] : []))
  assert.ok(refused.every((remaining) => remaining === 1))
  const { live, test } = await countReviews(servers[0], project.id)
  assert.is(live + test, 4999)
  const [row] = await servers[0]`select count(*)::int as count from reviews where project_id = ${project.id}`
  assert.is(row?.count, 49)
})

test('a push that waits for the delete of its review stores it anew', async () => {
  const [sql, other] = servers
  const first = await push([review('a')])
  const id = 'limit' in first ? '' : (first.reviews[0]?.id ?? '')
  const pushed = await sql.begin(async (tx) => {
    await tx`delete from reviews where id = ${id}`
    await tx`update environments set review_count = review_count - 1 where project_id = ${project.id} and env = 'live'`
    const waiting = accept(other, project, 'live', [review('a', { author_name: 'Again' })], {})
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { waiting }
  })
  const answer = await pushed.waiting
  if ('limit' in answer) throw new Error('limit')
  assert.is(answer.reviews[0]?.outcome, 'inserted')
  assert.is.not(answer.reviews[0]?.id, id)
  assert.equal(await countReviews(sql, project.id), { live: 1, test: 0 })
  assert.equal({ ...(await invariants()) }, SOUND)
})

test('whatever runs at once, the database stays sound', async () => {
  const { modelId } = await activateModel(servers[0], { name: 'torture', dimensions: 3 })
  const keys = Array.from({ length: 80 }, (_, i) => `k${i}`)
  const envs = ['live', 'test'] as const
  const until = Date.now() + 6_000
  const done: Record<string, number> = {}
  let pushed: { id: string; env: Environment }[] = []

  const actions: Record<string, () => Promise<unknown>> = {
    async push() {
      const env = pick(envs) ?? 'live'
      const rows = Array.from({ length: 1 + random(30) }, () =>
        review(pick(keys) ?? '', {
          text: `Text ${random(3)} stands here.`,
          rating: random(3) === 0 ? null : 1 + random(5),
          author_name: `Guest ${random(3)}`,
          occurred_at: new Date(Date.UTC(2026, 0, 1 + random(5))),
          language: pick(['de', 'en', 'xx']) ?? 'en',
        }),
      )
      const answer = await push(rows, env)
      if ('limit' in answer) throw new Error('limit')
      pushed = [...pushed, ...answer.reviews.map(({ id }) => ({ id, env }))].slice(-200)
    },
    async hide() {
      const one = pick(pushed)
      const patch = { hidden: random(2) === 0, metadata: { n: String(random(2)) } }
      if (one) await patchReview(server(), { projectId: project.id, env: one.env }, one.id, patch)
    },
    async remove() {
      const one = pick(pushed)
      if (one) await deleteReview(server(), { projectId: project.id, env: one.env }, one.id)
    },
    async list() {
      await listReviews(server(), { projectId: project.id, env: 'live' }, { limit: 100, hidden: 'all' })
    },
    async index() {
      const sql = server()
      const token = randomUUID()
      const request = {
        token,
        projectId: project.id,
        limit: 20,
        leaseSeconds: 60,
        modelId,
        newestFirst: random(2) === 0,
      }
      const { reviews } = await claimReviews(sql, request)
      await new Promise((resolve) => setTimeout(resolve, random(30)))
      const indexed = reviews.map(({ projectId, reviewId, text, rating }) => ({
        projectId,
        reviewId,
        sentiment: rating === null ? ('neutral' as const) : null,
        excerpts: [
          {
            id: randomUUID(),
            start: 0,
            end: text.length,
            text,
            vector: Float32Array.of(1, 0, 0),
            verdict: 'neutral' as const,
            sentences: [],
          },
          {
            id: randomUUID(),
            start: 0,
            end: 4,
            text: text.slice(0, 4),
            vector: Float32Array.of(0, 1, 0),
            verdict: 'neutral' as const,
            sentences: [],
          },
        ],
      }))
      await saveExcerpts(sql, { token, projectId: project.id, modelId }, indexed.map(serializeRows))
    },
    async wipe() {
      if (random(10) === 0) await removeReviews(server(), { projectId: project.id, env: 'test' })
    },
  }
  const enough = () => Object.keys(actions).every((name) => (done[name] ?? 0) > 5)
  await Promise.all(
    ['push', 'push', 'push', 'push', 'hide', 'hide', 'remove', 'list', 'index', 'index', 'index', 'wipe'].map(
      async (name) => {
        while (Date.now() < until || (Date.now() < until + 120_000 && !enough())) {
          await actions[name]?.()
          await new Promise(setImmediate)
          done[name] = (done[name] ?? 0) + 1
        }
      },
    ),
  )
  for (const name of Object.keys(actions)) assert.ok((done[name] ?? 0) > 5, `${name} ran ${done[name]} times`)
  assert.equal({ ...(await invariants()) }, SOUND)
  // What was left claimed or refused is due again, and can be finished.
  await endLeases(servers[0])
  for (let before = -1, left = 0; before !== left; ) {
    before = left
    await actions.index?.()
    left = (await servers[0]`select 1 from index_jobs`).length
  }
  assert.equal({ ...(await invariants()) }, SOUND)
})

test.run()
