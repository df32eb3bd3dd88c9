import * as assert from 'uvu/assert'
import { textSearchConfig } from '../../../server/sql/excerpts/text-config.ts'
import { suite } from '../../suite.ts'

const test = suite('text-search configuration of a language')

test('follows the primary language, whatever region, script or case the tag has', () => {
  assert.is(textSearchConfig('de'), 'german')
  assert.is(textSearchConfig('de-AT'), 'german')
  assert.is(textSearchConfig('PT-br'), 'portuguese')
  assert.is(textSearchConfig('sr-Latn-RS'), 'serbian')
  assert.is(textSearchConfig('nb'), 'norwegian')
  assert.is(textSearchConfig('nn-NO'), 'norwegian')
})

test('understands aliases of a language', () => {
  assert.is(textSearchConfig('eng'), 'english')
  assert.is(textSearchConfig('deu'), 'german')
  assert.is(textSearchConfig('ji'), 'yiddish')
})

test('takes English for a review that does not say its language', () => {
  assert.is(textSearchConfig(null), 'english')
  assert.is(textSearchConfig(undefined), 'english')
  assert.is(textSearchConfig('und'), 'english')
})

test('takes the language of the script for a review that does not say its own', () => {
  assert.is(textSearchConfig(null, 'Завтрак был вкусным, Wi-Fi быстрый.'), 'russian')
  assert.is(textSearchConfig(undefined, 'Το πρωινό ήταν εξαιρετικό.'), 'greek')
  assert.is(textSearchConfig('und', 'كان الإفطار لذيذا جدا.'), 'arabic')
  assert.is(textSearchConfig(null, 'नाश्ता बहुत स्वादिष्ट था।'), 'hindi')
  assert.is(textSearchConfig('en', 'Завтрак был вкусным.'), 'english')
  assert.is(textSearchConfig(null, 'We ate at Завтрак near the station.'), 'english')
  assert.is(textSearchConfig(null, '朝食がとても美味しかったです。'), 'english')
})

test('takes the language that Latin letters beyond ASCII show', () => {
  assert.is(textSearchConfig(null, 'Frukosten var jättegod, och personalen var mycket vänlig mot oss.'), 'swedish')
  assert.is(textSearchConfig(null, 'Henkilökunta oli ystävällistä ja aamiainen oli todella hyvä.'), 'finnish')
  assert.is(textSearchConfig(null, 'Das Frühstück war sehr gut und die Zimmer waren ruhig.'), 'german')
  assert.is(textSearchConfig(null, 'Śniadanie było pyszne, a pokój był cichy i czysty.'), 'simple')
  assert.is(textSearchConfig(null, 'We loved the café, and the staff were friendly all week.'), 'english')
  assert.is(textSearchConfig(null, 'The breakfast was good and the staff were friendly.'), 'english')
  assert.is(textSearchConfig(null, 'É'), 'english')
})

test('takes the language of the words of a longer text without such letters', () => {
  const texts = {
    dutch: 'Heerlijk gegeten op het terras, de bediening was vriendelijk en we komen zeker nog eens terug.',
    italian: 'Abbiamo mangiato molto bene, il personale era gentile e le camere erano pulite e silenziose.',
    german: 'Wir haben sehr gut gegessen, die Bedienung war freundlich und die Zimmer waren ruhig und sauber.',
    spanish: 'Comimos muy bien, el personal era amable y las habitaciones estaban limpias y tranquilas.',
    english:
      'Perfect location, comfortable beds, excellent breakfast, helpful people at reception, highly recommended.',
    swedish: 'Vi bodde i ett stort rum med fin utsikt, maten var god och personalen hjälpte oss med allt.',
  }
  for (const [config, text] of Object.entries(texts)) assert.is(textSearchConfig(null, text), config)
  assert.is(textSearchConfig('en', texts.dutch), 'english')
})

test('takes English for a short text without such letters', () => {
  assert.is(textSearchConfig(null, 'Super service, ristorante top.'), 'english')
  assert.is(textSearchConfig(null, 'Lekker gegeten, fijn terras.'), 'english')
})

test('takes the words as they stand where a script has letters of another language', () => {
  assert.is(textSearchConfig(null, 'Сніданок був дуже смачним і свіжим.'), 'simple')
  assert.is(textSearchConfig(null, 'صبحانه خیلی خوب بود و پرسنل مهربان بودند.'), 'simple')
})

test('takes the words as they stand for a language without a stemmer', () => {
  assert.is(textSearchConfig('ja'), 'simple')
  assert.is(textSearchConfig('pl-PL'), 'simple')
})

test('does not stumble over a tag that is no language', () => {
  assert.is(textSearchConfig('x-private'), 'simple')
  assert.is(textSearchConfig('i-klingon'), 'simple')
  assert.is(textSearchConfig('constructor'), 'simple')
  assert.is(textSearchConfig('__proto__'), 'simple')
  assert.is(textSearchConfig(''), 'simple')
})

test.run()
