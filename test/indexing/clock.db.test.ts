import * as assert from 'uvu/assert'
import { claimReviews } from '../../server/sql/queue/claim.ts'
import { rescheduleFutureJobs } from '../../server/sql/queue/due.ts'
import { failReviews } from '../../server/sql/queue/fail.ts'
import { until } from '../waiting.ts'
import { pipelineSuite } from './pipeline.ts'

const { test, pipeline } = pipelineSuite("the database's clock is set back")

const TOKEN = '00000000-0000-4000-8000-000000000001'
const LEASE = 60

/** As if the clock were set back: all that was written lies later by as much. */
async function setBack(interval: string): Promise<void> {
  // At a time zone that is named, since a distributed database takes no value of a row that the session's decides.
  const later = (column: string) =>
    `${column} = (${column} at time zone 'UTC' + '${interval}'::interval) at time zone 'UTC'`
  await pipeline.sql.unsafe(`update index_jobs set ${['run_at', 'leased_until', 'created_at'].map(later).join()}`)
}

const claim = (limit: number) =>
  claimReviews(pipeline.sql, {
    token: TOKEN,
    projectId: pipeline.projectId,
    limit,
    leaseSeconds: 30,
    modelId: pipeline.modelId,
    newestFirst: false,
  })

for (const interval of ['90 seconds', '50 minutes', '40 days']) {
  test(`by ${interval}: new reviews, those that a server left behind and those that failed do not wait for it`, async () => {
    const texts = ['new', 'left', 'failed'].map((external_id) => ({ external_id, text: `Of ${external_id} ones.` }))
    await pipeline.push(texts.slice(1))
    const { reviews } = await claim(2)
    const failed = reviews.find(({ text }) => text.includes('failed'))
    assert.ok(failed)
    if (failed)
      await failReviews(pipeline.sql, { token: TOKEN, projectId: pipeline.projectId }, [failed], 'the service was away')
    await pipeline.push(texts.slice(0, 1))
    await setBack(interval)
    const worker = pipeline.start()
    await until('all are indexed', async () => {
      worker.nudge()
      return Object.values(await pipeline.status()).every((status) => status === 'indexed')
    })
  })
}

test('what waits no longer than it was told to goes on waiting, and so does what is set aside', async () => {
  await pipeline.push(['a', 'b', 'c'].map((external_id) => ({ external_id, text: `Of ${external_id} ones.` })))
  const [first, second] = (await claim(3)).reviews
  if (!first || !second) throw new Error('nothing was claimed')
  // Its next try comes in an hour, as long as any.
  await pipeline.sql`update index_jobs set attempts = 12 where review_id = ${first.reviewId}`
  await failReviews(pipeline.sql, { token: TOKEN, projectId: pipeline.projectId }, [first], 'the service was away')
  await pipeline.sql`update index_jobs set faults = 1 where review_id = ${second.reviewId}`
  await failReviews(pipeline.sql, { token: TOKEN, projectId: pipeline.projectId }, [second], 'refused with 400', true)
  assert.is(await rescheduleFutureJobs(pipeline.sql, LEASE), 0)
  const [{ n } = { n: -1 }] = await pipeline.sql<
    { n: number }[]
  >`select count(*)::int as n from index_jobs where run_at <= now()`
  assert.is(n, 0)
})

test('a lease that only the clock made long does not count against its review', async () => {
  await pipeline.push([{ external_id: 'a', text: 'One.' }])
  await claim(1)
  await setBack('1 hour')
  assert.is(await rescheduleFutureJobs(pipeline.sql, LEASE), 1)
  await claim(1)
  const [job] = await pipeline.sql`select faults, abandoned from index_jobs`
  assert.equal(job, { faults: 0, abandoned: 0 })
})

test.run()
