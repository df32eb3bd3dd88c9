import * as assert from 'uvu/assert'
import { cacheKey, createResultCache, type SearchOutcome } from '../../server/search/cache.ts'
import type { QueryRequest, QueryResult } from '../../src/contract/query.ts'
import { suite } from '../suite.ts'

const test = suite('result cache')

function found(text: string, count = 1): SearchOutcome {
  const result: QueryResult = {
    score: 0.7,
    matched: true,
    excerpt: text,
    excerpt_id: '00000000-0000-4000-8000-000000000000',
    highlight: null,
    review: {
      id: '00000000-0000-4000-8000-000000000000',
      rating: 5,
      author_name: 'Ada',
      author_avatar_url: null,
      source: 'google',
      occurred_at: null,
      url: null,
      metadata: { branch: 'north' },
    },
  }
  return { match: 'query', results: Array.from({ length: count }, () => result) }
}

test('returns what was kept under the same key', () => {
  const cache = createResultCache({ entries: 10, bytes: 1e6 })
  const value = found('a')
  cache.set('k', value)
  assert.is(cache.get('k'), value)
  assert.is(cache.get('other'), undefined)
})

test('keeps no more entries than its bound, dropping the least recently used', () => {
  const cache = createResultCache({ entries: 2, bytes: 1e6 })
  cache.set('a', found('a'))
  cache.set('b', found('b'))
  cache.get('a')
  cache.set('c', found('c'))
  assert.ok(cache.get('a'))
  assert.is(cache.get('b'), undefined)
  assert.ok(cache.get('c'))
})

test('keeps no more bytes than its bound', () => {
  const cache = createResultCache({ entries: 1000, bytes: 100_000 })
  for (let i = 0; i < 100; i++) cache.set(`key ${i}`, found('x'.repeat(1000)))
  const kept = Array.from({ length: 100 }, (_, i) => cache.get(`key ${i}`)).filter(Boolean).length
  assert.ok(kept > 10 && kept < 50, `${kept} of 100 kept`)
})

test('declines an answer that would push many others out', () => {
  const cache = createResultCache({ entries: 1000, bytes: 100_000 })
  cache.set('small', found('a'))
  cache.set('large', found('x'.repeat(1000), 5))
  assert.is(cache.get('large'), undefined)
  assert.ok(cache.get('small'))
})

test('counts long keys too', () => {
  const cache = createResultCache({ entries: 1000, bytes: 100_000 })
  cache.set('k'.repeat(50_000), found('a'))
  assert.is(cache.get('k'.repeat(50_000)), undefined)
})

test('counts whatever is long in an answer, and what every result and every pair of metadata takes beside its text', () => {
  const long = 'x'.repeat(2_500)
  const [small] = found('a').results
  assert.ok(small)
  const { review } = small
  const pairs = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [i, '']))
  const large: QueryResult[] = [
    { ...small, excerpt: long },
    { ...small, review: { ...review, text: long } },
    { ...small, review: { ...review, author_name: long } },
    { ...small, review: { ...review, author_avatar_url: long } },
    { ...small, review: { ...review, url: long } },
    { ...small, review: { ...review, metadata: { branch: long } } },
    { ...small, review: { ...review, metadata: { [long]: 'north' } } },
    { ...small, review: { ...review, metadata: pairs } },
  ]
  const isKept = (results: QueryResult[]) => {
    const cache = createResultCache({ entries: 1000, bytes: 100_000 })
    cache.set('k', { match: 'query', results })
    return cache.get('k') !== undefined
  }
  assert.ok(isKept([small]))
  for (const [i, one] of large.entries()) assert.not.ok(isKept([one]), String(i))
  assert.not.ok(isKept(found('a', 10).results))
})

test('has a key of all that decides an answer', () => {
  type Context = Parameters<typeof cacheKey>[0]
  const settings: Context['settings'] = { similarityFloor: 0.66, minRating: 4, excerpts: 'all' }
  const context: Context = { projectId: 'p', env: 'live', revision: '1', modelId: 1, settings }
  const request: QueryRequest = {
    limit: 5,
    mode: 'excerpts',
    include_text: false,
    fallback: 'none',
    filters: { metadata: [] },
  }
  const filtered = (filters: Partial<QueryRequest['filters']>) =>
    cacheKey(context, { ...request, filters: { metadata: [], ...filters } })
  const keys = [
    cacheKey(context, request),
    cacheKey({ ...context, projectId: 'q' }, request),
    cacheKey({ ...context, env: 'test' }, request),
    cacheKey({ ...context, revision: '2' }, request),
    cacheKey({ ...context, modelId: 2 }, request),
    cacheKey({ ...context, settings: { ...settings, similarityFloor: 0.6 } }, request),
    cacheKey({ ...context, settings: { ...settings, minRating: 5 } }, request),
    cacheKey({ ...context, settings: { ...settings, excerpts: 'no_complaints' } }, request),
    cacheKey(context, { ...request, q: 'spa' }),
    cacheKey(context, { ...request, limit: 6 }),
    cacheKey(context, { ...request, mode: 'reviews' }),
    cacheKey(context, { ...request, include_text: true }),
    cacheKey(context, { ...request, fallback: 'recent' }),
    filtered({ min_rating: 4 }),
    filtered({ sources: [] }),
    filtered({ sources: ['yelp'] }),
    filtered({ since: new Date(0) }),
    filtered({ metadata: [['a', 'b']] }),
    filtered({ metadata: [['a', 'c']] }),
  ]
  assert.is(new Set(keys).size, keys.length)
})

test('keeps nothing with a bound of zero', () => {
  for (const bounds of [
    { entries: 0, bytes: 1e6 },
    { entries: 10, bytes: 0 },
  ]) {
    const cache = createResultCache(bounds)
    cache.set('k', found('a'))
    assert.is(cache.get('k'), undefined)
  }
})

test.run()
