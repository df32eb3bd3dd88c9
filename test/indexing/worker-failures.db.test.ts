import * as assert from 'uvu/assert'
import { EmbeddingRefused, EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { queueCounts } from '../../server/sql/queue/counts.ts'
import { until } from '../waiting.ts'
import { fakeEmbedder, fakeVector } from './fake-embedder.ts'
import { pipelineSuite } from './pipeline.ts'

const { test, pipeline } = pipelineSuite('worker failures')

const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({
    external_id: `r${from + i}`,
    text: `Review number ${from + i} is unlike the others.`,
  }))

async function indexedCount(): Promise<number> {
  const [row] = await pipeline.sql`select count(*)::int as n from reviews where status = 'indexed'`
  return row?.n
}

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
  assert.is(await indexedCount(), 0)
  assert.is((await queueCounts(pipeline.sql)).queued, 40)
  embedder.before = undefined
  await until('every review is indexed', async () => {
    await pipeline.timePasses()
    return (await indexedCount()) === 40
  })
  await until('the worker is idle', () => worker.state().status === 'idle')
  assert.is(new Set(embedder.embedded).size, 40)
  assert.is(embedder.embedded.length, 40)
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
    return (await indexedCount()) === 30
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

test('a text that the provider refuses waits alone, with its reason; the others are saved from the same call', async () => {
  const embedder = fakeEmbedder()
  embedder.before = (texts) => {
    if (!texts.some((text) => text.includes('poison'))) return
    const vectors = texts.map((text) => (text.includes('poison') ? undefined : fakeVector(text)))
    throw new EmbeddingRefused('refused with 400: bad input', vectors)
  }
  await pipeline.push([...many(20), { external_id: 'bad', text: 'This is poison.' }])
  const worker = pipeline.start({ embedder })
  await worker.idle()
  assert.is(await indexedCount(), 20)
  assert.is(embedder.calls, 1)
  assert.is(worker.state().status, 'idle')
  const jobs = await pipeline.sql`select attempts, last_error, lease_token, run_at > now() as later from index_jobs`
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
    return (await indexedCount()) === 20
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
  await until('a fresh push is indexed', async () => (await indexedCount()) === 21)
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
  assert.is(await indexedCount(), 20)
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
  assert.is(await indexedCount(), 0)
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
  await until('the other is indexed', async () => (await indexedCount()) >= 1)
  release()
  await holding
  await worker.idle()
  assert.is(await indexedCount(), 2)
  assert.is(embedder.embedded.length, 2)
})

test.run()
