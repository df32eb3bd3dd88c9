/** Servers of other versions say more, or less, of themselves than this one. */
import * as assert from 'uvu/assert'
import { readReadiness } from '../../src/client/readiness.ts'
import { suite } from '../suite.ts'

const test = suite('a server that says how it is')

const THIS_VERSION = {
  ready: true,
  database: { ok: true },
  model: { name: 'built-in', active: true },
  queue: { queued: 0, running: 0, failing: 0, set_aside: 0, oldest_seconds: 0 },
  worker: { status: 'idle', waiting: null, indexed: 0, failed: 0, last_indexed_at: null },
  search_memory: null,
}
const read = (body: unknown) =>
  readReadiness({ fetch: async () => new Response(JSON.stringify(body)), baseUrl: 'http://127.0.0.1:4000' })

test('a later one may know further states of its worker', async () => {
  const readiness = await read({ ...THIS_VERSION, worker: { status: 'defragmenting', since: 3 } })
  assert.is(readiness.worker.status, 'defragmenting')
})

test('an earlier one says less of its queue and its search memory', async () => {
  const { queued, running, failing, oldest_seconds } = THIS_VERSION.queue
  const search_memory = { bytes: 5, budget: 10, loaded: 1, excerpts: 2 }
  const readiness = await read({ ...THIS_VERSION, queue: { queued, running, failing, oldest_seconds }, search_memory })
  assert.is(readiness.queue?.set_aside, 0)
  assert.equal(readiness.search_memory, search_memory)
  const { search_memory: _, ...before } = THIS_VERSION
  assert.is((await read(before)).search_memory, null)
})

test('what is no Pullquote server is called that, by its status where that is an error', async () => {
  const said = (body: string, status: number) =>
    readReadiness({ fetch: async () => new Response(body, { status }), baseUrl: 'http://127.0.0.1:4000' }).then(
      () => undefined,
      (error) => [error.code, error.status, error.message],
    )
  assert.equal(await said('{"status":"ok"}', 200), [
    'unexpected_answer',
    200,
    'the answer to GET /readyz is not what this version expects',
  ])
  assert.equal(await said('', 502), ['unexpected_answer', 502, 'the answer was 502 with no error of Pullquote'])
})

test.run()
