import * as assert from 'uvu/assert'
import { deriveQuery as derive, fitQuery, type PageText } from '../../snippet/derive-query.ts'
import { suite } from '../suite.ts'

const test = suite('query derived from a page')
const page = { h1: [], title: '', description: [], site: [] }
const deriveQuery = (of: PageText, ...descriptions: string[]) =>
  derive(of, descriptions[0] === undefined ? '' : descriptions)

test('a title that ends with the heading begins with the site’s name, which is left out, undeclared as it is', () => {
  const query = (h1: string[], title: string) => deriveQuery({ ...page, h1, title })
  assert.is(query(['Spa'], 'Lantern Bakery | Spa'), 'Spa')
  assert.is(query(['Spa'], 'Lantern Bakery: Spa'), 'Spa')
  assert.is(query(['Category: Breakfast'], 'Lantern Bakery – Breakfast'), 'Breakfast')
  assert.is(query(['Spa'], 'Lantern Bakery – Day Spa'), 'Spa')
  assert.is(query(['Spa'], 'Lantern Bakery – Dayspa'), 'Spa')
  // The one at the beginning is the page's own, with the logo before it or not.
  assert.is(query(['Lantern Bakery', 'Spa'], 'Spa – Lantern Bakery'), 'Spa')
})

test('a heading is asked for alone, since a title that says other words is mostly the name of the site', () => {
  const query = (h1: string[], title: string) => deriveQuery({ ...page, h1, title })
  assert.is(query(['Breakfast'], 'Pension Alder'), 'Breakfast')
  assert.is(query(['Breakfast'], 'Pension Alder – Leeds'), 'Breakfast')
  assert.is(query(['Quiet rooms with a balcony'], 'Rooms in Leeds | Pension Alder'), 'Quiet rooms with a balcony')
  assert.is(query([''], 'Breakfast | Pension Alder'), 'Breakfast – Pension Alder')
})

test('what stands in a title behind the words of the heading or the description is the name of the site', () => {
  const wellness = { ...page, h1: ['Spa'], title: 'Wellness – Spa | Lantern Bakery' }
  assert.is(deriveQuery(wellness, ''), 'Spa – Wellness')
  assert.is(deriveQuery({ ...page, h1: ['Spa'], title: 'Spa and sauna in Leeds: a day off | Lantern Bakery' }), 'Spa')
  const long = { ...page, h1: ['Spa'], title: 'Spa and sauna in Leeds | Lantern Bakery' }
  assert.is(deriveQuery(long, 'A day off.'), 'Spa – A day off. – Spa and sauna in Leeds – Lantern Bakery')
  const described = {
    ...page,
    h1: ['Rest'],
    title: 'Spa | Lantern Bakery | Leeds',
  }
  assert.is(deriveQuery(described, 'A day at Lantern Bakery.'), 'Rest – A day at Lantern Bakery. – Spa')
  assert.is(deriveQuery({ ...page, h1: ['Rest'], title: 'Spa | Lantern Bakery' }, ''), 'Rest – Spa – Lantern Bakery')
})

test('where the heading finds nothing, the description and the title follow it', () => {
  const suite = { ...page, h1: ['Lake view suite'], title: 'Rooms', description: ['Quiet and bright.'] }
  assert.is(deriveQuery(suite), 'Lake view suite')
  assert.is(deriveQuery(suite, ''), 'Lake view suite – Rooms')
  assert.is(deriveQuery(suite, 'Quiet and bright.'), 'Lake view suite – Quiet and bright. – Rooms')
})

test('a title that repeats the heading adds nothing', () => {
  const query = (h1: string, title: string) => deriveQuery({ ...page, h1: [h1], title }, '')
  assert.is(query('Spa & Sauna', 'Spa and sauna'), 'Spa & Sauna – Spa and sauna')
  assert.is(query('Spa & Sauna', 'SPA SAUNA!'), 'Spa & Sauna')
  assert.is(query('Our breakfast buffet', 'Breakfast'), 'Our breakfast buffet')
})

test('the kind of page before the name with which the title begins is left out', () => {
  const query = (h1: string, title: string) => deriveQuery({ ...page, h1: [h1], title })
  assert.is(query('Category: Breakfast', 'Breakfast – Pension Alder'), 'Breakfast')
  assert.is(query('\n Collection: \n Oak lamps\n ', 'Oak lamps – Lumen'), 'Oak lamps')
  assert.is(query('Catégorie : Petit-déjeuner', 'Petit-déjeuner | Pension'), 'Petit-déjeuner')
  assert.is(query('Room 3: The garden', 'Room 3: The garden – Alder'), 'Room 3: The garden')
  assert.is(query('Open: daily', 'Breakfast – Alder'), 'Open: daily')
  assert.is(query('Breakfast:', 'Breakfast – Alder'), 'Breakfast:')
  assert.is(query('Archive: Rooms: Lake view', 'Rooms at the lake – Alder'), 'Rooms')
})

