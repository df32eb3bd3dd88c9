import stringWidth from 'string-width'
import * as assert from 'uvu/assert'
import { fastWidth } from '../../../src/cli/output/fast-width.ts'
import { ago, dayAndAge } from '../../../src/cli/output/format.ts'
import { truncate } from '../../../src/cli/output/text.ts'
import { wrap } from '../../../src/cli/output/wrap.ts'
import { suite } from '../../suite.ts'

const test = suite('widths and dates without the tables of all languages')

test('each character that counts as plain is as wide as string-width says, alone and beside any other', () => {
  const plain = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (letter) => fastWidth(letter) !== undefined,
  )
  assert.ok(plain.length > 1_000)
  for (const letter of plain) assert.is(fastWidth(letter), stringWidth(letter), JSON.stringify(letter))
  const line = plain.join('')
  assert.is(fastWidth(line), stringWidth(line))
  const backwards = plain.reverse().join('')
  assert.is(fastWidth(backwards), stringWidth(backwards))
})

test('what joins its neighbours, is wide or moves the cursor is left to string-width', () => {
  for (const text of ['\u0301', '\u00ad', '\u200b', '\ufe0f', '日', '👍', '한', 'नि', '\t', '\n', '\u001b[2J']) {
    assert.is(fastWidth(`a${text}`), undefined, JSON.stringify(text))
  }
  assert.is(fastWidth('\u001b[1m“Käse”\u001b[22m ★☆'), 9)
})

test('plain and other texts are cut and wrapped alike', () => {
  assert.equal(
    ['sauna with a view', 'söuna with ä view', 'sauna wíth\u0301 a view'].map((text) => truncate(text, 8)),
    ['sauna w…', 'söuna w…', 'sauna w…'],
  )
  assert.is(truncate('日本語の部屋', 7), '日本語…')
  assert.is(wrap('sauna with a view', 17), 'sauna with a view')
  assert.is(wrap('sauna with a view', 12, 2), '  sauna with\n  a view')
  assert.is(wrap('日本語 の 部屋', 8), '日本語\nの 部屋')
})

test('dates are days in UTC with their age in words', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const ages = [
    ['2026-11-21T11:59:30Z', 'just now'],
    ['2026-11-21T11:58:30Z', '1 minute ago'],
    ['2026-11-21T09:58:30Z', '2 hours ago'],
    ['2026-11-20T09:00:00Z', '1 day ago'],
    ['2026-11-18T09:00:00Z', '3 days ago'],
    ['2026-11-14T09:00:00Z', '1 week ago'],
    ['2026-09-17T09:00:00Z', '2 months ago'],
    ['2025-11-01T09:00:00Z', '1 year ago'],
    ['2019-11-01T09:00:00Z', '7 years ago'],
    ['2026-11-22T13:00:00Z', 'in 1 day'],
    ['2026-11-21T15:00:00Z', 'in 3 hours'],
    ['2027-12-21T15:00:00Z', 'in 1 year'],
  ] as const
  for (const [date, age] of ages) assert.is(ago(new Date(date), now), age, date)
  assert.is(dayAndAge('2026-09-17T23:30:00.000Z', now), '17 Sept 2026 (2 months ago)')
  assert.is(dayAndAge(null, now), 'no date')
})

test.run()
