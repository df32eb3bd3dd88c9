import * as assert from 'uvu/assert'
import { NumberLists, ReviewPlaces } from '../../../server/search/memory/review-places.ts'
import { suite } from '../../suite.ts'

const test = suite('where the excerpts of a review stand')

test('a list gives what was added to it, once, whatever the others got meanwhile', () => {
  const lists = new NumberLists()
  for (let number = 0; number < 5_000; number++) lists.add(number % 700, number)
  assert.equal(
    lists.take(3).sort((a, b) => a - b),
    [3, 703, 1_403, 2_103, 2_803, 3_503, 4_203, 4_903],
  )
  assert.equal(lists.take(3), [])
  assert.equal(lists.take(100_000), [])
  lists.add(3, 703)
  assert.equal(lists.take(3), [703])
  assert.is(lists.take(4).length, 8)
})

test('excerpts are found by the beginning of an id, those of another that begins alike stay, and so they do while it grows', () => {
  const beginnings: number[] = []
  const places = new ReviewPlaces((excerpt) => beginnings[excerpt] ?? 0)
  // Every third of them shares its beginning with many, a few are negative as a number.
  for (let excerpt = 0; excerpt < 3_000; excerpt++) {
    beginnings.push(excerpt % 3 === 0 ? -7 : Math.imul(excerpt, 2_654_435_761))
    places.add(excerpt)
  }
  assert.equal(
    places.take(-7, (excerpt) => excerpt === 300 || excerpt === 2_997).sort((a, b) => a - b),
    [300, 2_997],
  )
  assert.equal(
    places.take(-7, (excerpt) => excerpt === 300),
    [],
  )
  for (let excerpt = 0; excerpt < 3_000; excerpt++) {
    const found = places.take(beginnings[excerpt] ?? 0, (one) => one === excerpt)
    assert.equal(found, excerpt === 300 || excerpt === 2_997 ? [] : [excerpt])
  }
})

test.run()
