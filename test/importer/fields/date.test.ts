import * as assert from 'uvu/assert'
import { parseDate, plainTimestamp } from '../../../src/importer/fields/date.ts'
import { suite } from '../../suite.ts'

const test = suite('date')

const MIDNIGHT = '2026-01-05T00:00:00.000Z'
const TEN = '2026-01-05T10:00:00.000Z'
const READ: [string, string][] = [
  ['2026-01-05', MIDNIGHT],
  ['2026-1-5', MIDNIGHT],
  ['2026/01/05', MIDNIGHT],
  ['2026.01.05', MIDNIGHT],
  ['01 5, 2026', MIDNIGHT],
  ['5 Ocak 2026, Pazartesi', MIDNIGHT],
  ['5 Ocak 2026 Pazartesi', MIDNIGHT],
  ['5 thg 1, 2026', MIDNIGHT],
  ['15 Thg 12, 2026 10:00', '2026-12-15T10:00:00.000Z'],
  ['07 15, 2026', '2026-07-15T00:00:00.000Z'],
  ['2026년 1월 5일', MIDNIGHT],
  ['2026年12月15日', '2026-12-15T00:00:00.000Z'],
  ['2026. 1. 5.', MIDNIGHT],
  ['2026. 12. 15. 10:00', '2026-12-15T10:00:00.000Z'],
  ['5 tháng 1 năm 2026', MIDNIGHT],
  ['Reviewed in the United Kingdom 🇬🇧 on 5 January 2026', MIDNIGHT],
  ['Escrita el 5 de enero de 2026', MIDNIGHT],
  ['Geschrieben am 5. Januar 2026', MIDNIGHT],
  ['Écrit le 5 janvier 2026', MIDNIGHT],
  ['20260105', MIDNIGHT],
  ['20260105T100000Z', TEN],
  ['20260105T1000', TEN],
  ['20260105T120000+0200', TEN],
  ['20260105T120000+02:00', TEN],
  ['2026-01-05T10:00:00Z', TEN],
  ['2026-01-05t10:00:00z', TEN],
  ['2026-01-05 10:00:00', TEN],
  ['2026-01-05 10:00', TEN],
  ['2026-01-05T10:00', TEN],
  ['2026-01-05T10:00:00', TEN],
  ['2026-01-05 10:00:00Z', TEN],
  ['2026-01-05T15:30:00+05:30', TEN],
  ['2026-01-05 06:30 GMT-3:30', TEN],
  ['2026-01-06T00:00:00+14:00', TEN],
  ['２０２６-０１-０５', MIDNIGHT],
  ['2026-01-05 10:00:00 UTC', TEN],
  ['2026-01-05 10:00:00 +0000', TEN],
  ['2026-01-05 10:00:00 +0000 UTC', TEN],
  ['2026-01-05T12:00:00+02:00', TEN],
  ['2026-01-05T12:00:00+0200', TEN],
  ['2026-01-05T12:00:00+02', TEN],
  ['2026-01-05T05:00:00-05:00', TEN],
  ['2026-01-05 11:00:00 CET', TEN],
  ['2026-01-05 05:00:00 EST', TEN],
  ['2025-10-21T19:40:30.903852Z', '2025-10-21T19:40:30.903Z'],
  ['2026-01-05T10:00:00,500Z', '2026-01-05T10:00:00.500Z'],
  ['Reviewed in the United States on January 5, 2026', MIDNIGHT],
  ['Reviewed in the United Kingdom on 5 January 2026', MIDNIGHT],
  ['Rezension aus Deutschland vom 5. Januar 2026', MIDNIGHT],
  ['Avis laissé en France le 5 janvier 2026', MIDNIGHT],
  ['Revisado en España el 5 de enero de 2026', MIDNIGHT],
  ['Recensito in Italia il 5 gennaio 2026', MIDNIGHT],
  ['2026年1月5日に日本でレビュー済み', MIDNIGHT],
  ['Written January 5, 2026', MIDNIGHT],
  ['Jan-05-26 05:00:00 EST', TEN],
  ['1/5/2026', MIDNIGHT],
  ['01/05/2026', MIDNIGHT],
  ['1-5-2026', MIDNIGHT],
  ['1/5/26', MIDNIGHT],
  ['1/5/98', '1998-01-05T00:00:00.000Z'],
  ['1/5/70', '1970-01-05T00:00:00.000Z'],
  ['1/5/69', '2069-01-05T00:00:00.000Z'],
  ['1/5/2026 23:59:59', '2026-01-05T23:59:59.000Z'],
  ['1/5/2026 10:00', TEN],
  ['1/5/2026 10:00:00', TEN],
  ['1/5/2026, 10:00 AM', TEN],
  ['1/5/2026 10:00 p.m.', '2026-01-05T22:00:00.000Z'],
  ['1/5/2026 12:00 AM', MIDNIGHT],
  ['1/5/2026 12:30 PM', '2026-01-05T12:30:00.000Z'],
  ['1/5/2026 1:30 PM', '2026-01-05T13:30:00.000Z'],
  ['5.1.2026', MIDNIGHT],
  ['05.01.2026 10:00 Uhr', TEN],
  ['5.1.26', MIDNIGHT],
  ['Jan 5, 2026', MIDNIGHT],
  ['Jan 5 2026', MIDNIGHT],
  ['January 5, 2026', MIDNIGHT],
  ['january 5th, 2026', MIDNIGHT],
  ['Jan. 5, 2026 10:00 AM', TEN],
  ['January 5, 2026 at 10:00 AM', TEN],
  ['5 Jan 2026', MIDNIGHT],
  ['5-Jan-26', MIDNIGHT],
  ['05-Jan-2026', MIDNIGHT],
  ['5th of January 2026', MIDNIGHT],
  ['Mon, 05 Jan 2026 10:00:00 GMT', TEN],
  ['Monday, January 5, 2026', MIDNIGHT],
  ['Mon Jan 05 2026 11:00:00 GMT+0100 (Central European Standard Time)', TEN],
  ['Mon Jan  5 10:00:00 UTC 2026', TEN],
  ['Mon Jan 05 13:00:00 MSK 2026', TEN],
  ['Mon Jan 05 10:00:00 IST 2026', TEN],
  ['2026-01-05 19:00:00 JST', TEN],
  ['2026-01-05 10:00 AM BST', TEN],
  ['2026-01-05 21:00:00 AEDT', TEN],
  ['5. Januar 2026', MIDNIGHT],
  ['2026. január 5.', MIDNIGHT],
  ['5. März 2026', '2026-03-05T00:00:00.000Z'],
  ['5 janvier 2026', MIDNIGHT],
  ['1er février 2026', '2026-02-01T00:00:00.000Z'],
  ['5 août 2026', '2026-08-05T00:00:00.000Z'],
  ['5 de enero de 2026', MIDNIGHT],
  ['5 gennaio 2026', MIDNIGHT],
  ['5 januari 2026', MIDNIGHT],
  ['5 de janeiro de 2026', MIDNIGHT],
  ['5 de março de 2026', '2026-03-05T00:00:00.000Z'],
  ['1767607200', TEN],
  ['1767607200.5', '2026-01-05T10:00:00.500Z'],
  ['1767607200.25', '2026-01-05T10:00:00.250Z'],
  ['1767607200000', TEN],
  ['1767607200000000', TEN],
  ['46027', MIDNIGHT],
  ['46027.4166666667', TEN],
  ['46027,4166666667', TEN],
  ['46027.4166666666', TEN],
  ['2026-02-28', '2026-02-28T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['\u200e1/\u200e5/2026', MIDNIGHT],
  ['2026-01-05\u00a010:00', TEN],
]
for (const [cell, expected] of READ) {
  test(`"${cell}" is ${expected}`, () => {
    const parsed = parseDate(cell)
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.message)
    assert.is(parsed.value.toISOString(), expected)
  })
}

