/** What one server's claim does to jobs, and leaves alone of another's. */
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { accept } from '../../../server/ingest/accept.ts'
import { activateModel } from '../../../server/sql/installation/installation.ts'
import type { Project } from '../../../server/sql/projects/projects.ts'
import { type ClaimRequest, claimReviews } from '../../../server/sql/queue/claim.ts'
import { dueProjects } from '../../../server/sql/queue/due.ts'
import { failReviews } from '../../../server/sql/queue/fail.ts'
import { extendLease, heldReviews, releaseReviews } from '../../../server/sql/queue/lease.ts'
import { listSetAside, retrySetAside } from '../../../server/sql/queue/set-aside.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { makeProject, review } from '../fixtures.ts'

const test = suite('claims of the index queue')
let db: TestDatabase
let project: Project
let modelId: number

test.before(async () => {
  db = await openTestDatabase()
  modelId = (await activateModel(db.sql, { name: 'test', dimensions: 3 })).modelId
})
test.before.each(async () => {
  project = await makeProject(db.sql)
  await accept(
    db.sql,
    project,
    'live',
    ['a', 'b', 'c', 'd'].map((id) => review(id)),
    {},
  )
})
test.after(() => db.close())

/** Jobs of the project, claimed for a minute by a new token. */
async function claim(limit: number, fields: Partial<ClaimRequest> = {}) {
  const key = { token: randomUUID(), projectId: project.id }
  const request = { ...key, limit, leaseSeconds: 60, modelId, newestFirst: false, ...fields }
  return { key, ...(await claimReviews(db.sql, request)) }
}

/** The jobs of a claim, as they are stored. */
const jobsOf = async (token: string) =>
  (
    await db.sql`
      select attempts, leased_until, run_at, last_error from index_jobs
      where project_id = ${project.id} and lease_token = ${token} order by review_id`
  ).map((row) => ({ ...row }))

const isDue = async () => (await dueProjects(db.sql)).some(({ projectId }) => projectId === project.id)

test('a claim is planned for the queue as it is, not by a plan kept from when it was empty', async () => {
  const kept = await db.sql.begin(async (tx) => {
    for (let i = 0; i < 8; i++)
      await claimReviews(tx, {
        token: randomUUID(),
        projectId: project.id,
        limit: 1,
        leaseSeconds: 60,
        modelId,
        newestFirst: i % 2 === 0,
      })
    // Other tests on the same connection have statements of their own.
    return tx<
      { statement: string }[]
    >`select statement from pg_prepared_statements where statement like '%set lease_token = %, attempts' || ' = attempts + 1%'`
  })
  assert.equal(
    kept.map(({ statement }) => statement),
    [],
  )
})

