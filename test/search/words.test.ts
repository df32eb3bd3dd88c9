import * as assert from 'uvu/assert'
import { GENERIC_WORDS, KIND_OF_BUSINESS_WORDS } from '../../server/search/generic-words.ts'
import { halfOf, queryWords } from '../../server/search/words.ts'
import { suite } from '../suite.ts'

const test = suite('words of a query')

test('are lower-cased, each once, in order', () => {
  assert.equal(queryWords('Quiet ROOM, quiet night'), ['quiet', 'room', 'night'])
})

test('leave out words that say nothing in a review', () => {
  assert.equal(queryWords('the best place with a really good breakfast'), ['breakfast'])
  assert.equal(queryWords('ein ruhiges Zimmer mit schöner Aussicht'), ['ruhiges', 'zimmer', 'aussicht'])
  assert.equal(queryWords('une chambre avec vue sur la mer'), ['chambre', 'vue', 'mer'])
  assert.equal(queryWords('una habitación con balcón'), ['habitación', 'balcón'])
})

test('may be none at all', () => {
  assert.equal(queryWords('good place!'), [])
  assert.equal(queryWords('… ?! 5'), [])
})

test('name the kind of business only when there is nothing else', () => {
  assert.equal(queryWords('hotel with a pool'), ['pool'])
  assert.equal(queryWords('good restaurant'), ['restaurant'])
})

test('break where the text-search parser breaks', () => {
  assert.equal(queryWords("wi-fi in l'hôtel d'été"), ['wi', 'fi', 'été'])
  assert.equal(queryWords('breakfast/dinner'), ['breakfast', 'dinner'])
})

test('are composed, so that both ways to write an accent are one', () => {
  assert.equal(queryWords('cafe\u0301'), ['caf\u00e9'])
})

test('keep lone ideographs and longer numbers, but no lone letter or digit', () => {
  assert.equal(queryWords('湯 x 7 24'), ['湯', '24'])
})

test('keep words that are generic in one language and a topic in another', () => {
  assert.equal(queryWords('Bad fast Hut hat'), ['bad', 'fast', 'hut', 'hat'])
})

test('come from lists in the shape they are looked up in', () => {
  for (const word of [...GENERIC_WORDS, ...KIND_OF_BUSINESS_WORDS]) {
    assert.is(word, word.normalize('NFC').toLowerCase())
    assert.match(word, /^[\p{L}\p{M}]+$/u)
  }
})

test('need half of their different stems, rounded up, stop words not counted', () => {
  const half = (...stems: string[]) => halfOf({ config: 'english', stems })
  assert.is(half(), 0)
  assert.is(half('', ''), 0)
  assert.is(half('pool'), 1)
  assert.is(half('pool', 'sauna'), 1)
  assert.is(half('pool', 'sauna', 'beach'), 2)
  assert.is(half('run', 'run', 'beach', ''), 1)
})

test.run()