const UNREADABLE = [
  '',
  '   ',
  '02/30/2026',
  '2026-02-30',
  '2025-02-29',
  '2026-02-30 10:00:00',
  '2026-13-01',
  '13/13/2026',
  '2026-01-05T24:00:00Z',
  '2026-01-05 10:60',
  '2026-01-05 10:00:60',
  '1/5/2026 13:00 PM',
  '2026-01-05 13:00 PM',
  '0000-00-00',
  '0000-00-00 00:00:00',
  '00/00/0000',
  '31.02.2026',
  'Feb 30, 2026',
  'Foo 5, 2026',
  '2026-01-05 10:00:00 XYZ',
  '2026-01-05 10:00:00 +1500',
  '2026-01-05 10:00:00 +0575',
  '2026-01-05 10:00:00 +2:3',
  '2026-01-05 10:00:00 ABC+2',
  '2 weeks ago',
  'yesterday',
  'vor 3 Tagen',
  'not a date',
  'a 5 thg 1, 2026',
  '5 thg 1, 20261',
  'a 07 15, 2026',
  '07 15, 2026.',
  'a 2026年1月5日',
  '2026. 1. 5.6',
  '20260105T100000Z.',
  'a20260105',
  '1767607200.5a',
  '46027.5a',
  'a46027',
  'a2026-01-05 10:00:00',
  '2026',
  '5',
  '12',
  '12345',
  '99999',
  '1,234.5',
  '2026-W02',
  '1/2',
  'Jan 2026',
  '１２３',
]
for (const cell of UNREADABLE) {
  test(`"${cell}" is no date`, () => {
    assert.is(parseDate(cell).ok, false)
  })
}

