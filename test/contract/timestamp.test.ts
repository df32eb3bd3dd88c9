import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { dateOrDateTime, dateTime, parseDateOrDateTime, parseDateTime } from '../../src/contract/timestamp.ts'
import { suite } from '../suite.ts'

const test = suite('instants of the contract')
const DAY_MS = 86_400_000

test('are those that their offsets and fractions say, to the millisecond', () => {
  for (const [written, instant] of [
    ['2026-01-05T10:00:00Z', '2026-01-05T10:00:00.000Z'],
    ['2026-01-05t10:00:00z', '2026-01-05T10:00:00.000Z'],
    ['2026-01-05T10:00:00.5Z', '2026-01-05T10:00:00.500Z'],
    ['2026-01-05T10:00:00.123999+05:30', '2026-01-05T04:30:00.123Z'],
    ['2026-01-05T10:00:00-05:30', '2026-01-05T15:30:00.000Z'],
    ['2026-01-05T10:00:00-00:00', '2026-01-05T10:00:00.000Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
    ['2026-01-05T23:59:59+23:59', '2026-01-05T00:00:59.000Z'],
    ['0099-01-05T10:00:00Z', '0099-01-05T10:00:00.000Z'],
    ['0100-01-05T10:00:00Z', '0100-01-05T10:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ] as const)
    assert.is(parseDateTime(written)?.toISOString(), instant, written)
})

test('may be on every day that there is', () => {
  for (const [from, to] of [
    [1895, 1905],
    [1995, 2005],
    [2095, 2105],
  ] as const)
    for (let at = Date.UTC(from, 0, 1); at < Date.UTC(to, 0, 1); at += DAY_MS) {
      const day = new Date(at).toISOString().slice(0, 10)
      assert.is(parseDateTime(`${day}T00:00:00Z`)?.getTime(), at, day)
      assert.is(parseDateTime(`${day}T00:00:00+00:00`)?.getTime(), at, day)
    }
})

test('are none on a day or at a time that there is not, or in another form', () => {
  for (const day of ['1900-02-29', '2026-02-29', '2024-02-30', '2100-02-29', '2026-04-31', '2026-01-00', '2026-00-10'])
    for (const zone of ['Z', '+00:00']) assert.is(parseDateTime(`${day}T10:00:00${zone}`), undefined, day)
  for (const written of [
    '2026-13-01T10:00:00Z',
    '2026-01-05T24:00:00Z',
    '2026-01-05T23:60:00Z',
    '2026-01-05T23:59:60Z',
    '2026-01-05T10:00:00+24:00',
    '2026-01-05T10:00:00+05:60',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-00:01',
    '2026-01-05T10:00:00',
    '2026-01-05T10:00Z',
    '2026-01-05 10:00:00Z',
    ' 2026-01-05T10:00:00Z',
    '2026-01-05T10:00:00Z.',
    '2026-01-05',
  ])
    assert.is(parseDateTime(written), undefined, written)
})

test('are midnight UTC where a day alone is taken', () => {
  assert.is(parseDateOrDateTime('2026-01-05')?.toISOString(), '2026-01-05T00:00:00.000Z')
  assert.is(parseDateOrDateTime('2026-01-05T10:00:00+10:00')?.toISOString(), '2026-01-05T00:00:00.000Z')
  for (const written of ['2026-02-30', '2026-1-5', '2026-01-05Z']) assert.is(parseDateOrDateTime(written), undefined)
})

test('without seconds are refused with a word about them', () => {
  for (const schema of [dateTime, dateOrDateTime]) {
    const [issue] = v.safeParse(schema, '2026-01-05T10:00Z').issues ?? []
    assert.match(issue?.message ?? '', 'with seconds')
  }
})

test.run()