test('a heading of colons and spaces alone is read in linear time', () => {
  const start = performance.now()
  for (const h1 of [':'.repeat(200_000), `:${' '.repeat(200_000)}`, ': '.repeat(100_000)])
    deriveQuery({ ...page, h1: [h1] })
  assert.ok(performance.now() - start < 2000)
})

test('a heading with soft hyphens is that of the title', () => {
  const query = (h1: string, title: string) => deriveQuery({ ...page, h1: [h1], title })
  const hyphened = 'Früh\xadstücks\xadbuffet'
  assert.is(query(hyphened, 'Frühstücksbuffet – Pension Alder'), hyphened)
  assert.is(query(hyphened, 'Pension Alder | Frühstücksbuffet'), hyphened)
  assert.is(query(hyphened, hyphened), hyphened)
})

test('a word inside another word is not a repeat', () => {
  assert.is(deriveQuery({ ...page, h1: ['Spaghetti'], title: 'Spa' }, ''), 'Spaghetti – Spa')
})

test('the name of the site is left out of the title', () => {
  const lake = { ...page, title: 'Wellness – Hotel Seeblick | Lake', site: ['Hotel Seeblick'] }
  assert.is(deriveQuery(lake), 'Wellness – Lake')
  assert.is(deriveQuery({ ...lake, h1: ['Spa'] }, ''), 'Spa – Wellness – Lake')
})

test('what the links to the front page are called is no subject, be it a heading, in the title or alone', () => {
  const site = ['Home', 'Lantern\n Bakery', '']
  const query = (h1: string[], title: string) => deriveQuery({ ...page, h1, title, site })
  assert.is(query([], 'Home | Drupal'), 'Drupal')
  assert.is(query(['Home'], 'Our rooms'), 'Our rooms')
  assert.is(query(['LANTERN BAKERY'], 'Lantern Bakery – Home'), '')
  assert.is(query(['Lantern Bakery', 'Bread'], 'Lantern Bakery'), 'Bread')
  assert.is(query(['Lantern Bakery'], 'Lantern Bakery – Bread'), 'Bread')
  assert.is(query(['Sit down'], 'Café | Lantern Bakery'), 'Sit down')
  assert.is(query(['A home from home'], 'Home'), 'A home from home')
})

test('a bar parts a title also without spaces, and the wide one of Japanese titles', () => {
  assert.is(deriveQuery({ ...page, title: '客室｜湖畔の宿', site: ['湖畔の宿'] }), '客室')
  assert.is(deriveQuery({ ...page, title: 'Rooms| Alder', site: ['Alder'] }), 'Rooms')
})

test('any sign between spaces parts a title, but those that stand in a name or a sentence', () => {
  for (const sign of ['-', '–', '·', '•', '∙', '⋅', '»', '«', '<', '~', '/', '::', '−', '－', '★', '¦', '→']) {
    assert.is(deriveQuery({ ...page, title: `Rooms ${sign} Hotel Alder`, site: ['Hotel Alder'] }), 'Rooms', sign)
  }
  for (const title of ['Bed & Breakfast', 'Bed + Breakfast', 'Bed ? Breakfast', 'Bed ! Breakfast', 'Bed-Breakfast']) {
    assert.is(deriveQuery({ ...page, title }), title)
  }
})

test('white space of the source is collapsed', () => {
  assert.is(deriveQuery({ ...page, h1: ['\n   Lake\n   view '] }), 'Lake view')
})

test('the empty link to a heading that a generator writes behind it leaves no zero-width space, one inside a word stays', () => {
  const query = (h1: string) => deriveQuery({ ...page, h1: [h1], title: 'Lake view | Alder' }, '')
  assert.is(query('Lake view \u200b'), 'Lake view')
  assert.is(query('Lake\u200bview'), 'Lake\u200bview')
})

test('letters of every script count, and a page of signs alone says nothing', () => {
  assert.is(deriveQuery({ ...page, h1: ['朝食'], title: 'ארוחת בוקר' }, ''), '朝食 – ארוחת בוקר')
  assert.is(deriveQuery({ ...page, h1: ['★★★'], title: ' – ' }), '')
  assert.is(deriveQuery(page), '')
})

test('the query ends between words after at most 500 units', () => {
  const query = deriveQuery(page, 'breakfast '.repeat(80))
  assert.ok(query.length <= 500 && query.length > 480)
  assert.ok(query.endsWith('breakfast'))
})

test('a query of exactly 500 units stays as it is', () => {
  const text = `${'a'.repeat(499)}b`
  assert.is(fitQuery(text), text)
  assert.is(fitQuery(`  ${text}  `), text)
  assert.is(fitQuery(`${text} more`), text)
})

test('a text without spaces is cut, but not inside a character', () => {
  assert.is(fitQuery('朝'.repeat(600)).length, 500)
  const cut = fitQuery(`a${'😀'.repeat(300)}`)
  assert.is(cut.length, 499)
  assert.is(cut, `a${'😀'.repeat(249)}`)
})

test.run()
