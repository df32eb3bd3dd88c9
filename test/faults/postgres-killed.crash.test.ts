import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { call, createProjectWithKey, killServers, madeUpReviews, query, startServerProcess } from './server-process.ts'

const control = process.env.TEST_POSTGRES_CONTROL ?? ''
const postgres = (what: 'kill' | 'restart') => execFileSync(control, [what], { stdio: ['ignore', 'ignore', 'inherit'] })

function isRestarted(): boolean {
  try {
    postgres('restart')
    return true
  } catch {
    return false
  }
}

const test = suite('PostgreSQL killed under a running server')
test.after(killServers)

test('answers 503 while it is gone, comes back by itself, and keeps every review that was acknowledged', async () => {
  const database = await createPostgresDatabase({ migrated: false })
  const server = await startServerProcess({ DATABASE_URL: database.url })
  const key = await createProjectWithKey(server.url, 'paid')
  const acknowledged: string[] = []
  const push = async (from: number) => {
    const response = await call(server.url, key, '/v1/reviews', madeUpReviews(100, from))
    if (response.status === 200) acknowledged.push(...madeUpReviews(100, from).map((review) => review.external_id))
    await response.arrayBuffer()
    return response
  }
  for (let from = 0; from < 600; from += 100) assert.is((await push(from)).status, 200)

  postgres('kill')
  try {
    for (const [path, body] of [
      ['/v1/reviews', madeUpReviews(1)],
      ['/v1/query', { q: 'breakfast' }],
      ['/v1/reviews', undefined],
    ] as const) {
      const response = await call(server.url, key, path, body)
      assert.is(response.status, 503, `${path}: ${await response.clone().text()}`)
      assert.is(response.headers.get('retry-after'), '1')
      assert.is(response.headers.get('ratelimit-limit'), null, 'the key was never looked up')
      assert.match(await response.text(), '"code":"service_unavailable"')
    }
    assert.is((await fetch(`${server.url}/healthz`)).status, 200)
    assert.is((await fetch(`${server.url}/readyz`)).status, 503)
  } finally {
    // Where nobody reaps the killed process at once, its successor believes that it still runs, and gives up.
    await pause(5_000)
    await until('PostgreSQL runs again', () => isRestarted(), 1_000)
  }

  await until('the server finds its database again', async () => (await push(600)).status === 200)
  await until('indexing goes on', async () => (await fetch(`${server.url}/readyz`)).status === 200)
  await until('all is indexed', async () => {
    const response = await call(server.url, key, '/v1/reviews?indexed=false&limit=1')
    return response.ok && (await response.text()).includes('"reviews":[]')
  })
  const stored = new Set<string>()
  let cursor: string | null = null
  do {
    const response: Response = await call(server.url, key, `/v1/reviews?limit=100${cursor ? `&cursor=${cursor}` : ''}`)
    const page = (await response.json()) as { reviews: { external_id: string }[]; next_cursor: string | null }
    for (const review of page.reviews) stored.add(review.external_id)
    cursor = page.next_cursor
  } while (cursor)
  assert.equal(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  )
  assert.is((await query(server.url, key, { q: 'generous breakfast' })).match, 'query')
  assert.is(await server.stop(), 0)
  await database.drop()
})

test.run()
