import * as assert from 'uvu/assert'
import { parseQueryBody, parseQueryParameters } from '../../src/contract/parse-query.ts'
import type { QueryRequest } from '../../src/contract/query.ts'
import type { Validated } from '../../src/contract/validate.ts'
import { suite } from '../suite.ts'

const plain: QueryRequest = {
  limit: 5,
  mode: 'excerpts',
  include_text: false,
  fallback: 'none',
  filters: { metadata: [] },
}

const get = (search: string) => parseQueryParameters(new URLSearchParams(search))

function value(result: Validated<QueryRequest>): QueryRequest {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.details)}`)
  return result.value
}

function paths(result: Validated<QueryRequest>): string[] {
  if (result.ok) throw new Error(`accepted: ${JSON.stringify(result.value)}`)
  return result.details.map((detail) => detail.path)
}

const test = suite('query request')

test('has the defaults of the contract in both forms', () => {
  assert.equal(value(parseQueryBody(undefined)), plain)
  assert.equal(value(parseQueryBody({})), plain)
  assert.equal(value(get('')), plain)
})

const same: [name: string, search: string, body: unknown][] = [
  ['q is trimmed', 'q=+quiet+room+', { q: ' quiet room ' }],
  ['limit', 'limit=20', { limit: 20 }],
  ['mode', 'mode=reviews', { mode: 'reviews' }],
  ['include once', 'include=text', { include: 'text' }],
  ['include in a list', 'include=text,text', { include: ['text', 'text'] }],
  ['include repeated', 'include=text&include=text', { include: ['text'] }],
  ['fallback', 'fallback=recent', { fallback: 'recent' }],
  ['min_rating', 'min_rating=5', { filters: { min_rating: 5 } }],
  ['sources in any order', 'source=yelp,google&source=yelp', { filters: { source: ['google', 'yelp'] } }],
  ['a bare day', 'since=2026-01-05', { filters: { since: '2026-01-05T00:00:00Z' } }],
  ['an offset', 'since=2026-01-05T01:00:00%2B01:00', { filters: { since: '2026-01-05' } }],
  ['metadata, nested', 'metadata.page=spa', { filters: { metadata: { page: 'spa' } } }],
  ['metadata, flat', 'metadata.page=spa', { filters: { 'metadata.page': 'spa' } }],
  ['metadata, merged', 'metadata.b=2&metadata.a=1', { filters: { metadata: { a: '1' }, 'metadata.b': '2' } }],
  ['a metadata key with dots', 'metadata.a.b=1', { filters: { 'metadata.a.b': '1' } }],
]
for (const [name, search, body] of same) {
  test(`is the same from GET and POST: ${name}`, () => {
    assert.equal(value(get(search)), value(parseQueryBody(body)))
    assert.not.equal(value(get(search)), plain)
  })
}

test('has its metadata and sources in one order, and the text with whole reviews', () => {
  const { filters } = value(get('metadata.b=2&metadata.c=3&metadata.a=1&source=yelp,google,facebook'))
  assert.equal(filters.metadata, [
    ['a', '1'],
    ['b', '2'],
    ['c', '3'],
  ])
  assert.equal(filters.sources, ['facebook', 'google', 'yelp'])
  assert.is(value(get('mode=reviews')).include_text, true)
})

test('an offset whose plus sign became a space is told how to write it, another date is not', () => {
  const message = (search: string) => {
    const result = get(search)
    return result.ok ? undefined : result.details[0]?.message
  }
  assert.match(message('since=2026-01-05T01:00:00+01:00') ?? '', /written %2B$/)
  assert.match(message('since=2026-01-05T01:00:00') ?? '', /Z or an offset, such as [^%]+$/)
})

test('metadata keys named like prototype members are keys', () => {
  const expected = [
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]
  assert.equal(value(get('metadata.__proto__=a&metadata.constructor=b')).filters.metadata, expected)
  const nested = JSON.parse('{"filters": {"metadata": {"__proto__": "a"}, "metadata.constructor": "b"}}')
  assert.equal(value(parseQueryBody(nested)).filters.metadata, expected)
  const flat = JSON.parse('{"filters": {"metadata.__proto__": "a", "metadata.constructor": "b"}}')
  assert.equal(value(parseQueryBody(flat)).filters.metadata, expected)
})

test('a source that is no platform is a filter in POST and refused in GET', () => {
  assert.equal(value(parseQueryBody({ filters: { source: 'bing' } })).filters.sources, ['bing'])
  assert.equal(paths(get('source=bing')), ['source.0'])
})

const refusedParameters: [search: string, paths: string[]][] = [
  ['q=', ['q']],
  ['q=+++', ['q']],
  [`q=${'x'.repeat(501)}`, ['q']],
  ['q=a%00b', ['q']],
  ['q=a&q=b', ['q']],
  ['limit=0', ['limit']],
  ['limit=21', ['limit']],
  ['limit=5.0', ['limit']],
  ['limit=%2B5', ['limit']],
  ['limit=+5', ['limit']],
  ['limit=0x5', ['limit']],
  ['limit=', ['limit']],
  [`limit=${'9'.repeat(400)}`, ['limit']],
  ['limit=5&limit=5', ['limit']],
  ['mode=all', ['mode']],
  ['mode=reviews&mode=reviews', ['mode']],
  ['include=author', ['include.0']],
  ['include=', ['include.0']],
  ['include=text,', ['include.1']],
  [`include=${Array.from({ length: 9 }, () => 'text').join(',')}`, ['include']],
  ['fallback=all', ['fallback']],
  ['fallback=none&fallback=recent', ['fallback']],
  ['min_rating=6', ['min_rating']],
  ['min_rating=1&min_rating=2', ['min_rating']],
  ['source=google,bing', ['source.1']],
  [`source=${Array.from({ length: 21 }, () => 'google').join(',')}`, ['source']],
  ['since=yesterday', ['since']],
  ['since=2026-02-30', ['since']],
  ['since=2026-01-05T10:00:00', ['since']],
  ['since=2026-01-05&since=2026-01-05', ['since']],
  ['metadata.page=a&metadata.page=b', ['metadata.page']],
  [`metadata.page=${'x'.repeat(513)}`, ['metadata.page']],
  ['metadata.=x', ['metadata.']],
  [Array.from({ length: 33 }, (_, key) => `metadata.k${key}=a`).join('&'), ['metadata']],
  ['metadata=x', ['metadata']],
  ['filters.min_rating=4', ['filters.min_rating']],
  ['page=2&cursor=x', ['page', 'cursor']],
  ['__proto__=x&constructor=y', ['__proto__', 'constructor']],
  ['=x', ['']],
  ['limit=99&mode=x&what=1', ['limit', 'mode', 'what']],
]
for (const [search, expected] of refusedParameters) {
  test(`GET refuses ${search.slice(0, 60)}`, () => {
    assert.equal(paths(get(search)).sort(), expected.sort())
  })
}

const refusedBodies: [body: unknown, paths: string[]][] = [
  [null, ['(body)']],
  [[], ['(body)']],
  [[{}], ['(body)']],
  ['q', ['(body)']],
  [{ q: null }, ['q']],
  [{ q: '  ' }, ['q']],
  [{ q: ['a'] }, ['q']],
  [{ limit: '5' }, ['limit']],
  [{ limit: 5.5 }, ['limit']],
  [{ limit: 0 }, ['limit']],
  [{ include: 'author' }, ['include']],
  [{ include: ['text', 'author'] }, ['include.1']],
  [{ include: Array.from({ length: 9 }, () => 'text') }, ['include']],
  [{ min_rating: 4 }, ['min_rating']],
  [{ key: 'svc_pk_live_x' }, ['key']],
  [{ filters: null }, ['filters']],
  [{ filters: [] }, ['filters']],
  [{ filters: [1] }, ['filters']],
  [{ filters: 'x' }, ['filters']],
  [{ filters: { since: 5 } }, ['filters.since']],
  [{ filters: { since: 'x', min_rating: 9 } }, ['filters.min_rating', 'filters.since']],
  [{ filters: { source: '' } }, ['filters.source']],
  [{ filters: { source: ['google', 7] } }, ['filters.source.1']],
  [{ filters: { source: 'x'.repeat(65) } }, ['filters.source']],
  [{ filters: { metadata: { a: 1 } } }, ['filters.metadata.a']],
  [{ filters: { 'metadata.a': 1 } }, ['filters.metadata.a']],
  [{ filters: { 'metadata.': 'x' } }, ['filters.metadata.']],
  [{ filters: { metadata: { a: 1 }, 'metadata.b': [] } }, ['filters.metadata.a', 'filters.metadata.b']],
  [{ filters: { rating: 4, limit: 2 } }, ['filters.limit', 'filters.rating']],
  [JSON.parse('{"filters": {"__proto__": {"since": "x"}}}'), ['filters.__proto__']],
]
for (const [body, expected] of refusedBodies) {
  test(`POST refuses ${JSON.stringify(body).slice(0, 60)}`, () => {
    assert.equal(paths(parseQueryBody(body)).sort(), expected.sort())
  })
}

test.run()
