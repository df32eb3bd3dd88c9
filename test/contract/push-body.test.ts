import * as assert from 'uvu/assert'
import { pushBody, reviewInput } from '../../src/contract/review.ts'
import { validate } from '../../src/contract/validate.ts'
import { suite } from '../suite.ts'

const review = {
  external_id: 'a-1',
  source: 'google',
  rating: 5,
  text: 'The terrace at breakfast was worth the trip.',
  author_name: 'Mara',
  occurred_at: '2026-01-05T10:00:00Z',
}

function findings(input: unknown): Record<string, string> {
  const result = validate(pushBody, input)
  if (result.ok) throw new Error('was accepted')
  return Object.fromEntries(result.details.map((detail) => [detail.path, detail.message]))
}

const test = suite('body of POST /v1/reviews')

test('takes one review or an array and gives an array', () => {
  for (const input of [review, [review]]) {
    const result = validate(pushBody, input)
    assert.ok(result.ok)
    assert.is(result.value.length, 1)
    assert.equal(result.value[0]?.occurred_at, new Date('2026-01-05T10:00:00Z'))
  }
})

const refused: [name: string, change: Record<string, unknown>, path: string][] = [
  ['an empty external_id', { external_id: '' }, 'external_id'],
  ['an external_id of 513 characters', { external_id: 'x'.repeat(513) }, 'external_id'],
  ['a number as external_id', { external_id: 7 }, 'external_id'],
  ['an unknown source', { source: 'bing' }, 'source'],
  ['rating 0', { rating: 0 }, 'rating'],
  ['rating 6', { rating: 6 }, 'rating'],
  ['rating 4.5', { rating: 4.5 }, 'rating'],
  ['rating -0', { rating: -0 }, 'rating'],
  ['a rating too large for a number', { rating: Number('1e400') }, 'rating'],
  ['a rating as text', { rating: '5' }, 'rating'],
  ['a missing text', { text: undefined }, 'text'],
  ['text that is only spaces', { text: ' \n\t\u00a0 ' }, 'text'],
  ['text of 20,001 characters', { text: 'x'.repeat(20_001) }, 'text'],
  ['text of 10,001 characters beyond the BMP', { text: '😀'.repeat(10_001) }, 'text'],
  ['U+0000 in text', { text: 'a\u0000b' }, 'text'],
  ['a lone surrogate in text', { text: 'a\ud800b' }, 'text'],
  ['a null author_name', { author_name: null }, 'author_name'],
  ['an author_name of 257 characters', { author_name: 'x'.repeat(257) }, 'author_name'],
  ['a relative avatar address', { author_avatar_url: '/avatar.png' }, 'author_avatar_url'],
  ['a url without a scheme', { url: 'example.com/a' }, 'url'],
  ['a url without a host', { url: 'https://' }, 'url'],
  ['a url that no browser can parse', { url: 'https://[1/' }, 'url'],
  ['a url with a space', { url: 'https://example.com/a b' }, 'url'],
  ['a bare date', { occurred_at: '2026-01-05' }, 'occurred_at'],
  ['a time without a zone', { occurred_at: '2026-01-05T10:00:00' }, 'occurred_at'],
  ['30 February', { occurred_at: '2026-02-30T10:00:00Z' }, 'occurred_at'],
  ['hour 24', { occurred_at: '2026-01-05T24:00:00Z' }, 'occurred_at'],
  ['second 60', { occurred_at: '2026-12-31T23:59:60Z' }, 'occurred_at'],
  ['an offset of 24 hours', { occurred_at: '2026-01-05T10:00:00+24:00' }, 'occurred_at'],
  ['year 0', { occurred_at: '0000-01-05T10:00:00Z' }, 'occurred_at'],
  ['a Unix timestamp', { occurred_at: 1767607200 }, 'occurred_at'],
  ['a null language', { language: null }, 'language'],
  ['a language of one character', { language: 'e' }, 'language'],
  ['a language with an underscore', { language: 'pt_BR' }, 'language'],
  ['a language of 36 characters', { language: `en-${'abcdefgh-'.repeat(4)}`.slice(0, 36) }, 'language'],
  ['metadata as a string', { metadata: 'spa' }, 'metadata'],
  ['metadata as an array', { metadata: [] }, 'metadata'],
  ['metadata that is null', { metadata: null }, 'metadata'],
  ['a nested object in metadata', { metadata: { room: { floor: '2' } } }, 'metadata.room'],
  ['a number in metadata', { metadata: { floor: 2 } }, 'metadata.floor'],
  ['a boolean in metadata', { metadata: { vip: true } }, 'metadata.vip'],
  ['an empty metadata key', { metadata: { '': 'x' } }, 'metadata.'],
  ['a metadata key of 65 characters', { metadata: { ['k'.repeat(65)]: 'x' } }, `metadata.${'k'.repeat(65)}`],
  ['a metadata value of 513 characters', { metadata: { k: 'x'.repeat(513) } }, 'metadata.k'],
  ['U+0000 in a metadata key', { metadata: { 'k\u0000': 'x' } }, 'metadata.k\u0000'],
  ['U+0000 in a metadata value', { metadata: { k: '\u0000' } }, 'metadata.k'],
  [
    '33 metadata entries',
    { metadata: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, 'x'])) },
    'metadata',
  ],
  ['an address of 2,049 characters', { url: `https://a.example/${'x'.repeat(2_031)}` }, 'url'],
  [
    'a picture of 2,049 characters',
    { author_avatar_url: `https://a.example/${'x'.repeat(2_031)}` },
    'author_avatar_url',
  ],
  ['a host name of 400 letters', { url: `https:${'é'.repeat(400)}.example` }, 'url'],
  ['a host name of a megabyte', { url: `https://${'é'.repeat(500_000)}.example` }, 'url'],
  ['an unknown field', { stars: 5 }, 'stars'],
]
for (const [name, change, path] of refused) {
  test(`refuses ${name} by its path, alone and in a batch`, () => {
    assert.equal(Object.keys(findings({ ...review, ...change })), [path])
    assert.equal(Object.keys(findings([review, { ...review, ...change }])), [`1.${path}`])
  })
}

