import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { isMangledId, stableId } from '../../src/importer/external-id.ts'
import { suite } from '../suite.ts'

const test = suite('external id')
const base = { source: 'google', author: 'Ana Ruiz', day: '2026-01-05', text: 'Best tea in town.' }

test('the recipe is written down here: an id that was given once is given for ever', () => {
  const expected = createHash('sha256').update('["google","ana ruiz","2026-01-05","best tea in town."]').digest('hex')
  assert.is(stableId(base), `h1-${expected}`)
  assert.is(stableId(base), 'h1-19fcf1d4669cc93c56ecaea88ca353cb20b0f23b90e8cc2279fa10227770130b')
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
    { ...base, source: 'yelp' },
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

test('ids that a spreadsheet rounded are known', () => {
  for (const id of ['1.23457E+18', '1,23457E+17', '2E+15']) assert.ok(isMangledId(id), id)
  for (const id of ['1e3', 'E+18', '12.5E+18', 'abc', '123456']) assert.not.ok(isMangledId(id), id)
})

test.run()
