import * as assert from 'uvu/assert'
import { Spelling } from '../../../server/embed/builtin/spelling.ts'
import { suite } from '../../suite.ts'

const test = suite('spelling')

const WORDS = ['breakfast', 'comfortable', 'friendly', 'sauce', 'terrace', 'terraces', 'wifi', 'café']
const units = Uint16Array.from(WORDS.join(''), (char) => char.charCodeAt(0))
const ends = Int32Array.from([0, ...WORDS.map((_, i) => WORDS.slice(0, i + 1).join('').length)])
const spelling = new Spelling(units, ends)

function meant(word: string): string | undefined {
  const token = Uint16Array.from(`xx${word}`, (char) => char.charCodeAt(0))
  return WORDS[spelling.find(token, 2, token.length)]
}

test('finds the word that has one letter more, less, another or swapped', () => {
  assert.is(meant('brekfast'), 'breakfast')
  assert.is(meant('breakffast'), 'breakfast')
  assert.is(meant('breakfest'), 'breakfast')
  assert.is(meant('comfotrable'), 'comfortable')
  assert.is(meant('freindly'), 'friendly')
})

test('two slips, another first letter and short words find nothing', () => {
  assert.is(meant('brekfest'), undefined)
  assert.is(meant('greakfast'), undefined)
  assert.is(meant('wiffi'), undefined)
  assert.is(meant('sacue'), undefined)
})

test('of two words within reach the more frequent is meant', () => {
  assert.is(meant('terracee'), 'terrace')
})

test('only plain letters are mended', () => {
  assert.is(meant('frühstück'), undefined)
  assert.is(meant('friendly1'), undefined)
})

test.run()
