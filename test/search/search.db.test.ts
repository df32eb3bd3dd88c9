import * as assert from 'uvu/assert'
import { NEAREST_LIMIT } from '../../server/search/rank.ts'
import { gardenSuite } from './planted.ts'

const { test, garden } = gardenSuite('search')

test('without q returns the newest publishable reviews, by their first slice, without scores', async () => {
  await garden.plant({ occurred_at: '2026-01-01T00:00:00Z', slices: [['old', 0.9]] })
  await garden.plant({ occurred_at: null, slices: [['undated', 0.9]] })
  await garden.plant({
    occurred_at: '2026-03-01T00:00:00Z',
    slices: [
      ['first', 0.1],
      ['second', 0.9],
    ],
  })
  const found = await garden.find({})
  assert.is(found.match, 'recent')
  assert.equal(
    found.results.map(({ excerpt }) => excerpt),
    ['first', 'old', 'undated'],
  )
  for (const result of found.results) {
    assert.is(result.score, null)
    assert.is(result.highlight, null)
    assert.is(result.matched, false)
  }
  assert.is(garden.embedder.calls, 0)
})

test('returns verbatim slices with score, offsets and the review', async () => {
  const text = 'Bright 🏖️ rooms. The sauna was hot.'
  const id = await garden.plant({
    metadata: { branch: 'north' },
    slices: [
      ['Bright 🏖️ rooms.', 0.2],
      ['The sauna was hot.', 0.8],
    ],
  })
  const { results, match } = await garden.find({ q: 'sauna', include: 'text' })
  assert.is(match, 'query')
  assert.is(results.length, 1)
  const [result] = results
  assert.is(result?.excerpt, 'The sauna was hot.')
  assert.is(result?.matched, true)
  assert.is(result?.score, 0.8)
  assert.is(text.slice(result?.highlight?.start, result?.highlight?.end), result?.excerpt)
  assert.equal(result?.review, {
    id,
    rating: 5,
    author_name: 'Ada',
    author_avatar_url: null,
    source: 'google',
    occurred_at: '2026-01-01T00:00:00.000Z',
    url: 'https://example.com/r',
    metadata: { branch: 'north' },
    text,
  })
})

test('leaves the review’s text out unless it is asked for', async () => {
  await garden.plant({ slices: [['The sauna', 0.8]] })
  const textOf = async (body: object) => (await garden.find({ q: 'sauna', ...body })).results[0]?.review.text
  assert.is(await textOf({}), undefined)
  assert.is(await textOf({ include: ['text'] }), 'The sauna')
  assert.is(await textOf({ mode: 'reviews' }), 'The sauna')
})

test('marks nothing when the match is the whole review', async () => {
  await garden.plant({ slices: [['The whole review', 0.8]] })
  await garden.plant({
    slices: [
      ['A part', 0.7],
      ['and the rest', 0.1],
    ],
  })
  const { results } = await garden.find({ q: 'sauna' })
  assert.equal(
    results.map(({ highlight }) => highlight),
    [null, { start: 0, end: 6 }],
  )
})

test('never shows hidden, low-rated or negative reviews, in any answer', async () => {
  await garden.plant({ hidden: true, slices: [['hidden sauna', 0.9]] })
  await garden.plant({ rating: 3, slices: [['poor sauna', 0.9]] })
  await garden.plant({ rating: null, sentiment: 'negative', slices: [['angry sauna', 0.9]] })
  await garden.plant({ rating: null, sentiment: 'neutral', slices: [['unrated sauna', 0.8]] })
  await garden.plant({ rating: 4, slices: [['fine sauna', 0.7]] })
  const shown = ['fine sauna', 'unrated sauna']
  assert.equal((await garden.excerpts({ q: 'sauna' })).sort(), shown)
  assert.equal((await garden.excerpts({ q: 'sauna', mode: 'reviews' })).sort(), shown)
  assert.equal((await garden.excerpts({})).sort(), shown)
  garden.context.project.similarityFloor = 1
  assert.equal((await garden.excerpts({ q: 'nothing', fallback: 'recent' })).sort(), shown)
})

test('lets min_rating raise the project’s threshold for rated reviews, never lower it', async () => {
  await garden.plant({ rating: 3, slices: [['three', 0.9]] })
  await garden.plant({ rating: 4, slices: [['four', 0.9]] })
  await garden.plant({ rating: 5, slices: [['five', 0.8]] })
  await garden.plant({ rating: null, slices: [['unrated', 0.7]] })
  for (const q of [{ q: 'sauna' }, {}]) {
    assert.equal((await garden.excerpts({ ...q, filters: { min_rating: 5 } })).sort(), ['five', 'unrated'])
    assert.equal((await garden.excerpts({ ...q, filters: { min_rating: 1 } })).sort(), ['five', 'four', 'unrated'])
  }
})

