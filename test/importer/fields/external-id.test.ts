import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import type { Source } from '../../../src/contract/review.ts'
import { isMangledId, isStableId, stableId } from '../../../src/importer/fields/external-id.ts'
import { random } from '../../random.ts'
import { suite } from '../../suite.ts'

const test = suite('external id')
const base = { source: 'google' as Source, author: 'Ana Ruiz', day: '2026-01-05', text: 'Best tea in town.' }

test('the recipe is written down here: an id that was given once is given for ever', () => {
  const expected = createHash('sha256').update('["google","ana ruiz","2026-01-05","best tea in town."]').digest('hex')
  assert.is(stableId(base), `h1-${expected}`)
  assert.is(stableId(base), 'h1-19fcf1d4669cc93c56ecaea88ca353cb20b0f23b90e8cc2279fa10227770130b')
})

test('where the file names no day, the id is made of the rest under a prefix of its own', () => {
  const expected = createHash('sha256').update('["google","ana ruiz","best tea in town."]').digest('hex')
  assert.is(stableId({ ...base, day: undefined }), `u1-${expected}`)
  assert.ok(isStableId(stableId(base)))
  assert.not.ok(isStableId(stableId({ ...base, day: undefined })))
  assert.not.ok(isStableId('review-h1-'))
})

test('what a spreadsheet changes changes nothing', () => {
  const same = [
    { ...base, author: ' ana  RUIZ ' },
    { ...base, text: 'Best tea\r\n in  town. ' },
    { ...base, text: 'BEST TEA IN TOWN.' },
  ]
  for (const review of same) assert.is(stableId(review), stableId(base))
  assert.is(stableId({ ...base, text: 'Cafe\u0301' }), stableId({ ...base, text: 'Caf\u00e9' }))
})

test('another source, author, day or start of the text is another review', () => {
  const other = [
    { ...base, source: 'yelp' as const },
    { ...base, author: 'Ana Ruis' },
    { ...base, day: '2026-01-06' },
    { ...base, text: 'Best tea in the town.' },
  ]
  for (const review of other) assert.is.not(stableId(review), stableId(base))
})

test('200 characters of the text count, however many units or blanks they take', () => {
  const start = '🍵'.repeat(200)
  assert.is(stableId({ ...base, text: `${start}one` }), stableId({ ...base, text: `${start}two` }))
  const shorter = '🍵'.repeat(199)
  assert.is.not(stableId({ ...base, text: `${shorter}one` }), stableId({ ...base, text: `${shorter}two` }))
  for (const length of [150, 199, 200, 201, 239, 241, 279, 281, 999, 1_001, 5_000]) {
    const text = `É${'ab '.repeat(2_000)}`
    const cut = stableId({ ...base, text: text.slice(0, length) })
    assert.is(cut === stableId({ ...base, text }), length >= 200, String(length))
  }
  const blanks = ' '.repeat(5_000)
  assert.is(stableId({ ...base, text: `one${blanks}two` }), stableId({ ...base, text: 'one two' }))
})

/** The recipe as it is described, without any of its shortcuts. */
function byTheRecipe({ source, author, day, text }: { source: Source; author: string; day: string; text: string }) {
  const plain = (value: string) => value.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()
  const start = /[\ud800-\udfff]/.test(plain(text)) ? [...plain(text)] : plain(text).split('')
  const parts = [source, plain(author), day, start.slice(0, 200).join('')]
  return `h1-${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`
}

test('shortcuts for plain texts make the same ids as the recipe', () => {
  const ordinary = [...'abcXYZ .,!', 'ü', 'É', '’', '–', 'ÿ']
  const odd = [
    '  ',
    '"',
    '\\',
    '\n',
    '\u0301',
    'e\u0301',
    'İ',
    'Σ',
    '🍵',
    '\u00a0',
    '\u2028',
    '\u0001',
    'ß',
    '½',
    '한',
    'ᄒ',
    'ᅡ',
  ]
  const next = random(7)
  const pick = (from: readonly string[]) => from[Math.floor(next() * from.length)] ?? ''
  for (let round = 0; round < 6_000; round++) {
    const share = [0, 0.002, 0.01, 0.2][round % 4] ?? 0
    const written = (length: number) =>
      Array.from({ length }, () => pick(next() < share ? odd : ordinary)).join('') + pick(['', '', ' ', '\u0301'])
    const length = [5, 199, 200, 201, 240, 281, 400][round % 7] ?? 0
    const review = { ...base, author: written(round % 12), text: written(length) }
    assert.is(stableId(review), byTheRecipe(review), JSON.stringify(review))
  }
})

test('ids that a spreadsheet rounded are known', () => {
  for (const id of ['1.23457E+18', '1,23457E+17', '2E+15']) assert.ok(isMangledId(id), id)
  for (const id of ['1e3', 'E+18', '12.5E+18', '1.23457E+18-b', 'abc', '123456']) assert.not.ok(isMangledId(id), id)
})

test.run()
