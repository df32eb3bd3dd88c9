import * as assert from 'uvu/assert'
import { groupForSaving } from '../../server/indexing/prepare-review.ts'
import { suite } from '../suite.ts'

const test = suite('prepare-review')
const reviewOf = (excerpts: number) => ({ excerpts: Array.from({ length: excerpts }) })
const sizes = (excerpts: number[], embedded = true) =>
  groupForSaving(excerpts.map(reviewOf), embedded).map((part) => part.map((one) => one.excerpts.length))

test('one save into the embedded database holds 64 excerpts at most, so that a search on the one connection waits briefly', () => {
  assert.equal(sizes([30, 30, 4, 1, 63]), [
    [30, 30, 4],
    [1, 63],
  ])
})

test('one save into a server, which answers others meanwhile, holds 128', () => {
  assert.equal(sizes([64, 63, 1, 1], false), [[64, 63, 1], [1]])
})

test('a review is saved whole, however long it is', () => {
  assert.equal(sizes([1, 150, 1]), [[1], [150], [1]])
})

test.run()
