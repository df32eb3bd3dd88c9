import * as assert from 'uvu/assert'
import type { ImportOptions } from '../../../src/importer/formats/mapping.ts'
import { suite } from '../../suite.ts'
import { prepare } from '../prepared.ts'

const test = suite('years of two digits')

const read = async (dates: string[], { header = 'date', ...options }: ImportOptions & { header?: string } = {}) => {
  const csv = `${header},text\n${dates.map((date, index) => `${date},Warm bread ${index}.\n`).join('')}`
  const { rows, warnings, skipped } = await prepare(csv, options)
  const days = rows.map(({ review }) => review.occurred_at.toISOString().slice(0, 10))
  return { days, skipped, told: warnings.map(({ message }) => message).join('\n') }
}

test('dates begin with the year where they would otherwise be of an unlikely one', async () => {
  const naver = await read(['24.03.05', '23.11.12', '22.12.30'])
  assert.equal(naver.days, ['2024-03-05', '2023-11-12', '2022-12-30'])
  assert.is(naver.told, 'file: dates such as "22.12.30" in line 4 are read with the year first')
  const dashes = await read(['24-03-05', '23-11-30'])
  assert.equal(dashes.days, ['2024-03-05', '2023-11-30'])
  assert.not.match(dashes.told, /day\/month/)
  assert.equal((await read(['24.3.5.화', '24. 11. 30.', '24.1.9 10:20'])).days, [
    '2024-03-05',
    '2024-11-30',
    '2024-01-09',
  ])
})

test('they do so below Korean headings, whatever the numbers', async () => {
  assert.equal((await read(['24.03.05', '23.11.12'], { header: '날짜' })).days, ['2024-03-05', '2023-11-12'])
})

test('they end with it elsewhere, also where one was mistyped', async () => {
  assert.equal(await read(['05.03.24', '30.11.23']), { days: ['2024-03-05', '2023-11-30'], skipped: [], told: '' })
  assert.equal((await read(['24.03.05', '12.11.23'])).days, ['2005-03-24', '2023-11-12'])
  assert.equal((await read(['05.03.24', '30.11.23', '12.11.32'])).days, ['2024-03-05', '2023-11-30', '2032-11-12'])
  assert.equal((await read(['3/25/24', '3/5/24'])).days, ['2024-03-25', '2024-03-05'])
  assert.equal((await read(['24-03-28'], { day_first: true })).days, ['2028-03-24'])
})

test('below Thai headings they may be of the Buddhist era', async () => {
  const thai = await read(['14/3/67', '25/11/66 18:05'], { header: 'วันที่' })
  assert.equal(thai.days, ['2024-03-14', '2023-11-25'])
  assert.match(thai.told, /dates such as "14\/3\/67" in line 2 are read as of the Buddhist era/)
  assert.equal((await read(['14/3/24', '25/11/23'], { header: 'วันที่' })).days, ['2024-03-14', '2023-11-25'])
  assert.equal((await read(['14/3/67'])).days, ['2067-03-14'], 'elsewhere it is a year to come, of which a note tells')
})

test.run()
