import * as assert from 'uvu/assert'
import {
  escapeFormula,
  escapeMetadata,
  stripFormulaGuard,
  unescapeFormula,
  unescapeMetadata,
  unwrapTextFormula,
} from '../../../src/importer/read/cell-escape.ts'
import { suite } from '../../suite.ts'

const test = suite('cells that a spreadsheet would run')

const RUN = [
  '=1+1',
  '+1',
  '-1',
  '@a',
  '  =1',
  '\u00a0@a',
  '＝1',
  '＋1',
  '－1',
  '＠a',
  '\ta',
  '\ra',
  '\na',
  "'=1",
  "''-1",
]
const PLAIN = ['', 'a', "'a", "'", "''", '1-1', ' a', 'a=1', '"=1"', "' '"]

test('get one apostrophe, others none, and come back as they were', () => {
  for (const cell of RUN) assert.is(escapeFormula(cell), `'${cell}`)
  for (const cell of PLAIN) assert.is(escapeFormula(cell), cell)
  for (const cell of [...RUN, ...PLAIN]) assert.is(unescapeFormula(escapeFormula(cell)), cell)
})

test('an empty value of metadata is told from none, and apostrophes stay as many', () => {
  for (const value of ['', "'", "'''", 'a', "'a", "a'"]) {
    assert.not.equal(escapeMetadata(value), '')
    assert.is(unescapeMetadata(escapeMetadata(value)), value)
  }
  assert.is(unescapeMetadata(''), undefined)
})

test('the apostrophe that other programs put there goes, that of a quotation stays', () => {
  for (const cell of ['=1+1', '-5 degrees, and it was warm', '@ann', "+1 for the cook, it's good"])
    assert.is(stripFormulaGuard(`'${cell}`), cell)
  for (const cell of ["'", "'tis", "'@home' is the best", "'-5'", "''=1", '=1', "' =1"])
    assert.is(stripFormulaGuard(cell), cell)
})

test('a formula of its text is that text', () => {
  assert.is(unwrapTextFormula('="00123"'), '00123')
  assert.is(unwrapTextFormula('="say ""one"""'), 'say "one"')
  assert.is(unwrapTextFormula('=""'), '')
  for (const cell of ['="a"&"b"', '="', '="a"b', 'a="b"', '=1', '"a"']) assert.is(unwrapTextFormula(cell), cell)
})

test.run()
