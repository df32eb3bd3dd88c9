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

test('takes the language of the words and letters of a text in Latin script', () => {
  const texts = {
    swedish: ['Frukosten var jättegod, och personalen var mycket vänlig.', 'Trevlig personal, rent rum och god mat.'],
    danish: ['Sød betjening og lækker mad.', 'Maden var kold, og det tog en time.'],
    norwegian: ['Hyggelig betjening og veldig god mat.', 'Rask levering, anbefales.'],
    finnish: ['Henkilökunta oli ystävällistä.', 'Aamiainen oli hyva ja huone siisti.'],
    hungarian: ['Kedves személyzet, bőséges reggeli.', 'Nagyon finom volt minden, ajanlom.'],
    romanian: ['Mâncare foarte bună.', 'Camera a fost curata si personalul amabil.'],
    turkish: ['Odalar temiz ve kahvaltı güzeldi.', 'Yemekler cok lezzetli, personel ilgili.'],
    indonesian: ['Kamar bersih dan nyaman.', 'Pengiriman cepat, barang sesuai.'],
    german: ['Das Frühstück war sehr gut.', 'Nettes Personal, gerne wieder.'],
    dutch: ['Eén van de fijnste terrassen.', 'Lekker gegeten, fijn terras.'],
    italian: ['La città è vicina.', 'Ottimo cibo, personale gentile.'],
    french: ['Très bel accueil à la réception.', 'Chambre propre et calme.'],
    spanish: ['El baño no estaba limpio.', 'Buena comida y buen trato.'],
    portuguese: ['Não voltaria à piscina.', 'Entrega rapida e bom atendimento.'],
    // no stemmer
    simple: ['Śniadanie było pyszne.', 'Phòng sạch.', 'Milý personál.'],
  }
  for (const [config, every] of Object.entries(texts))
    for (const text of every) assert.is(textSearchConfig(null, text), config, text)
  assert.is(textSearchConfig('en', texts.dutch[1]), 'english')
})

test('reads decomposed letters as composed ones', () => {
  assert.is(textSearchConfig(null, 'Phòng sạch.'.normalize('NFD')), 'simple')
})

test('takes English for a text without marks in a language without a stemmer, so that words with marks find it', () => {
  assert.is(textSearchConfig(null, 'Pokoje czyste, bardzo mila obsluga.'), 'english')
  assert.is(textSearchConfig(null, 'Vyborne jidlo, doporucuji.'), 'english')
})

test('takes English for what no words tell, and for English beside names and dishes of other languages', () => {
  for (const text of [
    'Kohlrabi',
    '10/10 👍',
    'The crème brûlée was the best in town.',
    'We loved the café, and the staff were friendly all week.',
    'Los Angeles traffic was slow, Las Vegas was worse.',
    'Pan seared salmon, die-hard fans will love it.',
    'Superb pho and banh mi, fast service.',
    'Bistro du Lac never fails.',
    'Dr. Van den Berg was gentle with my son.',
  ])
    assert.is(textSearchConfig(null, text), 'english', text)
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