test('what is taken without being read is what reading it gives', () => {
  for (const [cell, expected] of READ) {
    const plain = plainTimestamp(cell)
    if (plain === undefined) continue
    assert.match(plain, /^[^ ]+T[^ ]+Z$/)
    assert.is(new Date(plain).toISOString(), expected, cell)
  }
  assert.is(plainTimestamp('2026-01-05 10:00:00'), '2026-01-05T10:00:00Z')
  for (const cell of [
    '2026-02-30 10:00:00',
    '2026-01-05 24:00:00',
    '2026-01-05T10:00:00+01:00',
    '2026-13-01T00:00:00Z',
  ])
    assert.is(plainTimestamp(cell), undefined, cell)
})

test('with the day first, 1/5/2026 is the first of May', () => {
  const parsed = parseDate('1/5/2026', true)
  assert.ok(parsed.ok && parsed.value.toISOString() === '2026-05-01T00:00:00.000Z')
})

test('day first leaves ISO dates and dates with dots as they are', () => {
  for (const cell of ['2026-01-05', '5.1.2026', 'Jan 5, 2026']) {
    const parsed = parseDate(cell, true)
    assert.ok(parsed.ok && parsed.value.toISOString() === MIDNIGHT, cell)
  }
})

test('a date that is only readable with the day first says which option reads it', () => {
  const parsed = parseDate('25/12/2025')
  assert.ok(!parsed.ok && parsed.message.includes('--day-first'))
  assert.is(parsed.slash, 'only-day-first')
  const turned = parseDate('12/25/2025', true)
  assert.ok(!turned.ok && turned.message.includes('--no-day-first'))
})

test('no option is named that would not read the date', () => {
  for (const cell of ['13/13/2026', '5.13.2026']) {
    const parsed = parseDate(cell)
    assert.ok(!parsed.ok && !parsed.message.includes('--'), cell)
    assert.is(parsed.slash, undefined, cell)
  }
})

test('a date says in which order it can be read', () => {
  for (const [cell, slash] of [
    ['1/5/2026', 'either'],
    ['12/25/2025', 'only-month-first'],
    ['25/12/2025', 'only-day-first'],
    ['5.1.2026', undefined],
  ] as const)
    for (const dayFirst of [false, true]) assert.is(parseDate(cell, dayFirst).slash, slash, cell)
})

test('of a date without its day it is said that it names none', () => {
  for (const cell of ['avril 2026', 'Nov, 2023', 'Feb 2025', '2023', '2023-04', '04/2023']) {
    const parsed = parseDate(cell)
    assert.ok(!parsed.ok && parsed.message.includes('does not name a day'), cell)
  }
  for (const date of ['5 мар. 2026 г.', '5 марта 2026 года', '5 березня 2026 року', '5 березня 2026 р.'])
    assert.is(parseDate(date).ok, true, date)
})

test('how long ago something was is known as that in the languages of the headings', () => {
  for (const cell of [
    '2 minggu lalu',
    '3 года назад',
    '2 ay önce',
    '3 miesiące temu',
    'منذ شهر',
    '2 か月前',
    '3 tháng trước',
  ]) {
    const parsed = parseDate(cell)
    assert.ok(!parsed.ok && parsed.message.includes('relative'), cell)
  }
})

test('what is no date is refused with the reason, and with what to do', () => {
  const refusals: [string, RegExp][] = [
    ['', /^has no date$/],
    ['never', /could not be read: write it as 2026-01-31$/],
    ['18 ноября, 19:35', /does not name its year: .*--as-of$/],
    ['2.14.토', /does not name its year: .*--as-of$/],
    ['a month ago', /is relative and does not name a day: .*--as-of$/],
    ['some weeks ago', /is relative and does not name a day: export the reviews with full dates$/],
    ['January 2026', /"January 2026" does not name a day: .*--as-of$/],
  ]
  for (const [cell, reason] of refusals) {
    const parsed = parseDate(cell)
    assert.match(parsed.ok ? 'read' : parsed.message, reason)
  }
})

test.run()
