import * as assert from 'uvu/assert'
import { createMetrics } from '../../server/metrics.ts'
import { suite } from '../suite.ts'
import { OPERATOR_TOKEN, openService, type TestService } from './service.ts'
import { openTransport, type Transport } from './transport.ts'

const test = suite('metrics')
let service: TestService
let transport: Transport

test.before(async () => {
  service = await openService()
  const { sql, worker } = service.deps
  const metrics = createMetrics({ sql, worker })
  transport = await openTransport('app.fetch', { ...service.deps, metrics })
})
test.after(async () => {
  await transport.close()
  await service.close()
})

async function page(): Promise<string> {
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const response = await transport.send({ path: '/metrics', headers })
  assert.is(response.status, 200)
  return response.text()
}

test('requests are counted by route, method and status, and the path is never a label', async () => {
  const path = '/v1/reviews/5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10'
  await transport.send({ path })
  await transport.send({ path: '/secret-of-a-visitor' })
  const text = await page()
  assert.match(text, /duration_seconds_count\{route="\/v1\/reviews\/:id",method="GET",status="401"\} 1/)
  assert.match(text, /duration_seconds_count\{route="none",method="GET",status="404"\} 1/)
  assert.not.match(text, /5f0c1f2e|secret-of-a-visitor/)
})

test('what the cache did with a query is counted', async () => {
  await transport.send({ path: '/v1/query', headers: { authorization: `Bearer ${service.keys.secret}` } })
  assert.match(await page(), /pullquote_query_cache_total\{outcome="miss"\} 1/)
})

test('queue, reviews and quota come from the database', async () => {
  const { id } = service.project
  const { sql } = service.database
  await sql`update environments set review_count = 7 where project_id = ${id} and env = 'live'`
  await sql`insert into query_usage (project_id, month, uncached)
    values (${id}, date_trunc('month', now() at time zone 'UTC')::date, 12)`
  const text = await page()
  assert.match(text, /pullquote_reviews\{project="hotel",env="live"\} 7/)
  assert.match(text, /pullquote_uncached_queries_month\{project="hotel"\} 12/)
  assert.match(text, /pullquote_queue_reviews\{state="queued"\} 0/)
  assert.match(text, /pullquote_database_up 1/)
})

test('without the operator token it is refused, on the machine itself too, and no API key opens it', async () => {
  const { sql, worker } = service.deps
  const local = await openTransport('socket', { ...service.deps, metrics: createMetrics({ sql, worker }) })
  for (const from of [transport, local]) {
    assert.is((await from.send({ path: '/metrics' })).status, 401)
    const headers = { authorization: `Bearer ${service.keys.secret}` }
    assert.is((await from.send({ path: '/metrics', headers })).status, 401)
  }
  await local.close()
})

test('the page comes although the database is gone, and says so', async () => {
  const { worker } = service.deps
  const gone = new Proxy(service.database.sql, {
    apply() {
      throw new Error('gone')
    },
  })
  assert.match(await createMetrics({ sql: gone, worker }).page(), /pullquote_database_up 0/)
})

test.run()
