import * as assert from 'uvu/assert'
import { findWordForms } from '../../server/search/sql/word-forms.ts'
import { queryWords } from '../../server/search/words.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { Garden } from './planted.ts'

const test = suite('words typed without their accents')
let db: TestDatabase

test.before(async () => {
  db = await openTestDatabase()
})
test.after(() => db.close())

async function lexemesOf(config: string, text: string): Promise<string[]> {
  const [row] = await db.sql<{ lexemes: string[] }[]>`
    select tsvector_to_array(excerpt_lexemes(${config}::text::regconfig, ${text})) as lexemes`
  return row?.lexemes ?? []
}

/** Which of the query's words the text has. */
async function met(config: string, text: string, q: string): Promise<string[]> {
  const words = queryWords(q).map((word) => word.text)
  const lexemes = await lexemesOf(config, text)
  const rows = await db.sql<{ stem: string }[]>`
    select query_lexeme(${config}::text::regconfig, word) as stem
    from unnest(${words}::text[]) with ordinality as query (word, place) order by place`
  return words.filter((_, i) => lexemes.includes(rows[i]?.stem || '?'))
}

/** A text in its configuration, and queries of which every word is met. */
const FOUND = [
  ['danish', 'Lækker rød grød på altanen', ['rød grød', 'rod grod', 'roed groed', 'RØD GRØD', 'laekker']],
  ['turkish', 'Kahvaltı çok lezzetli, ısıtma iyi', ['kahvaltı', 'kahvalti', 'KAHVALTI', 'isitma']],
  ['spanish', 'La habitación tenía jamón', ['habitación', 'habitacion', 'jamon']],
  ['french', 'Crème brûlée et thé fumé', ['crème brûlée', 'creme brulee', 'the fume', 'fumé']],
  ['portuguese', 'Café da manhã com pão', ['manhã', 'manha pao']],
  [
    'german',
    'Frühstück an der Straße, große Bäder',
    ['Frühstück', 'fruhstuck', 'Fruehstueck', 'Strasse', 'Baeder', 'grosse'],
  ],
  ['norwegian', 'Båten lå ved brygga i Tromsø', ['båten', 'baten', 'baaten', 'tromsoe']],
  ['swedish', 'Smörgås och färskt bröd', ['smörgås', 'smorgas', 'smoergaas', 'farskt brod']],
  ['hungarian', 'Bőséges reggeli, tűzhely', ['bőséges', 'boseges', 'tuzhely']],
  ['romanian', 'Curățenie și țuică', ['curățenie', 'curăţenie', 'curatenie', 'țuică', 'ţuică', 'tuica']],
  ['simple', 'Rozhovory, žemličky a příjemná łazienka', ['zemlicky', 'prijemna', 'lazienka', 'łazienka']],
  ['simple', 'Phở ngon ở Đà Nẵng', ['pho', 'phở', 'da nang', 'Đà Nẵng']],
  ['simple', 'עוגת שָׁלוֹם', ['שלום', 'שָׁלוֹם']],
  ['greek', 'Ο καφές ήταν ζεστός', ['καφές', 'καφες', 'ζεστος']],
  ['simple', 'Під ёлкой', ['ёлкой', 'елкой']],
  ['russian', 'Чёрный хлеб и новый ёж', ['чёрный', 'черный', 'еж', 'новый']],
  ['english', 'A café with crème brûlée and thé', ['café', 'cafe', 'creme brulee', 'thé']],
  ['english', 'A cafe with creme brulee', ['café', 'Crème brûlée']],
] as const

for (const [config, text, queries] of FOUND) {
  test(`${config}: "${text}" is met by ${queries.join(', ')}`, async () => {
    for (const form of ['NFC', 'NFD'] as const)
      for (const q of queries) {
        const words = queryWords(q.normalize(form)).map((word) => word.text)
        assert.ok(words.length > 0, q)
        assert.equal(await met(config, text.normalize(form), q.normalize(form)), words, `${q} (${form})`)
      }
  })
}

test('a word typed with accents meets only what has them', async () => {
  for (const [config, text, q] of [
    ['spanish', 'ano pena', 'año peña'],
    ['danish', 'en gron bor', 'grøn bør'],
    ['french', 'un mur peche', 'mûr pêché'],
    ['turkish', 'kizarmis sut', 'kızarmış süt'],
    ['simple', 'laska zemlicky', 'łaska žemličky'],
    ['greek', 'μονος', 'ώμος'],
    ['russian', 'новыи', 'новый'],
  ] as const)
    assert.equal(await met(config, text, q), [], q)
})

test('a stop word fills no index without its accents, and is none of a query either', async () => {
  for (const [config, text, stop] of [
    ['german', 'Für über während', ['fur', 'fuer', 'uber', 'ueber', 'wahrend', 'waehrend']],
    ['french', 'Où est la même', ['ou', 'mem', 'meme']],
    ['danish', 'på også når', ['pa', 'paa', 'ogsa', 'nar']],
    ['turkish', 'çok için', ['cok', 'icin']],
    ['english', 'Thé', ['the']],
  ] as const) {
    const lexemes = await lexemesOf(config, text)
    for (const word of stop) assert.not.ok(lexemes.includes(word), `${config}: ${word} in ${lexemes}`)
  }
  assert.equal(await lexemesOf('german', 'fur'), ['fur'], 'as it was typed it is a word')
  assert.equal(
    queryWords('fuer kahvalti guzel pa ogsa ueber').map(({ text }) => text),
    ['kahvalti'],
  )
})

test('what has only ASCII letters, or no accents, has the lexemes it had, with their places', async () => {
  const [row] = await db.sql<{ ascii: string; quoted: string }[]>`
    select excerpt_lexemes('english', 'The wi-fi at check-in: rooms/beds')::text as ascii,
      excerpt_lexemes('english', 'The “wi-fi”… – rooms')::text as quoted`
  assert.is(row?.ascii, "'bed':8 'check':5 'check-in':4 'room':7 'wifi':2")
  assert.is(row?.quoted, "'room':3 'wifi':2")
})

test('thousands of marks and accents take no longer than their number', async () => {
  for (const text of [
    `a${'\u0301\u0323'.repeat(10_000)}`,
    '\u0301'.repeat(20_000),
    'e\u0301'.repeat(10_000),
    'é'.repeat(20_000),
    'é '.repeat(10_000),
    'ø\u0301ä '.repeat(5_000),
  ]) {
    const started = performance.now()
    await lexemesOf('german', text)
    assert.ok(performance.now() - started < 2_000, `${text.slice(0, 6)}: ${performance.now() - started} ms`)
  }
})

test('a search and its explanation count them', async () => {
  const garden = await new Garden(db.sql).open('Accents')
  await garden.plant({ language: 'da', slices: [['Rød grød med fløde på altanen', 0.6]] })
  await garden.plant({ language: 'da', slices: [['Den gule stue vender mod haven', 0.6]] })
  assert.equal(await garden.excerpts({ q: 'rod grod' }), ['Rød grød med fløde på altanen'])
  assert.equal(await garden.excerpts({ q: 'stüe håven' }), [])
  const forms = await findWordForms(
    db.sql,
    { projectId: garden.context.project.id, env: 'live', modelId: garden.modelId },
    queryWords('rød grod'),
  )
  assert.equal(forms, [{ config: 'danish', stems: ['rød', 'grod'], counts: [true, true] }])
})

test.run()
