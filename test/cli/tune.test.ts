import * as assert from 'uvu/assert'
import { floorOutcomes, type Judged, outcomeOf, suggestedFloor } from '../../src/cli/tune.ts'
import { suite } from '../suite.ts'

const test = suite('tuning the relevance floor')

const judged = (fits: boolean, cosine: number, matchesHalf = false): Judged => ({
  query: 'q',
  review: 'r',
  fits,
  excerpts: [{ cosine, matchesHalf }],
})

test('a floor between what fits and what does not is found, far from both', () => {
  const all = [judged(true, 0.8), judged(true, 0.75), judged(false, 0.55), judged(false, 0.3)]
  const suggested = suggestedFloor(floorOutcomes(all))
  assert.equal([suggested?.kept, suggested?.lost, suggested?.wrong], [2, 0, 0])
  assert.ok((suggested?.floor ?? 0) > 0.6 && (suggested?.floor ?? 0) < 0.7)
})

test('words let a review in below the floor, as in a search', () => {
  assert.is(outcomeOf([judged(true, 0.55, true)], 0.66).kept, 1)
  assert.is(outcomeOf([judged(true, 0.53, true)], 0.66).kept, 1)
  assert.is(outcomeOf([judged(true, 0.52, true)], 0.66).kept, 0)
  assert.is(outcomeOf([judged(true, 0.55, false)], 0.66).kept, 0)
})

test('a wrong result weighs more than a lost one', () => {
  // Either both appear or only the first: the lower floor would add one right and one wrong.
  const all = [judged(true, 0.8), judged(true, 0.6), judged(false, 0.6)]
  assert.equal([suggestedFloor(floorOutcomes(all))?.kept, suggestedFloor(floorOutcomes(all))?.wrong], [1, 0])
})

test('a review with several excerpts appears by its best one', () => {
  const one: Judged = {
    ...judged(true, 0.2),
    excerpts: [
      { cosine: 0.2, matchesHalf: false },
      { cosine: 0.7, matchesHalf: false },
    ],
  }
  assert.is(outcomeOf([one], 0.66).kept, 1)
})

test('one that is not indexed appears nowhere', () => {
  assert.is(outcomeOf([{ ...judged(true, 0), excerpts: [] }], 0.4).lost, 1)
})

test.run()
