import * as assert from 'uvu/assert'
import { sentencesAt } from '../../../server/indexing/chunking/sentences.ts'
import { MOST_SENTENCES } from '../../../server/sql/excerpts/save-excerpts.ts'
import { suite } from '../../suite.ts'
import { sentenceStarts } from './run-sync.ts'

const test = suite('sentences of an excerpt')

const of = (excerpt: string, language?: string) => sentencesAt(excerpt, sentenceStarts(excerpt, language))

test('are those that are long enough to be compared on their own', () => {
  assert.equal(
    of('The room was large, bright and very clean indeed. Breakfast was fresh bread and the best of pancakes.'),
    ['The room was large, bright and very clean indeed.', 'Breakfast was fresh bread and the best of pancakes.'],
  )
})

test('one sentence, or two short ones, have none: the excerpt is their vector', () => {
  for (const text of ['', 'Lovely!', 'The room was large, bright and very clean, with a balcony over the harbour.']) {
    assert.equal(sentenceStarts(text), [], text)
  }
  assert.equal(sentenceStarts('Nice room. Good food. We will come back!'), [])
})

test('a short one goes with the one before it, the first with the next', () => {
  const long = 'The room was large, bright and very clean, with a balcony.'
  const other = 'The people at the front desk were friendly to all of us.'
  assert.equal(of(`${long} Wow! ${other}`), [`${long} Wow!`, other])
  assert.equal(of(`Wow! ${long} ${other}`), [`Wow! ${long}`, other])
  assert.equal(of(`${long} ${other} Wow!`), [long, `${other} Wow!`])
})

test('shorter ones are compared on their own in a language whose words the model does not know', () => {
  const [room, breakfast] = ['Pokój był cichy i bardzo czysty.', 'Śniadanie było świeże i smaczne.']
  assert.equal(sentenceStarts(`${room} ${breakfast}`), [])
  assert.equal(sentenceStarts(`${room} ${breakfast}`, null, 'unknown'), [0, room.length + 1])
})

test('a dozen East Asian letters are a sentence; emoji are no letters', () => {
  const sentence = '房间非常干净，床也很舒服。'
  assert.equal(of(sentence.repeat(2), 'zh'), [sentence, sentence])
  assert.equal(sentenceStarts('房间干净。床舒服。', 'zh'), [])
  assert.equal(sentenceStarts('Nice room 😀😀😀😀. Good food 😀😀😀😀. We will come back 😀😀😀😀!'), [])
})

test('begin where the one before ends, and there are never more than a search compares', () => {
  const many = 'This is a sentence of more than forty-five letters. '.repeat(9).trim()
  const starts = sentenceStarts(many)
  assert.is(starts.length, MOST_SENTENCES)
  assert.is(sentencesAt(many, starts).join(' '), many)
  assert.is(starts[0], 0)
})

test.run()
