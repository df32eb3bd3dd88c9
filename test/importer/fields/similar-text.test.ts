import * as assert from 'uvu/assert'
import { isSimilarText } from '../../../src/importer/fields/similar-text.ts'
import { suite } from '../../suite.ts'

const test = suite('texts that may be one after an edit')

const TEXT = 'The bread was warm at seven, and they remembered how I take my coffee. We shall be back in spring.'

test('typing errors, sentences more or less and a rewritten end leave a text recognisable', () => {
  for (const edited of [
    TEXT.replace('remembered', 'rememberd').replace('warm', 'wram'),
    `UPDATE in June: they have changed the owner. ${TEXT}`,
    TEXT.replace(/ We.*/, ''),
    TEXT.replace(/ We.*/, ' The garden has become loud.'),
    TEXT.toUpperCase().replace(/[,.]/g, '!'),
  ]) {
    assert.ok(isSimilarText(TEXT, edited), edited)
    assert.ok(isSimilarText(edited, TEXT), edited)
  }
  assert.ok(
    isSimilarText(
      '部屋からの眺めが素晴らしく、朝食も美味しかったです。',
      '部屋からの眺めが素晴らしく、朝食も美味しかったです。また行きます。',
    ),
  )
})

test('the shorter text decides, also one of a single word', () => {
  const longer = `${TEXT} Parking is free, the rooms look over the harbour, and nobody answered the door. ${'It rained. '.repeat(20)}`
  for (const [one, other] of [
    [TEXT, longer],
    ['Super', 'super!'],
    ['Super', 'Super, as ever'],
    ['abcdef', 'bcdefghij'],
  ] as const) {
    assert.ok(isSimilarText(one, other), one)
    assert.ok(isSimilarText(other, one), one)
  }
})

test('other texts about the same things, and those without a letter, are others', () => {
  for (const other of [
    'Parking is free, the rooms look over the harbour, and the bread is fresh.',
    'Nobody answered the door at seven.',
    '🥐🥐',
    '',
  ])
    assert.not.ok(isSimilarText(TEXT, other), other)
  assert.not.ok(isSimilarText('👍', '👍👍'))
})

test.run()