test('filters by source, time and metadata', async () => {
  await garden.plant({
    source: 'yelp',
    occurred_at: '2026-02-01T00:00:00Z',
    metadata: { branch: 'north', size: 'l' },
    slices: [['a', 0.9]],
  })
  await garden.plant({
    source: 'custom',
    occurred_at: '2026-03-01T00:00:00Z',
    metadata: { branch: 'south' },
    slices: [['b', 0.8]],
  })
  await garden.plant({ source: 'google', occurred_at: null, slices: [['c', 0.7]] })
  for (const q of [{ q: 'sauna' }, {}]) {
    const by = async (filters: object) => (await garden.excerpts({ ...q, filters })).sort()
    assert.equal(await by({ source: 'yelp' }), ['a'])
    assert.equal(await by({ source: ['yelp', 'google'] }), ['a', 'c'])
    assert.equal(await by({ source: 'nowhere' }), [])
    assert.equal(await by({ since: '2026-02-01' }), ['a', 'b'])
    assert.equal(await by({ since: '2026-02-01T00:00:00.001Z' }), ['b'])
    assert.equal(await by({ metadata: { branch: 'north' } }), ['a'])
    assert.equal(await by({ metadata: { branch: 'north' }, 'metadata.size': 'm' }), [])
    assert.equal(await by({ 'metadata.__proto__': 'x' }), [])
  }
})

test('keeps projects and environments apart', async () => {
  const neighbour = await garden.project('Neighbour')
  await garden.plant({ slices: [['theirs', 0.9]] }, neighbour)
  await garden.plant({ env: 'test', slices: [['test', 0.9]] })
  await garden.plant({ slices: [['live', 0.9]] })
  assert.equal(await garden.excerpts({ q: 'sauna' }), ['live'])
  assert.equal(await garden.excerpts({}), ['live'])
  garden.context.env = 'test'
  assert.equal(await garden.excerpts({ q: 'sauna' }), ['test'])
})

test('returns several slices of a review in mode=excerpts and one in mode=reviews', async () => {
  await garden.plant({
    slices: [
      ['a1', 0.9],
      ['a2', 0.8],
    ],
  })
  await garden.plant({ slices: [['b1', 0.7]] })
  assert.equal(await garden.excerpts({ q: 'sauna' }), ['a1', 'a2', 'b1'])
  assert.equal(await garden.excerpts({ q: 'sauna', mode: 'reviews' }), ['a1', 'b1'])
})

test('finds other reviews behind one whose excerpts fill the lists', async () => {
  await garden.plant({ slices: Array.from({ length: 120 }, (_, i) => [`long ${i}`, 0.95] as const) })
  await garden.plant({ slices: [['short', 0.7]] })
  assert.is((await garden.excerpts({ q: 'sauna', mode: 'reviews' })).length, 2)
})

test('finds a word match behind any number of nearer excerpts that do not pass', async () => {
  await garden.multiply(await garden.plant({ slices: [['Rest', 0.6]] }), NEAREST_LIMIT)
  await garden.plant({ slices: [['Far sauna', 0.55]] })
  assert.equal(await garden.excerpts({ q: 'sauna' }), ['Far sauna'])
})

test('puts a word match first that has more nearer excerpts before it than are asked for words', async () => {
  await garden.multiply(await garden.plant({ slices: [['Rest', 0.7]] }), NEAREST_LIMIT)
  await garden.plant({ slices: [['Sauna', 0.69]] })
  assert.equal(await garden.excerpts({ q: 'sauna', limit: 2 }), ['Sauna', 'Rest'])
})

test('orders ties the same way each time', async () => {
  for (let i = 0; i < 12; i++) await garden.plant({ slices: [[`sauna ${i}`, 0.8]] })
  const first = await garden.excerpts({ q: 'sauna', limit: 5 })
  for (let i = 0; i < 3; i++) assert.equal(await garden.excerpts({ q: 'sauna', limit: 5 }), first)
})

test('puts a word match before a nearer text, with scores that need not fall', async () => {
  await garden.plant({ slices: [['Rest', 0.66]] })
  await garden.plant({ slices: [['Sauna', 0.65]] })
  await garden.plant({ slices: [['Far sauna', 0.55]] })
  const { results } = await garden.find({ q: 'sauna' })
  assert.equal(
    results.map(({ excerpt, score }) => [excerpt, score]),
    [
      ['Sauna', 0.65],
      ['Rest', 0.66],
      ['Far sauna', 0.55],
    ],
  )
})

test('answers an empty list when nothing is relevant, and the newest when told to fall back', async () => {
  await garden.plant({ occurred_at: '2026-01-01T00:00:00Z', slices: [['old', 0.2]] })
  await garden.plant({
    occurred_at: '2026-02-01T00:00:00Z',
    slices: [
      ['new', 0.2],
      ['rest', 0.1],
    ],
  })
  assert.equal(await garden.find({ q: 'sauna' }), { ok: true, cache: 'MISS', match: 'none', results: [] })
  const { match, results } = await garden.find({ q: 'sauna', fallback: 'recent', limit: 1 })
  assert.is(match, 'fallback')
  assert.equal(
    results.map(({ excerpt, score, matched, highlight }) => ({ excerpt, score, matched, highlight })),
    [{ excerpt: 'new', score: null, matched: false, highlight: null }],
  )
})

test('does not top up a short page from the fallback', async () => {
  await garden.plant({ slices: [['near', 0.9]] })
  await garden.plant({ slices: [['far', 0.2]] })
  const { match, results } = await garden.find({ q: 'sauna', fallback: 'recent' })
  assert.is(match, 'query')
  assert.is(results.length, 1)
})

test('answers none when the fallback is empty too', async () => {
  assert.is((await garden.find({ q: 'sauna', fallback: 'recent' })).match, 'none')
})

test.run()
