import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { accept } from '../../server/ingest/accept.ts'
import { makeProject, review } from '../sql/fixtures.ts'
import { passesOnSomeTry, until } from '../waiting.ts'
import { fakeEmbedder } from './fake-embedder.ts'
import { many, pipelineSuite } from './pipeline.ts'

const { test, pipeline } = pipelineSuite('the leases of a worker')

test('does not keep a push waiting behind a long queue', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => ({
    external_id: `r${i}`,
    text: `Review number ${i} is long due.`,
  }))
  for (let i = 0; i < rows.length; i += 100) await pipeline.push(rows.slice(i, i + 100))
  await pipeline.sql`update index_jobs set run_at = now() - interval '1 minute'`
  const embedder = fakeEmbedder()
  let pushing: Promise<unknown> | undefined
  // Another batch waits for the push as well: a push that took long was behind what that had done meanwhile.
  embedder.before = async () => {
    pushing ??= pipeline.push([{ external_id: 'new', text: 'The latest of all.' }])
    await pushing
  }
  await pipeline.start({ embedder }).idle()
  const place = embedder.embedded.indexOf('The latest of all.')
  assert.ok(place >= 0 && place < 600, `it was the ${place}th of 1001`)
})

test('a project with one review does not wait behind the backlogs before and after it of another', async () => {
  const rows = (from: string) =>
    Array.from({ length: 800 }, (_, i) => ({ external_id: `${from}${i}`, text: `Review number ${i} ${from} it.` }))
  const small = await makeProject(pipeline.sql)
  for (let i = 0; i < 800; i += 100) await pipeline.push(rows('before').slice(i, i + 100))
  await accept(pipeline.sql, small, 'live', [review('lone', { text: 'The only one.' })], {})
  for (let i = 0; i < 800; i += 100) await pipeline.push(rows('after').slice(i, i + 100))
  const embedder = fakeEmbedder()
  await pipeline.start({ embedder }).idle()
  const place = embedder.embedded.indexOf('The only one.')
  assert.ok(place >= 0 && place < 400, `it was the ${place}th of 1601`)
  assert.is(embedder.embedded.length, 1601)
})

test('whoever waits for the end of the queue hears of it at once, and the worker does not look again and again meanwhile', async () => {
  let looks = 0
  const sql = new Proxy(pipeline.sql, {
    apply(target, self, [strings, ...values]) {
      if (Array.isArray(strings) && strings.join('').includes('from index_jobs')) looks++
      return Reflect.apply(target, self, [strings, ...values])
    },
  })
  const embedder = fakeEmbedder()
  // The second batch, which is not full, is embedded long after the first.
  embedder.before = (texts) => pause(texts.length === 32 ? 50 : 1_000)
  await pipeline.push(many(40))
  const began = performance.now()
  await pipeline.start({ sql, embedder, pollMilliseconds: 60_000 }).idle()
  assert.ok(performance.now() - began < 40_000, 'not at the next poll')
  assert.is(await pipeline.indexedCount(), 40)
  assert.ok(looks < 15, `${looks} looks`)
})

test('a stop finishes the claimed work', async () => {
  const embedder = fakeEmbedder()
  let begun = () => {}
  const beginning = new Promise<void>((resolve) => {
    begun = resolve
  })
  embedder.before = async () => {
    begun()
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  await pipeline.push([{ external_id: 'a' }])
  const worker = pipeline.start({ embedder })
  await beginning
  await worker.stop()
  assert.equal(await pipeline.status(), { a: 'indexed' })
  assert.is(worker.state().status, 'stopped')
})

test('a stop gives back what a hanging provider keeps', async () => {
  const embedder = fakeEmbedder()
  embedder.before = (_texts, signal) =>
    new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  await pipeline.push([{ external_id: 'a' }])
  const worker = pipeline.start({ embedder })
  await until('the embedder hangs', () => embedder.calls > 0)
  await worker.stop(0.05)
  const [job] = await pipeline.sql`select lease_token, attempts, run_at <= now() as due, last_error from index_jobs`
  assert.equal(job, { lease_token: null, attempts: 0, due: true, last_error: null })
})

test('takes up expired leases of a process that died', async () => {
  await pipeline.push([{ external_id: 'a' }])
  await pipeline.sql`
    update index_jobs set lease_token = ${randomUUID()}, attempts = 1,
      leased_until = now() + interval '20 seconds', run_at = now() + interval '20 seconds'`
  const worker = pipeline.start()
  await worker.idle()
  assert.equal(await pipeline.status(), { a: 'indexing' })
  await pipeline.leasesEnd()
  await worker.idle()
  assert.equal(await pipeline.status(), { a: 'indexed' })
})

test('frees the leases of the last run at once on a database of its own', async () => {
  await pipeline.push([{ external_id: 'a' }])
  await pipeline.sql`
    update index_jobs set lease_token = ${randomUUID()}, attempts = 1,
      leased_until = now() + interval '20 seconds', run_at = now() + interval '20 seconds'`
  await pipeline.start({ exclusive: true }).idle()
  assert.equal(await pipeline.status(), { a: 'indexed' })
})

test('keeps a lease alive while the provider is slow', async () => {
  // A process that stands still for longer than its lease has lost it.
  await passesOnSomeTry(async () => {
    await pipeline.reset()
    const embedder = fakeEmbedder()
    embedder.before = () => new Promise((resolve) => setTimeout(resolve, 4000))
    await pipeline.push([{ external_id: 'a' }])
    const slow = pipeline.start({ embedder, leaseSeconds: 1.5 })
    await until('it is claimed', () => embedder.calls > 0)
    const other = pipeline.start({ leaseSeconds: 1.5 })
    await slow.idle()
    assert.equal(await pipeline.status(), { a: 'indexed' })
    const { calls } = other.embedder
    await pipeline.stopAll()
    return calls === 0 ? undefined : 'the other one embedded it too'
  })
})

test.run()
