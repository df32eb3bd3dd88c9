/** What an operator leaves out of searches: single excerpts, and complaints. */
import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { createExplain } from '../../server/search/explain.ts'
import { setExcerptHidden } from '../../server/sql/excerpts/hidden-excerpts.ts'
import { getReview } from '../../server/sql/reviews/reviews.ts'
import { Garden, gardenSuite, requestOf } from './planted.ts'

const { test, garden } = gardenSuite('what is left out of searches')

const SLICES = [
  ['The sauna was hot.', 0.7],
  ['The fan rattled all night.', 0.9],
  ['The bread was warm.', 0.8],
] as const
const EVERY_WAY = [
  { q: 'fan' },
  { q: 'fan', include: 'text' },
  { q: 'fan', mode: 'reviews' },
  { q: 'fan', mode: 'reviews', limit: 20, fallback: 'recent' },
  { q: 'nothing', filters: { source: ['yelp'] }, fallback: 'recent' },
  { mode: 'reviews' },
  { include: 'text' },
  {},
]

async function hide(reviewId: string, text: string, hidden = true): Promise<boolean> {
  const [row] = await garden.sql<
    { id: string }[]
  >`select id from excerpts where review_id = ${reviewId} and text = ${text}`
  const projectId = garden.context.project.id
  return setExcerptHidden(garden.sql, { projectId, env: 'live', reviewId, excerptId: row?.id ?? '' }, hidden)
}

async function judge(text: string, verdict: string | null): Promise<void> {
  await garden.sql`update excerpts set verdict = ${verdict} where text = ${text}`
}

test('a hidden excerpt is in no answer, in no mode, with or without the text of its review', async () => {
  const id = await garden.plant({ slices: SLICES })
  assert.match(JSON.stringify(await garden.find({ q: 'fan', mode: 'reviews' })), /rattled/)
  assert.is(await hide(id, 'The fan rattled all night.'), true)
  for (const body of EVERY_WAY) {
    const { results } = await garden.find(body)
    assert.not.match(JSON.stringify(results), /rattled/, JSON.stringify(body))
  }
  assert.equal(await garden.excerpts({ q: 'fan' }), ['The bread was warm.', 'The sauna was hot.'])
  const [result] = (await garden.find({ q: 'fan', mode: 'reviews' })).results
  assert.equal(
    [result?.excerpt, result?.review.text, result?.highlight],
    ['The bread was warm.', 'The bread was warm.', null],
  )
  await hide(id, 'The fan rattled all night.', false)
  assert.match(JSON.stringify(await garden.find({ q: 'fan', mode: 'reviews' })), /rattled/)
})

test('however many of earlier texts are hidden, what is in the text stays so, and the oldest others are forgotten', async () => {
  const id = await garden.plant({ slices: SLICES })
  await hide(id, 'The fan rattled all night.')
  const { id: projectId } = garden.context.project
  await garden.sql`update hidden_excerpts set hidden_at = '2020-01-01' where review_id = ${id}`
  await garden.sql`
    insert into hidden_excerpts (project_id, review_id, words_hash, env, words, hidden_at)
    select ${projectId}, ${id}, sha256(n::text::bytea), 'live', 'once' || n, now() - n * interval '1 minute' from generate_series(1, 600) n`
  await hide(id, 'The sauna was hot.')
  assert.equal(await garden.excerpts({ q: 'fan' }), ['The bread was warm.'])
  const [left] = await garden.sql`
    select count(*)::int as count, bool_or(words = 'once1') as newest, bool_or(words = 'once600') as oldest
    from hidden_excerpts where review_id = ${id}`
  assert.equal(left, { count: 502, newest: true, oldest: false })
  await hide(id, 'The fan rattled all night.', false)
  assert.equal(await garden.excerpts({ q: 'fan' }), ['The fan rattled all night.', 'The bread was warm.'])
})

test('highlight stands for the excerpt in the part of the text that is left', async () => {
  const id = await garden.plant({ slices: [['A tent stood there.', 0.1], ...SLICES, ['We slept well.', 0.1]] })
  await hide(id, 'A tent stood there.')
  for (const body of [
    { q: 'fan', mode: 'reviews' },
    { q: 'fan', include: 'text' },
    { q: 'fan', limit: 20, include: 'text' },
  ]) {
    for (const { review, highlight, excerpt } of (await garden.find(body)).results) {
      assert.is(review.text, 'The sauna was hot. The fan rattled all night. The bread was warm. We slept well.')
      assert.is(review.text?.slice(highlight?.start, highlight?.end), excerpt)
    }
  }
})

