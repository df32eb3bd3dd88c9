import * as assert from 'uvu/assert'
import { seeded } from '../../../bench/corpus.ts'
import { selectLeast } from '../../../server/search/memory/select-least.ts'
import { suite } from '../../suite.ts'

const test = suite('the least of many values')
const random = seeded(11)

test('are those that come first when all are sorted, equal ones by the comparison', () => {
  for (let round = 0; round < 300; round++) {
    // Few different values, so that many are equal.
    const values = Float64Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * 9) / 4 - 1)
    const limit = 1 + Math.floor(random() * 40)
    const later = (a: number, b: number) => b - a
    const places = Array.from(values, (_, place) => place)
    const sorted = places.sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || later(a, b)).slice(0, limit)
    assert.equal(new Set(selectLeast(values, limit, later)), new Set(sorted))
    assert.is(selectLeast(values, limit, later).length, sorted.length)
  }
})

test.run()
