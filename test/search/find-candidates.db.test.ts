import * as assert from 'uvu/assert'
import type { SearchDepth } from '../../server/search/candidates.ts'
import { policyOf, thresholdsOf } from '../../server/search/policy.ts'
import { CANDIDATE_LIMIT, NEAREST_LIMIT } from '../../server/search/rank.ts'
import { findCandidates } from '../../server/search/sql/find-candidates.ts'
import { findWordForms } from '../../server/search/sql/word-forms.ts'
import { queryWords, type WordForms } from '../../server/search/words.ts'
import { gardenSuite } from './planted.ts'

const DEPTH = { among: 'nearest', limit: CANDIDATE_LIMIT } as const

const { test, garden } = gardenSuite('search candidates')

const scope = () => ({ projectId: garden.context.project.id, env: 'live' as const, modelId: garden.modelId })
const policy = () => policyOf(garden.context.project, { metadata: [] })

async function find(q: string, depth: SearchDepth, floor = 0.66) {
  const forms = await findWordForms(garden.sql, scope(), queryWords(q))
  return findCandidates(garden.sql, scope(), query(forms, depth, floor))
}

function query(forms: WordForms[], depth: SearchDepth = DEPTH, floor = 0.66) {
  return { vector: Float32Array.of(1, 0, 0), forms, policy: policy(), thresholds: thresholdsOf(floor), depth }
}

async function candidates(q: string, { floor = 0.66, limit = CANDIDATE_LIMIT } = {}) {
  return (await find(q, { among: 'nearest', limit }, floor)).passing
}

test('stem the words with each configuration that the excerpts use', async () => {
  await garden.plant({ language: 'en', slices: [['Quiet rooms', 0.7]] })
  await garden.plant({ language: 'de', slices: [['Ruhige Zimmer', 0.7]] })
  await garden.plant({ language: 'ja', slices: [['静か', 0.7]] })
  const counts = [true, false, true]
  const other = [[], [], []]
  const words = ['quiet', 'beds', 'hinter'].map((text, i) => ({ text, counts: counts[i] ?? false }))
  const forms = await findWordForms(garden.sql, scope(), words)
  assert.equal(forms, [
    { config: 'english', stems: ['quiet', 'bed', 'hinter'], other, counts },
    { config: 'german', stems: ['quiet', 'bed', ''], other, counts },
    { config: 'simple', stems: ['quiet', 'beds', 'hinter'], other, counts },
  ])
})

test('have no word forms in an empty project', async () => {
  assert.equal(await findWordForms(garden.sql, scope(), queryWords('pool')), [])
  assert.equal(await candidates('pool'), [])
})

test('match words stemmed by the excerpt’s own configuration', async () => {
  await garden.plant({ language: 'en', slices: [['Swimming in the lakes', 0.6]] })
  await garden.plant({ language: 'de', slices: [['Die Betten waren bequem', 0.6]] })
  await garden.plant({ language: 'pl', slices: [['swimming', 0.6]] })
  assert.equal(
    (await candidates('swim lake')).map(({ matchesHalf }) => matchesHalf),
    [true],
  )
  assert.is((await candidates('bequemes Bett')).length, 1)
  // `simple` does not stem: "swimming" is found by itself only, which the English row matches too.
  assert.is((await candidates('swimming')).length, 2)
})

test('need half of the words, rounded up', async () => {
  await garden.plant({ slices: [['The pool was warm', 0.6]] })
  assert.is((await candidates('pool sauna')).length, 1)
  assert.is((await candidates('pool sauna beach')).length, 0)
  assert.is((await candidates('warm pool beach')).length, 1)
  assert.is((await candidates('warm pool beach sauna')).length, 1)
  assert.is((await candidates('warm pool beach sauna golf')).length, 0)
})

test('count a repeated word of the text once', async () => {
  await garden.plant({ slices: [['Pool, pool, pools and pool', 0.6]] })
  assert.is((await candidates('pool sauna beach')).length, 0)
})

test('do not pass by generic words', async () => {
  await garden.plant({ slices: [['A very good place', 0.6]] })
  assert.is((await candidates('good place')).length, 0)
  assert.is((await candidates('good place', { floor: 0.6 })).length, 1)
})

test('do not pass by words alone, without vector proximity', async () => {
  await garden.plant({ slices: [['Sauna and pool', 0.52]] })
  assert.equal(await candidates('sauna pool'), [])
})

test('carry a text rank above the floor also when fewer than half of the words match', async () => {
  await garden.plant({ slices: [['The pool was warm', 0.8]] })
  const [one] = await candidates('pool beach sauna')
  assert.is(one?.matchesHalf, false)
  assert.ok((one?.textRank ?? 0) > 0)
})

test('find words that the parser would take for a host, a file or a tag', async () => {
  await garden.plant({ slices: [['Very clean.Friendly waiters, breakfast/dinner <included', 0.6]] })
  for (const q of ['friendly', 'breakfast', 'dinner', 'included']) assert.is((await candidates(q)).length, 1, q)
})

