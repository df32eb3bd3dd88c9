import * as assert from 'uvu/assert'
import type * as v from 'valibot'
import type { listResponse, StoredReview } from '../../../src/contract/review.ts'
import { assertRefusal } from '../../http/answers.ts'
import { review } from '../../http/service.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import { TRANSPORTS } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { reviewCalls } from './review-calls.ts'

const test = suite('the list of reviews')
let nudges = 0

const worker = { nudge: () => void nudges++, state: () => ({ status: 'idle' as const, indexed: 0, failed: 0 }) }
const { service, transports } = serviceOnTransports(test, { worker })

for (const name of TRANSPORTS) {
  const { call, push, list, freshKeys } = reviewCalls(name, service, transports)

  test(`${name}: pages follow each other without loss or repeat while reviews come and go ahead`, async () => {
    const { live } = await freshKeys()
    const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T10:00:00Z`
    // Three share an instant, so that the id has to break the tie.
    await push(
      live,
      Array.from({ length: 12 }, (_, i) => review(`p${i}`, { occurred_at: day(Math.max(3, 12 - i)) })),
    )
    const all = (await list(live)).reviews.map((one) => one.external_id)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: v.InferOutput<typeof listResponse> = await list(
        live,
        `?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      seen.push(...page.reviews.map((one: StoredReview) => one.external_id))
      cursor = page.next_cursor
      if (cursor !== null) assert.match(cursor, /^[A-Za-z0-9_-]+$/)
      await push(live, review(`ahead-${seen.length}`, { occurred_at: '2026-02-01T10:00:00Z' }))
    }
    assert.equal(seen, all)
  })

  test(`${name}: a cursor is good for its project, environment and filters alone`, async () => {
    const { live, test: testKey } = await freshKeys()
    const other = await freshKeys()
    for (const key of [live, testKey, other.live]) await push(key, [review('a'), review('b'), review('c')])
    const { next_cursor: cursor } = await list(live, '?limit=1&min_rating=1')
    if (cursor === null) throw new Error('no cursor')
    assert.is((await list(live, `?limit=2&min_rating=1&cursor=${cursor}`)).reviews.length, 2)
    const flipped = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
    const wrong: [string, string, string][] = [
      ['another environment', testKey, `?min_rating=1&cursor=${cursor}`],
      ['another project', other.live, `?min_rating=1&cursor=${cursor}`],
      ['another filter', live, `?min_rating=2&cursor=${cursor}`],
      ['no filter', live, `?cursor=${cursor}`],
      ...['hidden=false', 'source=google', 'since=2020-01-01', 'indexed=false'].map(
        (more): [string, string, string] => [`${more} as well`, live, `?min_rating=1&${more}&cursor=${cursor}`],
      ),
      ['truncated', live, `?min_rating=1&cursor=${cursor.slice(0, -1)}`],
      ['lengthened', live, `?min_rating=1&cursor=${cursor}A`],
      ['another last bit', live, `?min_rating=1&cursor=${flipped(cursor.length - 1)}`],
      ...[0, 1, 10, 30, 40].map((at): [string, string, string] => [
        `changed at ${at}`,
        live,
        `?min_rating=1&cursor=${flipped(at)}`,
      ]),
      ['made up', live, '?min_rating=1&cursor=AAAA'],
    ]
    for (const [what, key, search] of wrong) {
      const error = await assertRefusal(await call(key, `/v1/reviews${search}`), 'validation_failed', what)
      assert.equal(
        error.details?.map((detail) => detail.path),
        ['cursor'],
        what,
      )
    }
  })

  test(`${name}: the list filters`, async () => {
    const { live } = await freshKeys()
    const pushed = await push(live, [
      review('five', { occurred_at: '2026-01-01T00:00:00Z' }),
      review('two', { rating: 2, source: 'yelp', occurred_at: '2025-12-31T23:59:59Z' }),
      review('none', { rating: null, occurred_at: '2025-06-01T00:00:00Z' }),
    ])
    const id = pushed.reviews.find((one) => one.external_id === 'two')?.id
    await call(live, `/v1/reviews/${id}`, { hidden: true }, 'PATCH')
    for (const [search, expected] of [
      ['', ['five', 'two', 'none']],
      ['?source=yelp', ['two']],
      ['?min_rating=1', ['five', 'two']],
      ['?min_rating=3', ['five']],
      ['?hidden=true', ['two']],
      ['?hidden=false', ['five', 'none']],
      ['?since=2026-01-01', ['five']],
      ['?since=2026-01-01T00:59:59%2B01:00', ['five', 'two']],
      ['?indexed=true', []],
      ['?indexed=false&limit=1', ['five']],
    ] as const) {
      const { reviews } = await list(live, search)
      assert.equal(
        reviews.map((one) => one.external_id),
        [...expected],
        search,
      )
    }
  })
}

test.run()
