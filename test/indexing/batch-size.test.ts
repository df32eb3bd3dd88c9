import * as assert from 'uvu/assert'
import { BatchSize } from '../../server/indexing/batch-size.ts'
import { suite } from '../suite.ts'

const test = suite('how many reviews are claimed at once')

const fast = { saved: 1, full: true, milliseconds: 499 }
const slow = { saved: 1, full: true, milliseconds: 2_001 }
const medium = { saved: 1, full: true, milliseconds: 1_000 }

/** The size after each of these batches. */
function sizesAfter(size: BatchSize, batches: Parameters<BatchSize['finished']>[0][]): number[] {
  return batches.map((batch) => {
    size.finished(batch)
    return size.current
  })
}

test('twice as many while batches are fast, half as many when they are slow, within bounds', () => {
  const size = new BatchSize()
  assert.is(size.current, 32)
  assert.equal(sizesAfter(size, [fast, fast, fast, fast]), [64, 128, 256, 256])
  assert.is(BatchSize.most, 256)
  assert.equal(sizesAfter(size, [medium, slow, slow, slow, slow, slow, slow]), [256, 128, 64, 32, 16, 8, 8])
})

test('a batch that was not full is fast for want of reviews', () => {
  assert.equal(sizesAfter(new BatchSize(), [{ ...fast, full: false }]), [32])
})

test('after a failure one review is tried, and as soon as one is saved several again', () => {
  const size = new BatchSize()
  size.failed()
  assert.is(size.current, 1)
  assert.equal(sizesAfter(size, [{ ...medium, saved: 0 }, medium]), [1, 8])
})

test.run()