test('a claim in a project that the statistics do not know reads each review once, not once for each claimed one', async () => {
  await db.sql`analyze index_jobs`
  await db.sql`analyze reviews`
  project = await makeProject(db.sql)
  const rows = Array.from({ length: 200 }, (_, i) => review(`r${i}`))
  await accept(db.sql, project, 'live', rows, {})
  const read = await db.sql.begin(async (tx) => {
    const count = async () => {
      const [counted] = await tx<{ rows: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'reviews'`
      return counted?.rows ?? 0
    }
    const before = await count()
    const key = { token: randomUUID(), projectId: project.id }
    await claimReviews(tx, { ...key, limit: 100, leaseSeconds: 60, modelId, newestFirst: false })
    return (await count()) - before
  })
  assert.ok(read < 2 * rows.length, `read ${read} rows`)
})

test('a text that changed while it was claimed is given back at once, as if it had not been tried', async () => {
  await db.sql`update index_jobs set text_version = text_version - 1 where project_id = ${project.id}`
  const { key, reviews } = await claim(10)
  assert.equal(reviews, [])
  assert.equal(await jobsOf(key.token), [])
  assert.is(await isDue(), true)
  const [{ attempts } = { attempts: -1 }] = await db.sql<{ attempts: number }[]>`
    select sum(attempts)::int as attempts from index_jobs where project_id = ${project.id}`
  assert.is(attempts, 0)
})

test('two claims share the jobs, no more than they asked for, and what is left is due', async () => {
  const [one, other] = [await claim(1), await claim(2)]
  assert.equal([one.reviews.length, other.reviews.length], [1, 2])
  assert.is(new Set([...one.reviews, ...other.reviews].map(({ reviewId }) => reviewId)).size, 3)
  assert.is(await isDue(), true)
  assert.is((await claim(10)).reviews.length, 1)
  assert.is(await isDue(), false, 'all are held')
  assert.is((await claim(10)).reviews.length, 0)
})

test('a claim takes the oldest or the newest first, and nothing for a model that is not in use', async () => {
  await db.sql`
    update index_jobs set run_at = now() - interval '1 hour'
    where project_id = ${project.id} and review_id = (
      select id from reviews where project_id = ${project.id} and external_id = 'c')`
  assert.match((await claim(1)).reviews[0]?.text ?? '', '(c)')
  await db.sql`
    update index_jobs set run_at = now() - interval '1 hour'
    where project_id = ${project.id} and lease_token is null and review_id <> (
      select id from reviews where project_id = ${project.id} and external_id = 'b')`
  assert.match((await claim(1, { newestFirst: true })).reviews[0]?.text ?? '', '(b)')
  const foreign = await claim(1, { modelId: modelId + 1 })
  assert.equal([foreign.modelActive, foreign.reviews], [false, []])
})

test('a claim extends its own leases and tells how many it holds', async () => {
  const [mine, other] = [await claim(1), await claim(2)]
  const before = await jobsOf(other.key.token)
  assert.is(await extendLease(db.sql, mine.key, 600), 1)
  const [extended] = await db.sql`
    select leased_until > now() + interval '5 minutes' as long from index_jobs
    where project_id = ${project.id} and lease_token = ${mine.key.token}`
  assert.is(extended?.long, true)
  assert.equal(await jobsOf(other.key.token), before)
  assert.equal(await heldReviews(db.sql, mine.key), new Set(mine.reviews.map(({ reviewId }) => reviewId)))
})

test('what a claim releases is due at once and untried; the rest and what others hold stay held', async () => {
  const [mine, other] = [await claim(2), await claim(2)]
  const before = await jobsOf(other.key.token)
  await releaseReviews(db.sql, mine.key, mine.reviews.slice(0, 1))
  assert.is((await jobsOf(mine.key.token)).length, 1)
  await releaseReviews(db.sql, mine.key)
  assert.equal(await jobsOf(mine.key.token), [])
  assert.equal(await jobsOf(other.key.token), before)
  const again = await claim(10)
  assert.equal(
    again.reviews.map(({ attempts }) => attempts),
    [1, 1],
  )
})

for (const ownFault of [false, true]) {
  test(`a claim that lost its jobs to another cannot fail them${ownFault ? ', by their own fault either' : ''}`, async () => {
    const late = await claim(2)
    await releaseReviews(db.sql, late.key)
    const holder = await claim(4)
    const before = await jobsOf(holder.key.token)
    await failReviews(db.sql, late.key, late.reviews, 'too late', ownFault)
    assert.equal(await jobsOf(holder.key.token), before)
    await failReviews(db.sql, holder.key, holder.reviews.slice(0, 1), 'the service was away', ownFault)
    assert.is((await jobsOf(holder.key.token)).length, 3)
  })
}

test('what was set aside is claimed by nobody until it is tried again, in its project', async () => {
  const elsewhere = await makeProject(db.sql)
  await accept(db.sql, elsewhere, 'live', [review('e')], {})
  await db.sql`update index_jobs set set_aside_at = now(), run_at = now() where project_id = any (${[project.id, elsewhere.id]}::uuid[])`
  assert.is((await claim(10)).reviews.length, 0)
  assert.is(await isDue(), false)
  assert.is((await listSetAside(db.sql, { projectId: project.id, limit: 10 })).total, 4)
  assert.is(await retrySetAside(db.sql, { projectId: project.id }), 4)
  assert.is((await claim(10)).reviews.length, 4)
  assert.is((await listSetAside(db.sql, { projectId: elsewhere.id, limit: 10 })).total, 1)
})

test.run()
