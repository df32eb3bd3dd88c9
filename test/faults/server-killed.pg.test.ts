import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { connect } from '../../server/db/connect.ts'
import { createPostgresDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { passesOnSomeTry, until } from '../waiting.ts'
import { call, createProjectWithKey, killServers, madeUpReviews, query, startServerProcess } from './server-process.ts'

const test = suite('servers that share a database')
test.after(killServers)

const REVIEWS = 1_500

test('a server killed in mid-indexing loses nothing, and another indexes every review exactly once', async () => {
  const database = await createPostgresDatabase({ migrated: false })
  const sql = connect({ url: database.url, max: 1 })
  const first = await startServerProcess({ DATABASE_URL: database.url })
  const key = await createProjectWithKey(first.url, 'paid')
  for (let from = 0; from < REVIEWS; from += 100) {
    const response = await call(first.url, key, '/v1/reviews', madeUpReviews(100, from))
    assert.is(response.status, 200)
  }
  const indexed = async () => Number((await sql`select count(*) from reviews where status = 'indexed'`)[0]?.count)
  const before = await indexed()
  await first.kill()
  assert.ok(before < REVIEWS, 'the server was killed too late for this test to mean anything')

  // The leases of the dead server run out by themselves; moving them back stands for waiting that long.
  await sql`update index_jobs set leased_until = now() where leased_until is not null`
  const second = await startServerProcess({ DATABASE_URL: database.url })
  await until('everything is indexed', async () => (await indexed()) === REVIEWS)

  const [count] = await sql`select count(*) as reviews from reviews`
  assert.is(Number(count?.reviews), REVIEWS)
  assert.is(Number((await sql`select count(*) from index_jobs`)[0]?.count), 0)
  const [bare] = await sql`select count(*) from reviews r where not exists (
    select from excerpts e where e.project_id = r.project_id and e.review_id = r.id)`
  assert.is(Number(bare?.count), 0, 'every review has excerpts')
  const wrong =
    await sql`select e.id from excerpts e join reviews r on r.project_id = e.project_id and r.id = e.review_id
    where substr(r.text, e.start_offset + 1, e.end_offset - e.start_offset) <> e.text`
  assert.is(wrong.length, 0, 'every excerpt is a slice of its review')
  const twice = await sql`select review_id from excerpts group by review_id, start_offset having count(*) > 1`
  assert.is(twice.length, 0, 'no excerpt stands twice')
  const found = await query(second.url, key, { q: 'generous breakfast' })
  assert.is(found.match, 'query')
  assert.is(await second.stop(), 0)
  await sql.end()
  await database.drop()
})

test('two servers share keys, rate limit, index and cache invalidation', async () => {
  const database = await createPostgresDatabase({ migrated: false })
  // Both migrate the empty database at once.
  const [one, two] = await Promise.all([
    startServerProcess({ DATABASE_URL: database.url }),
    startServerProcess({ DATABASE_URL: database.url }),
  ])
  const key = await createProjectWithKey(one.url, 'free')
  await call(one.url, key, '/v1/reviews', madeUpReviews(64))
  await until('the other server finds them', async () => {
    return (await query(two.url, key, { q: 'friendly staff' })).results.length > 0
  })
  await until('nothing is left to index', async () => {
    const response = await call(two.url, key, '/v1/reviews?indexed=false&limit=1')
    return (await response.text()).includes('"reviews":[]')
  })
  await query(two.url, key, { q: 'friendly staff' })
  const cached = await query(two.url, key, { q: 'friendly staff' })
  assert.is(cached.cache, 'HIT')
  const id = cached.results[0]?.review.id
  assert.ok(id)
  const hidden = await call(one.url, key, `/v1/reviews/${id}`, { hidden: true }, 'PATCH')
  assert.is(hidden.status, 200)
  const after = await query(two.url, key, { q: 'friendly staff' })
  assert.is(after.cache, 'MISS')
  assert.not.ok(
    after.results.some((result) => result.review.id === id),
    'a review hidden through one server left both',
  )

  let refused = 0
  for (let i = 0; i < 310 && refused === 0; i++) {
    const server = i % 2 === 0 ? one : two
    const response = await call(server.url, key, '/v1/reviews?limit=1')
    await response.arrayBuffer()
    if (response.status === 429) refused++
  }
  assert.is(refused, 1, 'the free plan allows 300 requests a minute, however many servers take them')
  assert.equal(await Promise.all([one.stop(), two.stop()]), [0, 0])
  await database.drop()
})

test('SIGTERM drains: what was claimed is saved or handed back, and the exit code is 0 within ten seconds', async () => {
  await passesOnSomeTry(async () => {
    const database = await createPostgresDatabase({ migrated: false })
    const server = await startServerProcess({ DATABASE_URL: database.url })
    const key = await createProjectWithKey(server.url, 'paid')
    const pushes = Array.from({ length: 8 }, (_, i) =>
      call(server.url, key, '/v1/reviews', madeUpReviews(100, i * 100)),
    )
    await Promise.race(pushes)
    await pause(30)
    const started = Date.now()
    const code = await server.stop()
    assert.is(code, 0, server.output())
    const seconds = (Date.now() - started) / 1_000
    await Promise.allSettled(pushes)
    const sql = connect({ url: database.url, max: 1 })
    const [leased] = await sql`select count(*) from index_jobs where leased_until > now()`
    assert.is(Number(leased?.count), 0, 'no lease was left behind')
    await sql.end()
    await database.drop()
    return seconds < 10 ? undefined : `it took ${seconds} s`
  })
})

test.run()
