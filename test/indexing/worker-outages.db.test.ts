import * as assert from 'uvu/assert'
import { EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { queueCounts } from '../../server/sql/queue/counts.ts'
import { fillUp, makeRoom, triggersOf } from '../full-database.ts'
import { until } from '../waiting.ts'
import { fakeEmbedder, fakeVector } from './fake-embedder.ts'
import { many, pipelineSuite } from './pipeline.ts'

const { test, pipeline } = pipelineSuite('worker while the provider or the database is away')
const withTriggers = triggersOf(test)

test('while the provider is away reviews wait, and are indexed when it is back, with no resend', async () => {
  const embedder = fakeEmbedder()
  embedder.before = () => {
    throw new EmbeddingUnavailable('connection refused')
  }
  await pipeline.push(many(40))
  const worker = pipeline.start({ embedder })
  await until('the worker waits', () => worker.state().status === 'waiting')
  assert.is(worker.state().waiting?.reason, 'embedding_unavailable')
  assert.match(worker.state().waiting?.message ?? '', /connection refused/)
  assert.is(await pipeline.indexedCount(), 0)
  assert.is((await queueCounts(pipeline.sql)).queued, 40)
  embedder.before = undefined
  await until('every review is indexed', async () => {
    await pipeline.timePasses()
    return (await pipeline.indexedCount()) === 40
  })
  await until('the worker is idle', () => worker.state().status === 'idle')
  assert.is(new Set(embedder.embedded).size, 40)
  assert.is(embedder.embedded.length, 40)
})

test('what a service embeds before it wants no more requests is saved, and the rest counts as nothing', async () => {
  const embedder = fakeEmbedder()
  embedder.before = (texts) => {
    if (texts.length <= 10) return
    embedder.embedded.push(...texts.slice(0, 10))
    const vectors = texts.map((text, i) => (i < 10 ? fakeVector(text) : undefined))
    throw new EmbeddingUnavailable('answered 429', { status: 429, vectors })
  }
  await pipeline.push(many(40))
  const worker = pipeline.start({ embedder })
  await until('every review is indexed', async () => (await pipeline.indexedCount()) === 40)
  assert.is(worker.state().failed, 0)
  assert.is(embedder.embedded.length, 40)
  await until('the worker is idle', () => worker.state().status === 'idle')
})

test('while the disk is full nothing is claimed, and reviews are indexed once there is room', async () => {
  let free = false
  await pipeline.push(many(3))
  const worker = pipeline.start({ hasFreeSpace: async () => free })
  await until('the worker waits', () => worker.state().status === 'waiting')
  assert.is(worker.state().waiting?.reason, 'disk_full')
  assert.is(worker.embedder.embedded.length, 0)
  assert.is((await queueCounts(pipeline.sql)).queued, 3)
  free = true
  await until('every review is indexed', async () => (await pipeline.indexedCount()) === 3)
  await until('the worker is idle', () => worker.state().status === 'idle')
})

withTriggers('while the disk of the database is full the worker says so, and goes on once there is room', async () => {
  await pipeline.push(many(3))
  await fillUp(pipeline.sql, 'excerpts')
  const worker = pipeline.start({ leaseSeconds: 1 })
  await until('the worker waits', () => worker.state().status === 'waiting')
  const { waiting } = worker.state()
  await makeRoom(pipeline.sql, 'excerpts')
  assert.is(waiting?.reason, 'disk_full')
  await until('every review is indexed', async () => (await pipeline.indexedCount()) === 3)
  await until('the worker is idle', () => worker.state().status === 'idle')
})

test('what could not be given back, because the database was away, is given back later and counts as nothing', async () => {
  let away = true
  let refused = 0
  // `releaseReviews` and nothing else: the connection is lost just then.
  const sql = new Proxy(pipeline.sql, {
    apply(target, self, [strings, ...values]) {
      const text = away && Array.isArray(strings) ? strings.join('') : ''
      if (text.includes('greatest(attempts - 1, 0)')) {
        refused++
        throw Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' })
      }
      return Reflect.apply(target, self, [strings, ...values])
    },
  })
  const embedder = fakeEmbedder()
  embedder.before = () => {
    throw new EmbeddingUnavailable('connection refused')
  }
  // Some texts fill a pack, the rest of the claim is given back when the first packs fail.
  const long = Array.from({ length: 30 }, (_, i) => ({
    external_id: `long${i}`,
    text: Array.from({ length: 60 }, (_, n) => `Sentence ${n} of review ${i} says what the guests of it thought.`).join(
      ' ',
    ),
  }))
  await pipeline.push(long)
  const worker = pipeline.start({ sql, embedder })
  await until('the batch was given up', () => refused > 0)
  const [left] = await pipeline.sql`select count(lease_token)::int as leased from index_jobs`
  assert.ok(left?.leased > 0, 'the claim still holds reviews')
  away = false
  embedder.before = undefined
  await until('every review is indexed', async () => {
    await pipeline.sql`update index_jobs set run_at = now() where lease_token is null`
    worker.nudge()
    const jobs = await pipeline.sql`select abandoned, faults from index_jobs`
    assert.ok(jobs.every(({ abandoned, faults }) => abandoned === 0 && faults === 0))
    return (await pipeline.indexedCount()) === 30
  })
})

test('an outage does not hammer the provider: the pauses grow, and only a few reviews are tried', async () => {
  const embedder = fakeEmbedder()
  embedder.before = () => {
    throw new EmbeddingUnavailable('connection refused')
  }
  await pipeline.push(many(100))
  pipeline.start({ embedder })
  await new Promise((resolve) => setTimeout(resolve, 2500))
  assert.ok(embedder.calls <= 6, `${embedder.calls} calls in 2.5 s`)
  await until('it has tried again', () => embedder.calls >= 2)
})

test('after an outage a slow provider gets several reviews a call again', async () => {
  const embedder = fakeEmbedder()
  let calls = 0
  const sizes: number[] = []
  embedder.before = async (texts) => {
    // Both lanes are at work when it goes away.
    if (calls++ < 2) throw new EmbeddingUnavailable('connection refused')
    sizes.push(texts.length)
    await new Promise((resolve) => setTimeout(resolve, 600))
  }
  await pipeline.push(many(100))
  await pipeline.push(many(100, 100))
  pipeline.start({ embedder })
  await until('it has gone on', () => sizes.length >= 4)
  assert.is(sizes[0], 1, 'a probe')
  assert.ok(Math.max(...sizes) >= 8, `calls of ${sizes}`)
})

test('waits as long as the provider asks', async () => {
  const embedder = fakeEmbedder()
  embedder.before = () => {
    throw new EmbeddingUnavailable('too many requests', { retryAfterSeconds: 90 })
  }
  await pipeline.push(many(3))
  const worker = pipeline.start({ embedder })
  await until('the worker waits', () => worker.state().status === 'waiting')
  const seconds = ((worker.state().waiting?.until.getTime() ?? 0) - Date.now()) / 1000
  assert.ok(seconds > 80 && seconds <= 90)
  worker.nudge()
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.is(embedder.calls, 1)
})

test.run()