const accepted: [name: string, change: Record<string, unknown>][] = [
  ['no rating', { rating: undefined }],
  ['a null rating', { rating: null }],
  ['rating 5.0', { rating: JSON.parse('5.0') }],
  ['text of 20,000 characters', { text: 'x'.repeat(20_000) }],
  ['text of 20,000 characters between spaces', { text: ` ${'x'.repeat(20_000)} ` }],
  ['null addresses', { url: null, author_avatar_url: null }],
  ['an address with letters beyond ASCII', { url: 'https://example.com/straße' }],
  ['an address of 2,048 characters', { url: `https://a.example/${'x'.repeat(2_030)}` }],
  ['an address of another scheme with 1,000 characters', { url: `urn:review:${'x'.repeat(1_000)}` }],
  ['an offset', { occurred_at: '2026-01-05T10:00:00.123456789+05:30' }],
  ['a leap day', { occurred_at: '2024-02-29T23:59:59-00:00' }],
  ['a language with script and region', { language: 'zh-Hant-TW' }],
  [
    '32 metadata entries',
    { metadata: Object.fromEntries(Array.from({ length: 32 }, (_, i) => [`k${i}`, 'x'.repeat(512)])) },
  ],
  ['empty metadata', { metadata: {} }],
]
for (const [name, change] of accepted) {
  test(`accepts ${name}`, () => {
    const result = validate(reviewInput, { ...review, ...change })
    assert.ok(result.ok, JSON.stringify(result))
  })
}

test('keeps text verbatim but for the space around it', () => {
  const result = validate(reviewInput, { ...review, text: '  two  spaces\r\n\tand a tab ' })
  assert.ok(result.ok)
  assert.is(result.value.text, 'two  spaces\r\n\tand a tab')
})

test('names every unknown and missing field at once', () => {
  assert.equal(findings({ one: 1, two: 2, three: [3], source: 'google' }), {
    external_id: 'is required',
    text: 'is required',
    author_name: 'is required',
    occurred_at: 'is required',
    one: 'is not a known field',
    two: 'is not a known field',
    three: 'is not a known field',
  })
})

test('refuses fields named like prototype members by name', () => {
  const input = JSON.parse(`{"__proto__": {"text": "x"}, "constructor": 1, "toString": 2, "hasOwnProperty": 3}`)
  const found = findings({ ...input, ...review })
  assert.equal(Object.keys(found).sort(), ['__proto__', 'constructor', 'hasOwnProperty', 'toString'])
})

test('keeps metadata keys named like prototype members', () => {
  const metadata = JSON.parse('{"__proto__": "a", "constructor": "b", "toString": "c"}')
  const result = validate(reviewInput, { ...review, metadata })
  assert.ok(result.ok)
  const stored = result.value.metadata ?? {}
  assert.equal(Object.entries(stored), [
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['toString', 'c'],
  ])
  assert.is(Object.getPrototypeOf(stored), Object.prototype)
})

test('refuses whatever is no object where a review is expected', () => {
  for (const input of [null, true, 1, 'text']) assert.equal(findings(input), { '(body)': 'must be an object' })
  assert.equal(findings([[], null, 7]), {
    '0': 'must be an object',
    '1': 'must be an object',
    '2': 'must be an object',
  })
})

test('refuses an empty batch and one of 101', () => {
  assert.equal(findings([]), { '(body)': 'must have at least 1 review' })
  assert.equal(findings(Array.from({ length: 101 }, () => 0)), { '(body)': 'must have at most 100 reviews' })
  assert.ok(
    validate(
      pushBody,
      Array.from({ length: 100 }, () => review),
    ).ok,
  )
})

test('bounds the number of findings', () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, i]))
  const result = validate(pushBody, many)
  assert.not.ok(result.ok)
  if (!result.ok) {
    assert.is(result.details.length, 5_001)
    assert.match(result.details.at(-1)?.message ?? '', 'more findings')
  }
})

test.run()
