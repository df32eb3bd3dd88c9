import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../../server/embed/builtin/embedder.ts'
import { suite } from '../../suite.ts'

const test = suite('what a query’s words are in other languages')
const { languages: model } = await createBuiltinEmbedder()
const languagesOf = (q: string) => model?.meanings(q, []).languages ?? []
const wordsFor = (english: string, language: string) => model?.wordsFor(english, language) ?? []

test('is what they mainly are in English, and nothing for a compound or an unknown word', () => {
  assert.equal(model?.meanings('Doppelzimmer mit Frühstück, qwxzv', ['doppelzimmer', 'frühstück', 'qwxzv']), {
    languages: ['de'],
    english: ['', 'breakfast', ''],
  })
})

test('is for each word of a phrase what the phrase is', () => {
  assert.equal(model?.meanings('bon petit déjeuner', ['bon', 'petit', 'déjeuner']).english, [
    'good',
    'breakfast',
    'breakfast',
  ])
  assert.equal(model?.meanings('petit jardin', ['petit', 'jardin']).english, ['', 'garden'])
  assert.equal(model?.meanings('café da manhã', ['café', 'manhã']).english, ['breakfast', 'breakfast'])
})

test('is read in the languages that a query may be in', () => {
  assert.equal(languagesOf('quiet room'), ['en'])
  assert.equal(languagesOf('ruhiges Zimmer'), ['de'])
  assert.equal(languagesOf('Bad'), ['en', 'de', 'nl'])
  assert.equal(languagesOf('pain'), ['en', 'fr'])
  // English is left out where another language is likelier.
  assert.is(languagesOf('mare')[0], 'it')
  assert.not.ok(languagesOf('mare').includes('en'))
})

test('is at most eight words of a language, the most frequent first, the words of a phrase with spaces between', () => {
  for (const language of ['de', 'fr', 'es', 'it', 'nl', 'pt'])
    for (const english of ['parking', 'breakfast', 'clean', 'children', 'friendly', 'bathroom']) {
      const words = wordsFor(english, language)
      assert.ok(
        words.length <= 8 && words.every((word) => /^\p{L}+(?: \p{L}+)*$/u.test(word)),
        `${english} ${language}: ${words}`,
      )
    }
  assert.equal(wordsFor('breakfast', 'de'), ['fruhstuck', 'fruhstucken', 'gefruhstuckt'])
  assert.equal(wordsFor('breakfast', 'fr'), ['petit dejeuner'])
  assert.equal(wordsFor('noise', 'fr').slice(0, 2), ['bruit', 'bruits'])
})

test('is in the other number where the language has no word for this one', () => {
  assert.equal(wordsFor('dogs', 'de'), wordsFor('dog', 'de'))
  assert.is(wordsFor('dogs', 'de')[0], 'hund')
  assert.is(wordsFor('mattresses', 'de')[0], 'matratze')
})

test('has words that are two English ones behind those that are one', () => {
  assert.ok(wordsFor('gift', 'de').includes('geschenk'))
  assert.is(wordsFor('delivery', 'de')[0], 'lieferung')
})

test('is none of the words that it is only near to', () => {
  assert.equal(model?.meanings('Morphium', ['morphium']), { languages: ['de'], english: [''] })
  assert.not.ok(wordsFor('heroin', 'de').includes('morphium'))
})

test('is the English word in English, and nothing in a language that the model does not know', () => {
  assert.equal(wordsFor('parking', 'en'), ['parking'])
  assert.equal(wordsFor('parking', 'sv'), [])
  assert.equal(wordsFor('qwxzv', 'de'), [])
})

test.run()
