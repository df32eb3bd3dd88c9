import * as assert from 'uvu/assert'
import { stableId } from '../../../src/importer/fields/external-id.ts'
import { NewDays } from '../../../src/importer/rows/read-otherwise.ts'
import { suite } from '../../suite.ts'

const test = suite('new reviews of the same days as stored ones')

const daysOf = (count: number, days: number, month = '01') =>
  Array.from({ length: count }, (_, at) => `2026-${month}-${10 + (at % days)}`)

function compare(fresh: readonly string[], exports: string[][], hasIds = false) {
  const days = new NewDays()
  for (const [at, day] of fresh.entries()) {
    const text = `The bread of room ${at} was warm.`
    const id = hasIds ? `r${at}` : stableId({ source: 'custom', author: 'Ann', day, text })
    days.add({ external_id: id, source: 'custom', author_name: 'Ann', text, occurred_at: new Date(`${day}T12:00:00Z`) })
  }
  return days.compare(exports)
}

test('as many of each day, but for a tenth, seem to be those of another reading of the file', () => {
  assert.equal(compare(daysOf(10, 5), [daysOf(10, 5)]), { fresh: 10, stored: 10 })
  assert.equal(compare(daysOf(20, 5), [daysOf(40, 5, '02'), daysOf(18, 5)]), { fresh: 20, stored: 18 })
})

test('other numbers or days, few reviews or days, and reviews with ids of their vendor tell nothing', () => {
  for (const stored of [daysOf(17, 5), daysOf(23, 5), daysOf(20, 10), daysOf(20, 5, '02')])
    assert.is(compare(daysOf(20, 5), [stored]), undefined)
  assert.is(compare(daysOf(9, 5), [daysOf(9, 5)]), undefined)
  assert.is(compare(daysOf(20, 4), [daysOf(20, 4)]), undefined)
  assert.is(compare(daysOf(20, 5), []), undefined)
  assert.is(compare(daysOf(20, 5), [daysOf(20, 5)], true), undefined)
})

test.run()
