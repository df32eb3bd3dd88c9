import * as assert from 'uvu/assert'
import { createExplain } from '../../server/search/explain.ts'
import { SearchMemory } from '../../server/search/memory/search-memory.ts'
import { findWordForms } from '../../server/search/sql/word-forms.ts'
import { queryWords } from '../../server/search/words.ts'
import { environmentRevision } from '../../server/sql/excerpts/search-rows.ts'
import { openTestDatabase, silent, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { until } from '../waiting.ts'
import { Garden, requestOf } from './planted.ts'

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

/** Whether a query finds the text by its words, asked of the database, of the memory and of the explanation. */
async function found(language: string, text: string, q: string): Promise<string[]> {
  const garden = await new Garden(db.sql).open(q)
  await garden.plant({ language, slices: [[text, 0.6]] })
  await garden.plant({ language, slices: [['Zebra', 0.6]] })
  await db.sql`update excerpts set embedding = int8_vector(embedding)`
  const { sql, context, modelId, embedder } = garden
  const { id: projectId } = context.project
  const revision = (await environmentRevision(sql, { projectId, env: 'live' })) ?? ''
  const memory = new SearchMemory({ sql, log: silent, budget: 1e8, dimensions: 3 })
  const ask = async (by?: SearchMemory) => {
    const request = requestOf({ q, fallback: 'none' })
    const answer = await garden.search(undefined, by)({ ...context, revision }, request, { bypassCache: true })
    if (!answer.ok) throw new Error(answer.code)
    return answer.results.map(({ excerpt }) => excerpt)
  }
  const results = await ask()
  await until('the memory answers', async () => {
    await ask(memory)
    return memory.state().inline + memory.state().threaded > 0
  })
  assert.equal(await ask(memory), results, `${q}: from memory`)
  const explained = await createExplain({ sql, embedder, modelId })(context, { ...requestOf({ fallback: 'none' }), q })
  const told = explained.results.filter(({ words_matched }) => words_matched.length > 0)
  assert.equal(
    told.map(({ excerpt }) => excerpt),
    results,
    `${q}: explained`,
  )
  await memory.stop()
  return results
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

test('in Spanish and French a word typed with accents finds only what has them', async () => {
  for (const [language, text, q] of [
    ['es', 'Un ano, una pena', 'año peña'],
    ['fr', 'Un mur, une peche', 'mûr pêché'],
  ] as const)
    assert.equal(await found(language, text, q), [], q)
})

test('in others it finds what was typed without them, too', async () => {
  for (const [language, text, q] of [
    ['da', 'En gron bor i haven', 'grøn bør'],
    ['fi', 'Hyva aamiainen, kylmaa mehua', 'hyvä kylmää'],
    ['hu', 'Bosegs reggeli, tuzhely a szobaban', 'tűzhely'],
    ['nb', 'Baten la ved brygga', 'båten'],
    ['ro', 'Curatenie si tuica buna', 'curățenie țuică'],
    ['sv', 'Smorgas med farsk rakost', 'smörgås räkost'],
    ['tr', 'Kizarmis ekmek ve sut', 'kızarmış süt'],
    ['pl', 'Czysta lazienka', 'łazienka'],
    ['cs', 'Zemlicky k snidani', 'žemličky snídani'],
    ['ru', 'Черный хлеб', 'чёрный'],
  ] as const)
    assert.equal(await found(language, text, q), [text], q)
})

test('but no letter that is one of its own, and no word that is a stop word without them', async () => {
  for (const [language, text, q] of [
    ['ru', 'Новыи зал', 'новый'],
    ['sv', 'Rummet har en sang', 'hår'],
    ['tr', 'Cok iyi ekmek', 'çök'],
  ] as const)
    assert.equal(await found(language, text, q), [], q)
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
  const forms = await findWordForms(
    db.sql,
    { projectId: garden.context.project.id, env: 'live', modelId: garden.modelId },
    queryWords('rød grod'),
  )
  assert.equal(forms, [{ config: 'danish', stems: ['rød', 'grod'], other: [['rod'], []], counts: [true, true] }])
})

test.run()
