import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { suite } from '../../suite.ts'

const test = suite('how much of a query a text says')
const { coverage } = await createBuiltinEmbedder()
const said = (query: string, text: string): number => {
  if (!coverage) throw new Error('the model compares no words')
  return coverage.ask(query)(coverage.read(text))
}

/** @param less what says less of the query than `more` does */
function saysMore(query: string, more: string, less: string): void {
  assert.ok(said(query, more) > said(query, less) + 0.05, `${query}: ${said(query, more)}, ${said(query, less)}`)
}

test('all of it is 1, in whatever order, and nothing of it hardly anything', () => {
  assert.is(said('cheap lunch', 'Lunch is cheap here.'), 1)
  assert.ok(said('cheap lunch', 'Our flight was delayed.') < 0.4)
  assert.is(said('...', 'Lunch is cheap here.'), 1)
})

test('the thing without its quality is less than both', () => {
  saysMore('cheap lunch', 'An inexpensive lunch', 'A nice place if you are around for lunch')
  saysMore('strong coffee', 'The coffee is strong', 'The coffee is always delicious')
  saysMore('lobster risotto', 'a risotto with lobster', 'calamari and scallops with onion jam')
  saysMore('manicure that lasts', 'my manicure lasted for weeks', 'my manicure was pretty')
})

test('what a query turns on counts for more than what it is put with', () => {
  saysMore('do you happen to know whether parking is difficult', 'Parking is difficult', 'Do you happen to know them')
})

test('a few words want one side, a question takes both', () => {
  saysMore('free wifi', 'The wifi is free', 'The wifi is not free')
  saysMore('quiet room', 'a calm room', 'a loud room')
  assert.ok(said('is the room quiet?', 'The room is not quiet') > said('quiet room', 'The room is not quiet') + 0.3)
})

test('a word that the model does not know counts when it stands there as it is', () => {
  saysMore('qwxzt massage', 'a qwxzt massage', 'a massage')
})

test('names in a query hardly count', () => {
  assert.ok(said('How is the soup at Salty Sailor?', 'The soup was hot') > 0.6)
})

test('words of other languages are those that they stand for', () => {
  assert.ok(said('ruhiges Zimmer', 'The room was quiet') > 0.95)
  assert.ok(said('quiet room', 'Das Zimmer war ruhig') > 0.95)
  saysMore('quiet room', 'Das Zimmer war ruhig', 'Das Zimmer war nicht ruhig')
})

test.run()