test('of the text is left what stands between the nearest hidden excerpts, however many are hidden on either side', async () => {
  const beside = [
    'One hid.',
    'Two stood.',
    'Three hid.',
    'The bread was warm.',
    'Five hid.',
    'Six stood.',
    'Seven hid.',
  ]
  const id = await garden.plant({ slices: beside.map((text) => [text, text.includes('bread') ? 0.9 : 0.1]) })
  for (const text of beside) if (text.includes('hid')) await hide(id, text)
  for (const body of [{ q: 'bread', mode: 'reviews' }, { q: 'bread', include: 'text' }, { mode: 'reviews' }]) {
    const { results } = await garden.find(body)
    assert.equal(
      results.map(({ review }) => review.text),
      ['q' in body ? 'The bread was warm.' : 'Two stood.'],
    )
  }
})

test('a review whose excerpts are all hidden is not shown, and among the newest it is shown by its first that is not', async () => {
  const id = await garden.plant({ slices: SLICES, occurred_at: '2026-02-01T00:00:00Z' })
  await garden.plant({ slices: [['An older one.', 0.9]] })
  await hide(id, 'The sauna was hot.')
  await hide(id, 'The fan rattled all night.')
  assert.equal(await garden.excerpts({}), ['The bread was warm.', 'An older one.'])
  await hide(id, 'The bread was warm.')
  assert.equal(await garden.excerpts({}), ['An older one.'])
})

test('hiding what is not there says so, and showing what is not hidden changes nothing', async () => {
  const id = await garden.plant({ slices: SLICES })
  assert.is(await hide(id, 'no such excerpt'), false)
  const revision = async () => (await garden.sql`select revision from environments where env = 'live'`)[0]?.revision
  const before = await revision()
  assert.is(await hide(id, 'The sauna was hot.', false), true)
  assert.is(await revision(), before)
})

test('with no_complaints an excerpt that is negative by itself does not appear, whatever its review’s stars', async () => {
  const id = await garden.plant({ slices: SLICES, rating: 5 })
  for (const [text] of SLICES) await judge(text, 'positive')
  await judge('The fan rattled all night.', 'negative')
  assert.match(
    JSON.stringify(await garden.find({ q: 'fan', mode: 'reviews' })),
    /rattled/,
    'all: as the contract has it',
  )
  garden.context.project.excerpts = 'no_complaints'
  for (const body of EVERY_WAY) {
    const { results } = await garden.find(body)
    assert.not.match(JSON.stringify(results), /rattled/, JSON.stringify(body))
    if ('q' in body && body.q === 'fan') assert.ok(results.length > 0)
  }
  await judge('The sauna was hot.', null)
  assert.equal(await garden.excerpts({ q: 'fan' }), ['The bread was warm.'], 'what was not judged yet may be one')
  const stored = await getReview(garden.sql, { projectId: garden.context.project.id, env: 'live' }, id)
  await judge('The bread was warm.', 'negative')
  const explain = createExplain({ sql: garden.sql, embedder: garden.embedder, modelId: garden.modelId })
  const { review } = await explain(garden.context, { ...requestOf({ q: 'fan' }), q: 'fan' }, stored)
  assert.equal(
    review?.removed_by.map(({ by }) => by),
    ['complaint'],
  )
})

test('explain says that an excerpt was hidden', async () => {
  const id = await garden.plant({ slices: SLICES.slice(1, 2) })
  await hide(id, 'The fan rattled all night.')
  const stored = await getReview(garden.sql, { projectId: garden.context.project.id, env: 'live' }, id)
  const explain = createExplain({ sql: garden.sql, embedder: garden.embedder, modelId: garden.modelId })
  const { review } = await explain(garden.context, { ...requestOf({ q: 'fan' }), q: 'fan' }, stored)
  assert.equal(
    review?.removed_by.map(({ by }) => by),
    ['excerpt_hidden'],
  )
  assert.is(review?.excerpts[0]?.hidden, true)
})

test('shows none of the rows that were hidden, or became others, between finding and reading them', async () => {
  const first = await garden.plant({ slices: [['first', 0.9]] })
  await garden.plant({ slices: [['second', 0.8]] })
  const other = await garden.plant({ slices: [['another', 0.85]] })
  const sql = garden.sql
  let statements = 0
  const spy = new Proxy(sql, {
    get(target, name, receiver) {
      if (name !== 'unsafe') return Reflect.get(target, name, receiver)
      return async (...args: Parameters<typeof sql.unsafe>) => {
        if (++statements === 2) {
          await sql`update excerpts set hidden = true where review_id = ${first}`
          await sql`update excerpts set id = ${randomUUID()} where review_id = ${other}`
        }
        return sql.unsafe(...args)
      }
    },
  })
  const hiding = new Garden(spy)
  hiding.context = garden.context
  hiding.modelId = garden.modelId
  assert.equal(await hiding.excerpts({ q: 'sauna' }), ['second'])
  assert.is(statements, 2)
})

test.run()
