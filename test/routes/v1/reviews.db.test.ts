/** `/v1/reviews` and `/v1/reviews/{id}` from push to delete. */
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { pushResponse, storedReview } from '../../../src/contract/review.ts'
import { assertConventions, assertRateLimitHeaders, assertRefusal } from '../../http/answers.ts'
import { review } from '../../http/service.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import { openTransport, TRANSPORTS } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { reviewCalls } from './review-calls.ts'

const test = suite('review routes')
let nudges = 0

const worker = { nudge: () => void nudges++, state: () => ({ status: 'idle' as const, indexed: 0, failed: 0 }) }
const { service, transports } = serviceOnTransports(test, { worker })

for (const name of TRANSPORTS) {
  const { call, push, list, freshKeys } = reviewCalls(name, service, transports)

  test(`${name}: a push answers in request order, repeats collapsed, and wakes the worker`, async () => {
    const { live } = await freshKeys()
    const before = nudges
    const pushed = await push(live, [
      review('b'),
      review('a'),
      review('b', { text: 'Later.' }),
      review('b', { source: 'yelp' }),
    ])
    assert.equal(
      pushed.reviews.map((one) => `${one.source} ${one.external_id} ${one.status}`),
      ['google a indexing', 'google b indexing', 'yelp b indexing'],
    )
    assert.is(pushed.indexing, undefined)
    assert.ok(nudges > before)
    const stored = await list(live)
    assert.is(stored.reviews.find((one) => one.external_id === 'b' && one.source === 'google')?.text, 'Later.')
  })

  test(`${name}: one review needs no array`, async () => {
    const { live } = await freshKeys()
    assert.is((await push(live, review('single'))).reviews.length, 1)
  })

  test(`${name}: a batch with one bad review stores none`, async () => {
    const { live } = await freshKeys()
    const response = await call(live, '/v1/reviews', [review('good'), review('bad', { rating: 6 })])
    const error = await assertRefusal(response, 'validation_failed', 'batch')
    assert.equal(
      error.details?.map((detail) => detail.path),
      ['1.rating'],
    )
    assert.equal(await list(live), { reviews: [], next_cursor: null })
  })

  test(`${name}: a stored review has every field of the contract`, async () => {
    const { live } = await freshKeys()
    const metadata = JSON.parse('{"__proto__": "a", "constructor": "b", "page": "spa"}')
    const given = review('full', {
      author_avatar_url: 'https://example.com/a.png',
      url: 'https://example.com/r/1',
      language: 'en-GB',
      occurred_at: '2026-01-05T10:00:00.1234+05:30',
      metadata,
    })
    const [pushed] = (await push(live, given)).reviews
    const response = await call(live, `/v1/reviews/${pushed?.id}`)
    assert.is(response.status, 200)
    assertConventions(response, 'GET')
    assertRateLimitHeaders(response, 1000, 'GET')
    assert.is(response.headers.get('cache-control'), 'no-store')
    assert.is(response.headers.get('vary'), null)
    const text = await response.text()
    const stored = v.parse(storedReview, JSON.parse(text))
    assert.is(stored.occurred_at, '2026-01-05T04:30:00.123Z')
    assert.is(stored.sentiment, 'positive')
    assert.is(stored.sentiment_source, 'rating')
    assert.is(stored.hidden, false)
    assert.is(stored.status, 'indexing')
    assert.match(text, '"__proto__":"a"')
    assert.match(text, '"constructor":"b"')
  })

  test(`${name}: an unrated review has no sentiment before it is indexed, but it is known to come from the model`, async () => {
    const { live } = await freshKeys()
    await push(live, review('unrated', { rating: null }))
    const [stored] = (await list(live)).reviews
    assert.equal([stored?.rating, stored?.sentiment, stored?.sentiment_source], [null, null, 'model'])
  })

  test(`${name}: PATCH hides, shows and replaces metadata; one that changes nothing touches nothing`, async () => {
    const { live } = await freshKeys()
    const [pushed] = (await push(live, review('patched', { metadata: { a: '1', b: '2' } }))).reviews
    const path = `/v1/reviews/${pushed?.id}`
    const patch = async (body: object) => {
      const response = await call(live, path, body, 'PATCH')
      assert.is(response.status, 200)
      return v.parse(storedReview, await response.json())
    }
    const hidden = await patch({ hidden: true })
    assert.is(hidden.hidden, true)
    assert.equal(hidden.metadata, { a: '1', b: '2' })
    const same = await patch({ hidden: true, metadata: { b: '2', a: '1' } })
    assert.is(same.updated_at, hidden.updated_at)
    const replaced = await patch({ hidden: false, metadata: { c: '3' } })
    assert.is(replaced.hidden, false)
    assert.equal(replaced.metadata, { c: '3' })
    assert.equal((await patch({ metadata: {} })).metadata, {})
  })

  test(`${name}: DELETE answers 204 without a body, and 404 the second time`, async () => {
    const { live } = await freshKeys()
    const [pushed] = (await push(live, review('deleted'))).reviews
    const path = `/v1/reviews/${pushed?.id}`
    const response = await call(live, path, undefined, 'DELETE')
    assert.is(response.status, 204)
    assertConventions(response, 'DELETE')
    assertRateLimitHeaders(response, 1000, 'DELETE')
    assert.is(await response.text(), '')
    assert.is(response.headers.get('content-length') ?? '0', '0')
    await assertRefusal(await call(live, path, undefined, 'DELETE'), 'not_found', 'second DELETE')
    await assertRefusal(await call(live, path), 'not_found', 'GET after DELETE')
  })

  test(`${name}: another project's and environment's reviews look missing`, async () => {
    const { live, test: testKey } = await freshKeys()
    const other = await freshKeys()
    const [pushed] = (await push(live, review('mine'))).reviews
    const path = `/v1/reviews/${pushed?.id}`
    for (const key of [testKey, other.live]) {
      await assertRefusal(await call(key, path), 'not_found', 'GET')
      await assertRefusal(await call(key, path, { hidden: true }, 'PATCH'), 'not_found', 'PATCH')
      await assertRefusal(await call(key, path, undefined, 'DELETE'), 'not_found', 'DELETE')
      assert.equal((await list(key)).reviews, [])
    }
    assert.is((await call(live, path.toUpperCase().replace('/V1/REVIEWS', '/v1/reviews'))).status, 200)
  })

  test(`${name}: past the plan's cap nothing is written, and updates still pass`, async () => {
    const { project, live, test: testKey } = await freshKeys()
    await push(testKey, review('test-row'))
    await push(live, review('kept'))
    const { sql } = service.database
    // The plan has room for 100,000 in both environments together.
    await sql`update environments set review_count = 99998 where project_id = ${project.id} and env = 'test'`
    const response = await call(live, '/v1/reviews', [
      review('kept', { text: 'New words.' }),
      review('one'),
      review('two'),
    ])
    const error = await assertRefusal(response, 'review_limit_reached', 'cap')
    assert.match(error.message, '1 more')
    assertRateLimitHeaders(response, 1000, 'cap')
    assert.equal(
      (await list(live)).reviews.map((one) => one.text),
      [review('kept').text],
    )
    await push(live, [review('kept', { text: 'New words.' }), review('one')])
    await assertRefusal(await call(live, '/v1/reviews', review('two')), 'review_limit_reached', 'full')
  })

  test(`${name}: the rate limit is per key, tells the seconds left and ends with its window`, async () => {
    const free = await service.makeProject(`free ${name}`, { plan: 'free' })
    const key = await service.makeKey(free, 'secret', 'live')
    const other = await service.makeKey(free, 'secret', 'live')
    assert.is((await call(key, '/v1/reviews')).status, 200)
    const { sql } = service.database
    await sql`update rate_windows set requests = 299 where key_id in (select id from api_keys where project_id = ${free.id})`
    assert.is((await call(key, '/v1/reviews')).status, 200)
    const response = await call(key, '/v1/reviews?limit=0')
    await assertRefusal(response, 'rate_limited', 'rate limit')
    assertRateLimitHeaders(response, 300, 'rate limit')
    const seconds = Number(response.headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 60, `Retry-After ${seconds}`)
    assert.is((await call(other, '/v1/reviews')).status, 200)
    await service.endRateWindows()
    assert.is((await call(key, '/v1/reviews')).status, 200)
  })
}

test("past the operator's allowance a push is stored and says deferred", async () => {
  const transport = await openTransport('app.fetch', { ...service.deps, allowance: { dailyEmbeddings: 0 } })
  const project = await service.makeProject('deferred')
  const key = await service.makeKey(project, 'secret', 'live')
  const response = await transport.send({
    method: 'POST',
    path: '/v1/reviews',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(review('waits')),
  })
  assert.is(response.status, 200)
  const body = v.parse(pushResponse, await response.json())
  assert.is(body.indexing, 'deferred')
  assert.is(body.reviews.length, 1)
})

test.run()
