import * as assert from 'uvu/assert'
import { EmbeddingRefused, EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { queueCounts } from '../../server/sql/queue/counts.ts'
import { until } from '../waiting.ts'
import { fakeEmbedder, fakeVector } from './fake-embedder.ts'
import { many, pipelineSuite } from './pipeline.ts'

const { test, pipeline } = pipelineSuite('worker failures')

test('a text that the provider refuses waits alone, with its reason; the others are saved from the same call', async () => {
  const embedder = fakeEmbedder()
  embedder.before = (texts) => {
    if (!texts.some((text) => text.includes('poison'))) return
    const vectors = texts.map((text) => (text.includes('poison') ? undefined : fakeVector(text)))
    throw new EmbeddingRefused('refused with 400: bad input', vectors)
  }
  await pipeline.push([...many(20), { external_id: 'bad', text: 'This is poison.' }])
  const [clock] = await pipeline.sql`select now() as started`
  const worker = pipeline.start({ embedder })
  await worker.idle()
  assert.is(await pipeline.indexedCount(), 20)
  assert.is(embedder.calls, 1)
  assert.is(worker.state().status, 'idle')
  // Since the start, not from now: on a busy machine the pause may be over.
  const jobs = await pipeline.sql`
    select attempts, last_error, lease_token, run_at >= ${clock?.started} + interval '1.5 seconds' as later
    from index_jobs`
  assert.equal([...jobs], [{ attempts: 1, last_error: 'refused with 400: bad input', lease_token: null, later: true }])
})

test('a review that breaks every call holds up no other and is tried again later and later', async () => {
  const embedder = fakeEmbedder()
  embedder.before = (texts) => {
    if (texts.some((text) => text.includes('poison'))) throw new EmbeddingUnavailable('answered 500')
  }
  await pipeline.push([...many(20), { external_id: 'bad', text: 'This is poison.' }])
  const worker = pipeline.start({ embedder })
  await until('all others are indexed', async () => {
    await pipeline.timePasses()
    worker.nudge()
    return (await pipeline.indexedCount()) === 20
  })
  await pipeline.stopAll()
  await pipeline.sql`update index_jobs set attempts = 6, run_at = now()`
  pipeline.start({ embedder })
  await until('it failed again', async () => (await queueCounts(pipeline.sql)).running === 0 && embedder.calls > 0)
  await until('its next try is set', async () => {
    const [job] =
      await pipeline.sql`select attempts, extract(epoch from run_at - now())::int as seconds from index_jobs`
    return job?.attempts === 7 && job.seconds >= 90 && job.seconds <= 162
  })
  await pipeline.push([{ external_id: 'fresh' }])
  await until('a fresh push is indexed', async () => (await pipeline.indexedCount()) === 21)
})

test("the pause between tries never grows past an hour's range", async () => {
  const embedder = fakeEmbedder()
  embedder.before = () => {
    throw new EmbeddingUnavailable('answered 500')
  }
  await pipeline.push(many(1))
  await pipeline.sql`update index_jobs set attempts = 1000000`
  pipeline.start({ embedder })
  await until('it failed', async () => (await queueCounts(pipeline.sql)).failing === 1)
  const [job] = await pipeline.sql`select extract(epoch from run_at - now())::int as seconds from index_jobs`
  assert.ok(job?.seconds >= 2690 && job?.seconds <= 4500, `${job?.seconds} s`)
})

test('an unexpected error of the provider is pinned on the review that brings it about', async () => {
  const embedder = fakeEmbedder()
  embedder.before = (texts) => {
    if (texts.some((text) => text.includes('poison'))) throw new TypeError('cannot read properties of undefined')
  }
  await pipeline.push([...many(20), { external_id: 'bad', text: 'This is poison.' }])
  const worker = pipeline.start({ embedder })
  await worker.idle()
  assert.is(await pipeline.indexedCount(), 20)
  assert.is(worker.state().failed, 1)
  const jobs = await pipeline.sql`select last_error from index_jobs`
  assert.equal([...jobs], [{ last_error: 'cannot read properties of undefined' }])
})

test('a text that cannot be classified fails alone', async () => {
  await pipeline.push([{ external_id: 'bad', rating: null, text: 'poison' }, ...many(3)])
  const worker = pipeline.start({
    classify: (text) => {
      if (text === 'poison') throw new Error('no verdict')
      return 'neutral'
    },
  })
  await worker.idle()
  assert.equal(await pipeline.status(), { bad: 'indexing', r0: 'indexed', r1: 'indexed', r2: 'indexed' })
})

test('vectors that the database refuses fail with their review only', async () => {
  const embedder = fakeEmbedder()
  const embed = embedder.embed
  embedder.embed = async (texts, kind, signal) => {
    const vectors = await embed.call(embedder, texts, kind, signal)
    return vectors.map((vector, i) => (texts[i]?.includes('poison') ? vector.fill(Number.NaN) : vector))
  }
  await pipeline.push([{ external_id: 'bad', text: 'poison' }, ...many(3)])
  await pipeline.start({ embedder }).idle()
  assert.equal(await pipeline.status(), { bad: 'indexing', r0: 'indexed', r1: 'indexed', r2: 'indexed' })
})

test('a provider that answers too few or wrong vectors is not believed', async () => {
  const embedder = fakeEmbedder()
  embedder.embed = async () => [new Float32Array(99)]
  await pipeline.push(many(1))
  const worker = pipeline.start({ embedder })
  await until('the worker waits', () => worker.state().status === 'waiting')
  assert.is(await pipeline.indexedCount(), 0)
})

test('waits for a review that another transaction has locked, without a deadlock', async () => {
  await pipeline.push(many(2))
  const embedder = fakeEmbedder()
  let release = () => {}
  let holding: Promise<unknown> = Promise.resolve()
  // One connection on the embedded database: nobody else can hold a lock there.
  if (pipeline.sql.options.max > 1) {
    embedder.before = async () => {
      embedder.before = undefined
      await new Promise<void>((locked) => {
        holding = pipeline.sql.begin(async (tx) => {
          await tx`select 1 from reviews
            where project_id = ${pipeline.projectId} and external_id = 'r0' for no key update`
          const free = new Promise<void>((resolve) => {
            release = resolve
          })
          locked()
          await free
        })
      })
    }
  }
  const worker = pipeline.start({ embedder })
  await until('the other is indexed', async () => (await pipeline.indexedCount()) >= 1)
  release()
  await holding
  await worker.idle()
  assert.is(await pipeline.indexedCount(), 2)
  assert.is(embedder.embedded.length, 2)
})

test.run()