test('find wifi and check-in however either is written', async () => {
  const wifi = ['Free Wi-Fi', 'Free wi fi', 'Free WIFI', 'Free Wi\u2011Fi', 'Free wi/fi-zone']
  const desk = ['Slow check-in', 'Slow checkin', 'Slow Check Ins', 'They checked in slowly']
  for (const text of [...wifi, ...desk]) await garden.plant({ slices: [[text, 0.6]] })
  await garden.plant({ language: 'de', slices: [['Gutes Wi-Fi, schneller Checkin', 0.6]] })
  for (const q of ['wifi', 'Wi-Fi', 'wi fi', 'wi/fi', 'wi_fi'])
    assert.is((await candidates(q)).length, wifi.length + 1, q)
  for (const q of ['check-in', 'check in', 'checkin']) assert.is((await candidates(q)).length, desk.length + 1, q)
  assert.is((await candidates('fi')).length, 0)
})

test('are the first by cosine and words together', async () => {
  for (let i = 0; i < 5; i++) await garden.plant({ slices: [[`Near ${i}`, 0.72 - i / 1000]] })
  const matching = await garden.plant({ slices: [['Sauna', 0.71]] })
  const far = await garden.plant({ slices: [['Sauna', 0.67]] })
  const found = await candidates('sauna', { limit: 3 })
  assert.is(found.length, 3)
  assert.is(found[0]?.reviewId, matching)
  assert.not(found.some(({ reviewId }) => reviewId === far))
})

test('are ranked by rare words more than by common ones', async () => {
  for (let i = 0; i < 8; i++) await garden.plant({ slices: [[`The pool ${i}`, 0.7]] })
  const rare = await garden.plant({ slices: [['The sauna', 0.7]] })
  const found = await candidates('pool or sauna')
  assert.is(found[0]?.reviewId, rare)
  assert.ok((found[0]?.textRank ?? 0) > 0.9 && (found[1]?.textRank ?? 1) < 0.1)
})

test('are among the nearest, and the horizon tells how far that is', async () => {
  await garden.multiply(await garden.plant({ slices: [['Rest', 0.8]] }), NEAREST_LIMIT - 2)
  await garden.plant({ slices: [['Sauna', 0.7]] })
  assert.is((await find('sauna', DEPTH)).horizon?.toFixed(6), '0.700000')
  await garden.plant({ slices: [['Far sauna', 0.6]] })
  const near = await find('sauna', { ...DEPTH, limit: 2 * NEAREST_LIMIT })
  assert.is(near.passing.length, NEAREST_LIMIT)
  assert.is(near.horizon?.toFixed(6), '0.700000')
  const all = await find('sauna', { among: 'all', limit: 2 * NEAREST_LIMIT })
  assert.is(all.passing.length, NEAREST_LIMIT + 1)
  assert.is(all.horizon, null)
  assert.equal(
    all.passing.filter(({ cosine }) => cosine > 0.65),
    near.passing,
  )
})

test('have no horizon when fewer than the nearest reach the word tier', async () => {
  await garden.multiply(await garden.plant({ slices: [['Rest', 0.3]] }), NEAREST_LIMIT)
  await garden.plant({ slices: [['Sauna', 0.7]] })
  const { passing, horizon } = await find('sauna', DEPTH)
  assert.is(passing.length, 1)
  assert.is(horizon, null)
})

test('are none, with a horizon, when none of the nearest passes', async () => {
  await garden.multiply(await garden.plant({ slices: [['Rest', 0.6]] }), NEAREST_LIMIT)
  const { passing, horizon } = await find('sauna', DEPTH)
  assert.equal(passing, [])
  assert.is(horizon?.toFixed(6), '0.600000')
})

test('are ranked, but not let in, by what every such business has', async () => {
  await garden.plant({ slices: [['The room was warm', 0.6]] })
  assert.is((await candidates('room with sauna')).length, 0)
  const found = await candidates('room with sauna', { floor: 0.6 })
  assert.ok((found[0]?.textRank ?? 0) > 0)
})

test('never compare vectors of another model, whatever their length', async () => {
  const other = await garden.model('other', 2)
  for (let i = 0; i < 20; i++) await garden.plant({ modelId: other, slices: [['Sauna', 1]] })
  await garden.plant({ slices: [['Sauna', 0.7]] })
  assert.is((await candidates('sauna')).length, 1)
  // Without the index the planner may look at every row.
  await garden.sql.begin(async (sql) => {
    await sql`set local enable_indexscan = off`
    await sql`set local enable_bitmapscan = off`
    const { passing } = await findCandidates(sql, scope(), query([]))
    assert.is(passing.length, 1)
  })
})

test('leave out a vector without direction', async () => {
  const id = await garden.plant({ slices: [['Sauna', 0.9]] })
  await garden.sql`update excerpts set embedding = '[0,0,0]' where review_id = ${id}`
  assert.equal(await candidates('sauna'), [])
})

test('take quotes and backslashes of a stem as they are', async () => {
  await garden.plant({ slices: [['Sauna', 0.9]] })
  const stems = ["o'clock", 'back\\slash', 'sauna']
  const forms = [{ config: 'english', stems, other: stems.map(() => []), counts: stems.map(() => true) }]
  const { passing } = await findCandidates(garden.sql, scope(), query(forms))
  assert.is(passing[0]?.matchesHalf, false)
  assert.ok((passing[0]?.textRank ?? 0) > 0)
})

test.run()
