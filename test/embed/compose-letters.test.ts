import * as assert from 'uvu/assert'
import { composeLetters } from '../../server/compose-letters.ts'
import { suite } from '../suite.ts'

const test = suite('composing letters')
const MARKS = ['\u0301', '\u0323', '\u0302', '\u0316', '\u0327']

test('letters and their marks become what NFC and NFKC make of them', () => {
  for (const text of [
    'cafe\u0301',
    'Vie\u0323\u0302t',
    '\u1112\u1161\u11ab',
    'ﬁne',
    '',
    'का\u093cम',
    'a\u0301'.repeat(50),
  ]) {
    assert.is(composeLetters(text), text.normalize('NFC'))
    assert.is(composeLetters(text, 'NFKC'), text.normalize('NFKC'))
  }
})

test('of the marks of one letter the first thirty-two count', () => {
  const marked = (count: number) => `e${Array.from({ length: count }, (_, i) => MARKS[i % MARKS.length]).join('')}!`
  assert.is(composeLetters(marked(32)), marked(32).normalize('NFC'))
  assert.is(composeLetters(marked(20_000)), composeLetters(marked(32)))
})

test.run()
