import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { createFindBestCosines } from '../../server/search/best-cosine.ts'
import { createExplain } from '../../server/search/explain.ts'
import { openTestDatabase, type TestDatabase } from '../database.ts'
import { suite } from '../suite.ts'
import { Garden, requestOf } from './planted.ts'

const test = suite('excerpts in another language than the query')
const { languages } = await createBuiltinEmbedder()
const margin = languages?.margin ?? 0
const QUERY = 'a sauna with a view of the lake'
const ENGLISH = 'The sauna looks out over the lake and it is quiet there.'
const PORTUGUESE = 'Spa pequeno mas muito bem cuidado, com vista para o lago.'
const GERMAN = 'Von der Sauna aus hat man einen herrlichen Blick auf den See.'
let database: TestDatabase
let garden: Garden

test.before(async () => {
  database = await openTestDatabase()
})
test.before.each(async () => {
  garden = await new Garden(database.sql).open()
  garden.embedder = { ...garden.embedder, languages }
})
test.after(() => database.close())

test('stand behind one in its own language that is hardly less near', async () => {
  await garden.plant({ slices: [[PORTUGUESE, 0.8]] })
  await garden.plant({ slices: [[GERMAN, 0.81]] })
  await garden.plant({ slices: [[ENGLISH, 0.77]] })
  assert.equal(await garden.excerpts({ q: QUERY }), [ENGLISH, GERMAN, PORTUGUESE])
  assert.equal(await garden.excerpts({ q: 'Sauna mit Blick auf den See' }), [GERMAN, PORTUGUESE, ENGLISH])
})

test('stand before one that is less near by more than the margin', async () => {
  await garden.plant({ slices: [[GERMAN, 0.9]] })
  await garden.plant({ slices: [['The tram stops at the door.', 0.89 - margin]] })
  assert.is((await garden.excerpts({ q: QUERY }))[0], GERMAN)
})

test('are found where nothing else fits, with the score that their cosine is, down to the floor', async () => {
  await garden.plant({ slices: [[GERMAN, 0.67]] })
  await garden.plant({ slices: [[ENGLISH, 0.3]] })
  const { results, match } = await garden.find({ q: QUERY })
  assert.is(match, 'query')
  assert.equal(
    results.map(({ excerpt, score }) => [excerpt, score?.toFixed(3)]),
    [[GERMAN, '0.670']],
  )
})

test('lose nothing to a query that may be in any language', async () => {
  await garden.plant({ slices: [[PORTUGUESE, 0.8]] })
  await garden.plant({ slices: [[GERMAN.replace('Sauna', 'Terrasse'), 0.79]] })
  await garden.plant({ slices: [['The view of the lake is wonderful.', 0.78]] })
  assert.equal((await garden.excerpts({ q: 'sauna' }))[0], PORTUGUESE)
})

test('are found by what the query’s words are in English, from where words open the lower tier', async () => {
  const parking = 'There is parking behind the house.'
  await garden.plant({ slices: [[parking, 0.58]] })
  await garden.plant({ slices: [['The tram stops at the door.', 0.6]] })
  for (const q of ['Parken', 'stationnement', 'aparcamiento', 'parcheggio', 'parkeren', 'estacionamento', 'parking'])
    assert.equal(await garden.excerpts({ q }), [parking], q)
  // Words that only frame the question do not count.
  assert.equal(await garden.excerpts({ q: 'Wie ist das mit dem Parken?' }), [parking])
  for (const q of ['Frühstück', 'Doppelzimmer', 'Parken und Frühstück im Zimmer'])
    assert.equal(await garden.excerpts({ q }), [], q)
})

test('are found by what the query’s words are in their own language, whatever language it is in', async () => {
  const told: Record<string, string> = {
    de: 'Hinter dem Haus sind genug Parkplätze.',
    fr: 'Il y a un grand stationnement derrière.',
    es: 'Hay aparcamiento detrás de la casa.',
    it: 'Dietro la casa ci sono dei parcheggi.',
    nl: 'Achter het huis is een parkeerplaats.',
    pt: 'Atrás da casa há estacionamento.',
  }
  for (const [language, text] of Object.entries(told)) await garden.plant({ slices: [[text, 0.58]], language })
  await garden.plant({ slices: [['Die Straßenbahn hält vor der Tür.', 0.6]], language: 'de' })
  const sorted = async (q: string) => (await garden.excerpts({ q, limit: 10 })).sort()
  assert.equal(await sorted('parking'), Object.values(told).sort())
  assert.equal(await sorted('stationnement'), Object.values(told).sort())
  assert.equal(await sorted('what is the parking like'), Object.values(told).sort())
  assert.equal(await garden.excerpts({ q: 'breakfast' }), [])
})

test('are found by a phrase if they have all of its words', async () => {
  const [breakfast, small] = ['Le petit déjeuner était servi dehors.', 'Un petit jardin, et le dîner au soleil.']
  for (const text of [breakfast, small, 'Nous avons déjeuné dehors.'])
    await garden.plant({ slices: [[text, 0.58]], language: 'fr' })
  for (const q of ['breakfast', 'Frühstück', 'desayuno']) assert.equal(await garden.excerpts({ q }), [breakfast], q)
  const { context, sql, modelId, embedder } = garden
  const explained = await createExplain({ sql, embedder, modelId })(context, {
    ...requestOf({ q: 'breakfast' }),
    q: 'breakfast',
  })
  assert.equal(explained.results[0]?.words_matched, ['breakfast'])
})

