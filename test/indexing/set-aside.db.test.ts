import * as assert from 'uvu/assert'
import { EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { queueCounts } from '../../server/sql/queue/counts.ts'
import { endLeases } from '../../server/sql/queue/lease.ts'
import { listSetAside } from '../../server/sql/queue/set-aside.ts'
import { until } from '../waiting.ts'
import { fakeEmbedder } from './fake-embedder.ts'
import { many, pipelineSuite } from './pipeline.ts'
import { isPoison, POISON, refusing, token } from './poisoned.ts'
import { queueOf } from './queue-of.ts'

const { test, pipeline } = pipelineSuite('reviews that are set aside')

const { claim, counts, untilNothingIsQueued } = queueOf(pipeline)

test('a server that dies at a review takes others with it once, then dies at it alone twice; nobody claims it again', async () => {
  await pipeline.push([...many(5), POISON])
  assert.is((await claim(token(1))).reviews.length, 6)
  const indexed: string[] = []
  let deaths = 1
  for (let n = 2; n < 20; n++) {
    await pipeline.leasesEnd()
    const { reviews, setAside } = await claim(token(n))
    if (reviews.length === 0 && setAside.length === 0) break
    assert.ok(reviews.length <= 1, 'what was left behind is claimed alone')
    const [review] = reviews
    if (!review) continue
    if (isPoison(review.text)) {
      deaths++
      // Its turn comes again after the others.
      continue
    }
    indexed.push(review.reviewId)
    await pipeline.sql`delete from index_jobs where review_id = ${review.reviewId}`
  }
  assert.is(indexed.length, 5)
  assert.is(deaths, 3)
  assert.equal(await counts(), { queued: 0, setAside: 1 })
  const { total, reviews } = await listSetAside(pipeline.sql, { limit: 10 })
  assert.is(total, 1)
  assert.match(reviews[0]?.reason ?? '', /the server stopped or was blocked each time it indexed this review alone/)
  assert.is(reviews[0]?.external_id, 'bad')
})

test('on the embedded database a restart counts what the last run left behind', async () => {
  await pipeline.push([POISON])
  for (let n = 1; n <= 2; n++) {
    assert.is((await claim(token(n))).reviews.length, 1)
    await endLeases(pipeline.sql)
  }
  assert.is((await claim(token(3))).setAside.length, 1)
  assert.equal(await counts(), { queued: 0, setAside: 1 })
})

test('claims that end in order count nothing', async () => {
  await pipeline.push([POISON])
  const slow = fakeEmbedder()
  slow.before = async (_texts, signal) => {
    await until('the worker ends', () => signal?.aborted === true)
    throw new Error('aborted')
  }
  for (let i = 0; i < 4; i++) {
    const worker = pipeline.start({ embedder: slow })
    await until('it is claimed', async () => (await queueCounts(pipeline.sql)).running === 1)
    await worker.stop(0)
  }
  const [job] = await pipeline.sql`select faults, abandoned, set_aside_at from index_jobs`
  assert.equal(job, { faults: 0, abandoned: 0, set_aside_at: null })
})

test('a text that is refused twice is set aside with the reason; the healthy ones beside it are indexed', async () => {
  const embedder = refusing()
  await pipeline.push([...many(20), POISON])
  const worker = pipeline.start({ embedder })
  await untilNothingIsQueued(worker)
  const status = await pipeline.status()
  assert.is(Object.values(status).filter((one) => one === 'indexed').length, 20)
  assert.is(status.bad, 'indexing')
  assert.equal(await counts(), { queued: 0, setAside: 1 })
  assert.is((await listSetAside(pipeline.sql, { limit: 10 })).reviews[0]?.reason, 'refused with 400')
  const calls = embedder.calls
  await pipeline.push([{ external_id: 'later', text: 'Another one.' }])
  await until('a later push is indexed', async () => (await pipeline.status()).later === 'indexed')
  assert.is(embedder.calls, calls + 1)
})

test('what the service answers 500 for, each time and alone, is set aside while the service embeds others', async () => {
  const embedder = fakeEmbedder()
  embedder.before = (texts) => {
    if (texts.some(isPoison)) throw new EmbeddingUnavailable('answered 500', { status: 500 })
  }
  await pipeline.push([...many(3), POISON])
  const worker = pipeline.start({ embedder })
  await until('the others are indexed and it is set aside', async () => {
    await pipeline.timePasses()
    await pipeline.sql`update index_jobs set run_at = 'infinity' where set_aside_at is not null`
    worker.nudge()
    const { queued, setAside } = await counts()
    return queued === 0 && setAside === 1
  })
})

for (const [name, error] of [
  ['answers 503', () => new EmbeddingUnavailable('answered 503', { status: 503 })],
  ['answers 500 to everything', () => new EmbeddingUnavailable('answered 500', { status: 500 })],
  ['cannot be reached', () => new EmbeddingUnavailable('connection refused')],
  ['fails in a way that nobody foresaw', () => new TypeError('cannot read properties of undefined')],
] as const) {
  test(`a service that ${name} sets nothing aside, however often it is tried`, async () => {
    const embedder = fakeEmbedder()
    embedder.before = () => {
      throw error()
    }
    await pipeline.push(many(2))
    for (let i = 0; i < 4; i++) {
      await pipeline.timePasses()
      const worker = pipeline.start({ embedder })
      await until('it has failed', () => worker.state().failed > 0)
      await pipeline.stopAll()
    }
    assert.equal(await counts(), { queued: 2, setAside: 0 })
    const jobs = await pipeline.sql`select faults from index_jobs`
    assert.equal(
      jobs.map((job) => job.faults),
      [0, 0],
    )
    pipeline.start()
    await until('all are indexed when it is well', async () => {
      await pipeline.timePasses()
      return (await counts()).queued === 0
    })
  })
}

test.run()
