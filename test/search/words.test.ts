import * as assert from 'uvu/assert'
import { GENERIC_WORDS, KIND_OF_BUSINESS_WORDS, SETTING_WORDS } from '../../server/search/generic-words.ts'
import { queryWords, requiredMatches } from '../../server/search/words.ts'
import { suite } from '../suite.ts'

const test = suite('words of a query')
const textsOf = (q: string) => queryWords(q).map(({ text }) => text)
const countedOf = (q: string) => queryWords(q).flatMap(({ text, counts }) => (counts ? text : []))

test('are lower-cased, each once, in order', () => {
  assert.equal(textsOf('Quiet ROOM, quiet night'), ['quiet', 'room', 'night'])
})

test('have one dot where Turkish capitals had one', () => {
  assert.equal(textsOf('İstanbul İNCE kumaş'), ['istanbul', 'ince', 'kumaş'])
  assert.equal(textsOf('İyi İnternet'), ['internet'])
})

test('leave out words that say nothing in a review', () => {
  assert.equal(textsOf('the best place with a really good breakfast'), ['breakfast'])
  assert.equal(textsOf('ein ruhiges Zimmer mit schöner Aussicht'), ['ruhiges', 'zimmer', 'aussicht'])
  assert.equal(textsOf('une chambre avec vue sur la mer'), ['chambre', 'vue', 'mer'])
  assert.equal(textsOf('una habitación con balcón'), ['habitación', 'balcón'])
})

test('leave out the kind of page, of which a derived query may consist in part', () => {
  assert.equal(textsOf('Blog – Bread from our oven'), ['bread', 'oven'])
  assert.equal(textsOf('Sauna – Page 2'), ['sauna'])
  assert.equal(textsOf('Kategorie: Frühstück'), ['frühstück'])
})

test('may be none at all', () => {
  assert.equal(textsOf('good place!'), [])
  assert.equal(textsOf('… ?! 5'), [])
})

test('name the kind of business only when there is nothing else', () => {
  assert.equal(textsOf('hotel with a pool'), ['pool'])
  assert.equal(textsOf('good restaurant'), ['restaurant'])
})

test('rank by what every such business has, without counting it', () => {
  assert.equal(textsOf('does the room have a view'), ['room', 'view'])
  assert.equal(countedOf('does the room have a view'), ['view'])
  assert.equal(countedOf('how is the service'), [])
  assert.equal(countedOf('ein ruhiges Zimmer'), ['ruhiges', 'zimmer'])
})

test('rank by polite and chatty words, without counting them', () => {
  assert.equal(countedOf('Sorry, do you happen to know whether the bar is considered noisy?'), ['bar', 'noisy'])
  assert.equal(countedOf('Hi, could you check if it is known for its brunch? Thanks'), ['brunch'])
  assert.equal(countedOf('I was wondering, is it possible to get information about parking'), ['parking'])
})

test('know check-in however it is written, and a request to check by its being alone', () => {
  for (const q of ['late check-in', 'late check in', 'late checkin', 'late Check-Ins']) {
    assert.equal(countedOf(q), ['late', 'check'], q)
  }
  assert.equal(countedOf('easy check-out'), ['easy', 'check'])
  assert.equal(countedOf('Check-in to the room'), ['check'])
  assert.equal(countedOf('please check the parking'), ['parking'])
})

test('know wifi however it is written', () => {
  for (const q of ['fast wifi', 'fast Wi-Fi', 'fast wi fi', 'fast WI\u2011FI', 'fast Wi\u00a0Fi']) {
    assert.equal(countedOf(q), ['fast', 'wifi'], q)
  }
})

test('leave out the name of the business', () => {
  assert.equal(textsOf('Does the Harrow Hill Guest House have wifi?'), ['wifi'])
  assert.equal(textsOf('Is the breakfast at Rosa and Ben’s Kitchen vegan?'), ['breakfast', 'vegan'])
  assert.equal(textsOf('Are there quiet rooms at the Ashgrove Hotel?'), ['quiet', 'rooms'])
  assert.equal(textsOf('is there parking at the Harrow hotel?'), ['parking'])
  assert.equal(textsOf('do they serve vegan food early at House of the Lake'), ['serve', 'vegan', 'food', 'early'])
  assert.equal(textsOf('is there wifi? Parking Sauna'), ['wifi', 'parking', 'sauna'])
  assert.equal(textsOf('does alder bed and breakfast have a sauna'), ['alder', 'sauna'])
})

test('keep capitals that mark no name', () => {
  assert.equal(textsOf('Is there WiFi and Italian food?'), ['wifi', 'italian', 'food'])
  assert.equal(textsOf('Parking. Sauna for two'), ['parking', 'sauna', 'two'])
  assert.equal(textsOf('Free Parking For Guests'), ['free', 'parking', 'guests'])
  assert.equal(textsOf('kostenlose Parkplätze Frühstück Sauna gesucht'), [
    'kostenlose',
    'parkplätze',
    'frühstück',
    'sauna',
    'gesucht',
  ])
  // A name is better than nothing.
  assert.equal(textsOf('what about the Harrow Hill'), ['harrow', 'hill'])
})

test('rank by endings and particles of Japanese, which count where there is nothing else', () => {
  assert.equal(countedOf('部屋は静かですか'), ['部屋', '静か'])
  assert.equal(countedOf('ここから'), ['ここ', 'から'])
})

test('are not more than a question has', () => {
  assert.is(queryWords(Array.from({ length: 90 }, (_, i) => `word${i}`).join(' ')).length, 32)
})

test('break where the text-search parser breaks', () => {
  assert.equal(textsOf("full-day in l'hôtel d'été"), ['full', 'day', 'été'])
  assert.equal(textsOf('breakfast/dinner'), ['breakfast', 'dinner'])
})

test('are composed, so that both ways to write an accent are one', () => {
  assert.equal(textsOf('cafe\u0301'), ['caf\u00e9'])
})

test('keep lone ideographs and longer numbers, but no lone letter or digit', () => {
  assert.equal(textsOf('湯 x 7 24'), ['湯', '24'])
})

test('keep words that are generic in one language and a topic in another', () => {
  assert.equal(textsOf('Bad fast Hut hat'), ['bad', 'fast', 'hut', 'hat'])
})

test('come from lists in the shape they are looked up in', () => {
  for (const word of [...GENERIC_WORDS, ...KIND_OF_BUSINESS_WORDS, ...SETTING_WORDS]) {
    assert.is(word, word.normalize('NFC').toLowerCase())
    assert.match(word, /^[\p{L}\p{M}]+$/u)
  }
})

test('need half of their different stems, rounded up, stop words not counted', () => {
  const half = (...stems: string[]) => requiredMatches({ stems, counts: stems.map(() => true) })
  assert.is(half(), 0)
  assert.is(half('', ''), 0)
  assert.is(half('pool'), 1)
  assert.is(half('pool', 'sauna'), 1)
  assert.is(half('pool', 'sauna', 'beach'), 2)
  assert.is(half('run', 'run', 'beach', ''), 1)
  assert.is(requiredMatches({ stems: ['pool', 'room', 'view'], counts: [true, false, false] }), 1)
  assert.is(requiredMatches({ stems: ['room'], counts: [false] }), 0)
})

test.run()