test('are not found by another meaning of a word that their own language has', async () => {
  const [bath, blame] = ['Ein schönes Bad mit Fenster.', 'Die Matratze war schlecht.']
  for (const text of [bath, blame]) await garden.plant({ slices: [[text, 0.58]], language: 'de' })
  assert.equal(await garden.excerpts({ q: 'Bad' }), [bath])
})

test('have more than half of four translated words or more', async () => {
  await garden.plant({ slices: [['Sie holte mich mit dem Auto am Bahnhof ab.', 0.58]], language: 'de' })
  assert.equal(await garden.excerpts({ q: 'charging station for electric cars' }), [])
  const [found] = await garden.excerpts({ q: 'station for cars' })
  assert.is(found, 'Sie holte mich mit dem Auto am Bahnhof ab.')
})

test('need not have what is a stop word in English', async () => {
  await garden.plant({ slices: [['Ein Zimmer mit Blick.', 0.58]], language: 'de' })
  // "sotto" is "under", so that "camera" is one of two words and not of three
  assert.equal(await garden.excerpts({ q: 'camera sotto il tetto' }), ['Ein Zimmer mit Blick.'])
})

test('are not found by a word’s English where they are in neither language', async () => {
  await garden.plant({
    slices: [['Wir haben das Breakfast im Garten genossen, es war sehr schön.', 0.58]],
    language: 'de',
  })
  assert.equal(await garden.excerpts({ q: 'colazione' }), [])
})

test('are not found by their words with a model that knows none', async () => {
  garden.embedder = { ...garden.embedder, languages: undefined }
  await garden.plant({ slices: [['There is parking behind the house.', 0.58]] })
  assert.equal(await garden.excerpts({ q: 'Parken' }), [])
})

test('lose nothing with a model that compares all languages alike', async () => {
  garden.embedder = { ...garden.embedder, languages: undefined }
  await garden.plant({ slices: [[PORTUGUESE, 0.83]] })
  await garden.plant({ slices: [['The view of the lake is wonderful.', 0.8]] })
  assert.is((await garden.excerpts({ q: 'what is the view like' }))[0], PORTUGUESE)
})

test('tell the model what languages a query is compared with', async () => {
  const among: (readonly string[] | undefined)[] = []
  const { embedder } = garden
  garden.embedder = {
    ...embedder,
    embed(texts, kind, signal, of) {
      among.push(of)
      return embedder.embed(texts, kind, signal)
    },
  }
  await garden.plant({ slices: [[GERMAN, 0.9]], language: 'de-AT' })
  await garden.plant({ slices: [[PORTUGUESE, 0.9]], language: 'pt' })
  const { context, sql, modelId } = garden
  await garden.find({ q: 'Blick' })
  await createExplain({ sql, embedder: garden.embedder, modelId })(context, {
    ...requestOf({ q: 'Blick' }),
    q: 'Blick',
  })
  await createFindBestCosines({ sql, embedder: garden.embedder, modelId })(context, ['Blick'])
  assert.equal(among, [
    ['de', 'pt'],
    ['de', 'pt'],
    ['de', 'pt'],
  ])
})

test('give their places on a full page to others that were not on it', async () => {
  for (let i = 0; i < 6; i++) await garden.plant({ slices: [[PORTUGUESE, 0.8 + i / 1000]] })
  await garden.plant({ slices: [[ENGLISH, 0.77]] })
  for (const limit of [1, 3]) {
    const excerpts = await garden.excerpts({ q: QUERY, limit })
    assert.equal([excerpts[0], excerpts.length], [ENGLISH, limit])
  }
})

test('leave a review of two languages to the part in the query’s own', async () => {
  await garden.plant({
    slices: [
      [GERMAN, 0.8],
      [ENGLISH, 0.78],
    ],
  })
  const { results } = await garden.find({ q: QUERY, mode: 'reviews' })
  assert.equal(
    results.map(({ excerpt }) => excerpt),
    [ENGLISH],
  )
})

test('are explained in the order in which they are found', async () => {
  await garden.plant({ slices: [[PORTUGUESE, 0.8]] })
  await garden.plant({ slices: [[ENGLISH, 0.77]] })
  await garden.plant({ slices: [[GERMAN, 0.7]] })
  const { sql, embedder, modelId, context } = garden
  const request = requestOf({ q: QUERY, limit: 2 })
  const { results } = await createExplain({ sql, embedder, modelId })(context, { ...request, q: QUERY })
  assert.equal(
    results.map(({ excerpt }) => excerpt),
    await garden.excerpts({ q: QUERY, limit: 2 }),
  )
  assert.equal(
    results.map(({ other_language }) => other_language),
    [false, true],
  )
  const [, portuguese] = results
  assert.ok(Math.abs((portuguese?.fused ?? 0) - ((portuguese?.cosine ?? 0) - margin)) < 1e-6)
})

test.run()
