import * as assert from 'uvu/assert'
import { Dictionary, pairText } from '../../../server/search/memory/dictionary.ts'
import { suite } from '../../suite.ts'

const test = suite('numbers for texts')

test('every text keeps the number of its first time, however many come after it', () => {
  const dictionary = new Dictionary()
  const texts = Array.from({ length: 20_000 }, (_, i) => `${'wörd'.slice(0, i % 5)}${i.toString(36)}`)
  const known = new Map<string, number>()
  for (const text of [...texts, ...texts]) {
    if (!known.has(text)) known.set(text, known.size)
    assert.is(dictionary.add(text), known.get(text))
  }
  for (const text of texts) assert.is(dictionary.find(text), known.get(text))
  assert.is(dictionary.find('never met'), -1)
})

test('one without a text holds nothing and finds nothing', () => {
  const dictionary = new Dictionary()
  assert.is(dictionary.find(''), -1)
  assert.is(dictionary.bytes, 0)
  assert.is(dictionary.add(''), 0)
  assert.is(dictionary.find(''), 0)
})

test('a text among other bytes is the text alone', () => {
  const dictionary = new Dictionary()
  const line = Buffer.from('room\nroomy\n\nrüm')
  const numbers = [dictionary.addBytes(line, 0, 4), dictionary.addBytes(line, 5, 10), dictionary.addBytes(line, 11, 11)]
  assert.equal(numbers, [0, 1, 2])
  assert.equal(
    ['room', 'roomy', '', 'rüm', 'roo'].map((text) => dictionary.find(text)),
    [0, 1, 2, -1, -1],
  )
  assert.is(dictionary.addBytes(line, 12, line.length), 3)
  assert.is(dictionary.find('rüm'), 3)
})

test('long texts are told apart to their ends, and cost no more than their hashes', () => {
  const dictionary = new Dictionary()
  const long = 'x'.repeat(100_000)
  assert.equal(
    [`${long}a`, `${long}b`, `${long}a`].map((text) => dictionary.add(text)),
    [0, 1, 0],
  )
  assert.is(dictionary.find(`${long}b`), 1)
  assert.is(dictionary.find(long), -1)
  assert.ok(dictionary.bytes < 50_000)
})

test('a pair is no word, and neither its key nor its value alone', () => {
  const dictionary = new Dictionary()
  const pair = dictionary.add(pairText('branch', 'south'))
  assert.is.not(dictionary.add('branch'), pair)
  assert.is(dictionary.find(pairText('branch', 'north')), -1)
  assert.is(dictionary.find(pairText('branch', 'south')), pair)
})

test.run()
