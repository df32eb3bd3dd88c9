import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { EmbeddingRefused, EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { accept } from '../../server/ingest/accept.ts'
import { backlogOfOthers, type IndexingAllowance, isDeferred } from '../../server/sql/queue/deferral.ts'
import { dayUsage, refundTexts, reserveTexts } from '../../server/sql/usage/embedding-usage.ts'
import { makeProject, review } from '../sql/fixtures.ts'
import { until } from '../waiting.ts'
import { fakeEmbedder, fakeVector } from './fake-embedder.ts'
import { many, pipelineSuite } from './pipeline.ts'

const { test, pipeline } = pipelineSuite('embedding allowance')

const usedToday = async () => (await dayUsage(pipeline.sql)).texts
const midnight = () => pipeline.sql`update embedding_usage set day = day - 1`

test('grants what is left of the day, and never more in sum', async () => {
  assert.is((await reserveTexts(pipeline.sql, 6, 10)).texts, 6)
  assert.is((await reserveTexts(pipeline.sql, 6, 10)).texts, 4)
  assert.is((await reserveTexts(pipeline.sql, 6, 10)).texts, 0)
  assert.is(await usedToday(), 10)
  await midnight()
  assert.is(await usedToday(), 0)
  assert.is((await reserveTexts(pipeline.sql, 6, 10)).texts, 6)
})

test('grants the same text to one of many who ask at once', async () => {
  const granted = await Promise.all(Array.from({ length: 20 }, () => reserveTexts(pipeline.sql, 3, 25)))
  assert.is(
    granted.reduce((sum, { texts }) => sum + texts, 0),
    25,
  )
  assert.is(await usedToday(), 25)
})

test('takes back to the day it was taken from', async () => {
  const reservation = await reserveTexts(pipeline.sql, 6, 10)
  await refundTexts(pipeline.sql, { ...reservation, texts: 4 })
  assert.is(await usedToday(), 2)
  const [row] = await pipeline.sql`select (now() at time zone 'utc')::date::text as day`
  assert.is(reservation.day, row?.day)
  await refundTexts(pipeline.sql, { day: '2020-01-01', texts: 2 })
  assert.is(await usedToday(), 2)
})

test('counts without a limit too, so that a limit that is set at noon knows the morning', async () => {
  await pipeline.push(many(3))
  await pipeline.start().idle()
  assert.is(await usedToday(), 3)
})

test('says how long the day lasts', async () => {
  const { secondsToRenewal } = await dayUsage(pipeline.sql)
  const now = new Date()
  const expected = (Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()) / 1000
  assert.ok(Math.abs(secondsToRenewal - expected) < 5)
})

test('indexes as much as a day allows, waits, and goes on the next day with no resend', async () => {
  await pipeline.push(many(10))
  const worker = pipeline.start({ dailyAllowance: 4 })
  await worker.idle()
  assert.is(await pipeline.indexedCount(), 4)
  assert.is(worker.embedder.embedded.length, 4)
  assert.is(worker.state().waiting?.reason, 'daily_allowance')
  const [job] =
    await pipeline.sql`select count(*)::int as n from index_jobs where attempts = 0 and lease_token is null and run_at <= now()`
  assert.is(job?.n, 6, 'the rest waits untouched')
  for (const expected of [8, 10]) {
    await midnight()
    await pipeline.stopAll()
    await pipeline.start({ dailyAllowance: 4 }).idle()
    assert.is(await pipeline.indexedCount(), expected)
  }
})

test('spends nothing on reviews while the allowance is zero', async () => {
  await pipeline.push(many(1))
  const worker = pipeline.start({ dailyAllowance: 0 })
  await worker.idle()
  assert.is(worker.embedder.calls, 0)
  assert.is(worker.state().waiting?.reason, 'daily_allowance')
})

test('two servers share one allowance', async () => {
  await pipeline.push(many(30))
  const workers = [pipeline.start({ dailyAllowance: 12 }), pipeline.start({ dailyAllowance: 12 })]
  await Promise.all(workers.map((worker) => worker.idle()))
  await until('both wait or are done', async () => (await pipeline.indexedCount()) === 12)
  assert.is(
    workers.reduce((sum, { embedder }) => sum + embedder.embedded.length, 0),
    12,
  )
})

/** A review of many texts: its excerpts and their sentences. */
function longText(sentences: number): string {
  const sentence = (i: number) =>
    `On day ${i} of our stay the breakfast was served on the terrace with a view of the lake, and it was lovely.`
  return Array.from({ length: sentences }, (_, i) => sentence(i)).join(' ')
}

test('a review larger than a whole day gets a day of its own', async () => {
  await pipeline.push([{ external_id: 'long', text: longText(20) }])
  const worker = pipeline.start({ dailyAllowance: 5 })
  await worker.idle()
  assert.equal(await pipeline.status(), { long: 'indexed' })
  assert.ok((await usedToday()) > 5)
  await pipeline.push([{ external_id: 'short' }])
  await worker.idle()
  assert.equal(await pipeline.status(), { long: 'indexed', short: 'indexing' })
})

test('on a day of which something is used, it waits for the next', async () => {
  await reserveTexts(pipeline.sql, 1, 5)
  await pipeline.push([{ external_id: 'long', text: longText(20) }])
  await pipeline.start({ dailyAllowance: 5 }).idle()
  assert.equal(await pipeline.status(), { long: 'indexing' })
  assert.is(await usedToday(), 1)
})

test('gives back what is too little for another review', async () => {
  const text = longText(3)
  await pipeline.push([{ external_id: 'a', text }])
  await pipeline.start().idle()
  await pipeline.stopAll()
  const each = await usedToday()
  assert.ok(each > 1)
  await pipeline.push(['b', 'c'].map((external_id) => ({ external_id, text: `${text} ${external_id}` })))
  await pipeline.start({ dailyAllowance: 3 * each - 1 }).idle()
  assert.is(await pipeline.indexedCount(), 2)
  assert.is(await usedToday(), 2 * each)
})

test('goes on at once while something is left of the day', async () => {
  const worker = pipeline.start({ dailyAllowance: 6 })
  for (const from of [0, 3]) {
    await pipeline.push(many(3, from))
    await worker.idle()
    assert.is(await pipeline.indexedCount(), from + 3)
    assert.is(worker.state().waiting, undefined)
  }
})

test('gives back what a failing or refusing provider did not embed', async () => {
  const embedder = fakeEmbedder()
  embedder.before = () => {
    throw new EmbeddingUnavailable('away')
  }
  await pipeline.push(many(5))
  const worker = pipeline.start({ embedder, dailyAllowance: 100 })
  await until('the worker waits', () => worker.state().status === 'waiting')
  assert.is(await usedToday(), 0)
  await pipeline.stopAll()
  embedder.before = (texts) => {
    throw new EmbeddingRefused(
      'refused',
      texts.map((text) => (text.includes('number 3') ? undefined : fakeVector(text))),
    )
  }
  await pipeline.timePasses()
  await pipeline.start({ embedder, dailyAllowance: 100 }).idle()
  assert.is(await pipeline.indexedCount(), 4)
  assert.is(await usedToday(), 4)
})

test('a review that fails holds up nobody on a day whose allowance does not reach to all', async () => {
  const embedder = fakeEmbedder()
  // A claim's rows come in no order, and the first of them have the allowance.
  let bad: string | undefined
  embedder.before = (texts) => {
    bad ??= texts[0]
    if (texts.some((text) => text === bad)) throw new Error('a fault')
  }
  await pipeline.push(many(10))
  const worker = pipeline.start({ embedder, dailyAllowance: 4 })
  await worker.idle()
  assert.is(worker.state().failed, 1)
  await until('the others have the allowance', async () => (await pipeline.indexedCount()) === 4)
  assert.is(await usedToday(), 4)
})

test('counts what a provider embedded before it wanted no more', async () => {
  const embedder = fakeEmbedder()
  embedder.before = (texts) => {
    const vectors = texts.map((text, i) => (i < 2 ? fakeVector(text) : undefined))
    throw new EmbeddingUnavailable('answered 429', { status: 429, retryAfterSeconds: 60, vectors })
  }
  await pipeline.push(many(5))
  const worker = pipeline.start({ embedder, dailyAllowance: 100 })
  await until('the worker waits', () => worker.state().status === 'waiting')
  assert.equal([await pipeline.indexedCount(), await usedToday()], [2, 2])
})

/** Whether reviews of the project, which are queued already, are deferred. */
async function deferredNow(allowance: IndexingAllowance): Promise<boolean> {
  const { sql, projectId } = pipeline
  return isDeferred(sql, projectId, allowance, await backlogOfOthers(sql, projectId, allowance))
}

test('a push is deferred when the queue is deeper than its limit with it', async () => {
  const queueDepth = 3
  await pipeline.push(many(3))
  assert.is(await deferredNow({ queueDepth }), false)
  await pipeline.push([{ external_id: 'one more' }])
  assert.is(await deferredNow({ queueDepth }), true)
  assert.is(await deferredNow({}), false)
  await pipeline.sql`
    update index_jobs set set_aside_at = now() where review_id in (select review_id from index_jobs limit 1)`
  assert.is(await deferredNow({ queueDepth }), false, 'what is set aside stands before nobody')
})

test('what waits of other projects stands before a push, too', async () => {
  const other = await makeProject(pipeline.sql)
  const pushed = await accept(
    pipeline.sql,
    other,
    'live',
    ['a', 'b', 'c'].map((id) => review(id)),
    {},
  )
  assert.ok('deferred' in pushed)
  await pipeline.push(many(1))
  assert.is(await deferredNow({ queueDepth: 4 }), false)
  assert.is(await deferredNow({ queueDepth: 3 }), true)
  assert.is(await deferredNow({ dailyEmbeddings: 4 }), false)
  assert.is(await deferredNow({ dailyEmbeddings: 3 }), true)
})

test('a push is deferred when the texts of today do not reach to it', async () => {
  const dailyEmbeddings = 10
  await reserveTexts(pipeline.sql, 7, dailyEmbeddings)
  await pipeline.push(many(3))
  assert.is(await deferredNow({ dailyEmbeddings }), false)
  await pipeline.push([{ external_id: 'one more' }])
  assert.is(await deferredNow({ dailyEmbeddings }), true)
  await pipeline.sql`update index_jobs set lease_token = ${randomUUID()}, leased_until = now() + interval '1 minute'`
  assert.is(await deferredNow({ dailyEmbeddings }), false, 'claimed reviews have taken their texts already')
  await pipeline.sql`update index_jobs set leased_until = now() - interval '1 second'`
  assert.is(await deferredNow({ dailyEmbeddings }), true)
  await midnight()
  assert.is(await deferredNow({ dailyEmbeddings }), false)
})

test('the door in says deferred, stores all the same, and indexes when there is room', async () => {
  const push = (id: string, dailyEmbeddings: number) =>
    accept(pipeline.sql, { id: pipeline.projectId }, 'live', [review(id)], { dailyEmbeddings })
  const deferred = async (id: string, dailyEmbeddings: number) => {
    const accepted = await push(id, dailyEmbeddings)
    return 'deferred' in accepted && accepted.deferred
  }
  assert.is(await deferred('a', 1), false)
  assert.is(await deferred('b', 1), true)
  await pipeline.start({ dailyAllowance: 1 }).idle()
  assert.is(await pipeline.indexedCount(), 1)
  await midnight()
  await pipeline.stopAll()
  await pipeline.start({ dailyAllowance: 1 }).idle()
  assert.is(await pipeline.indexedCount(), 2)
})

test.run()
