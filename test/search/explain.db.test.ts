import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { createExplain } from '../../server/search/explain.ts'
import { getReview } from '../../server/sql/reviews/reviews.ts'
import { parseQueryBody } from '../../src/contract/parse-query.ts'
import { gardenSuite, type Planted } from './planted.ts'

const { test, garden } = gardenSuite('explanation of a query')

async function explain(body: object, reviewId?: string) {
  const parsed = parseQueryBody({ q: 'quiet balcony at night', ...body })
  if (!parsed.ok || parsed.value.q === undefined) throw new Error('bad request in the test')
  const { sql, embedder, modelId, context } = garden
  const review =
    reviewId === undefined
      ? undefined
      : await getReview(sql, { projectId: context.project.id, env: context.env }, reviewId)
  return createExplain({ sql, embedder, modelId })(context, { ...parsed.value, q: parsed.value.q }, review)
}

/** Plants a relevant review that differs as told, and returns what keeps it away. */
async function removedBy(planted: Partial<Planted>, body: object = {}) {
  const id = await garden.plant({ slices: [['A quiet balcony', 0.9]], ...planted })
  const { review } = await explain(body, id)
  assert.is(review?.appears, review?.removed_by.length === 0)
  return review?.removed_by.map(({ by }) => by)
}

test('results carry the numbers of the search, in its order', async () => {
  const near = await garden.plant({ slices: [['Stars above the lake', 0.8]] })
  const byWords = await garden.plant({ slices: [['The balconies were quiet', 0.6]] })
  await garden.plant({ slices: [['Nothing of that', 0.6]] })
  const { words, floor, word_tier, results } = await explain({})
  assert.equal([floor, word_tier], [0.66, 0.53])
  assert.ok(words.includes('quiet') && words.includes('balcony'))
  const found = await garden.find({ q: 'quiet balcony at night' })
  assert.equal(
    results.map(({ excerpt_id }) => excerpt_id),
    found.results.map(({ excerpt_id }) => excerpt_id),
  )
  assert.equal(
    results.map(({ review_id, passes_by }) => [review_id, passes_by]).sort(),
    [
      [near, 'floor'],
      [byWords, 'words'],
    ].sort(),
  )
  const words_result = results.find(({ review_id }) => review_id === byWords)
  assert.equal(words_result?.words_matched, ['quiet', 'balcony'])
  assert.ok((words_result?.text_rank ?? 0) > 0)
})

test('a query with a word that every business has is explained by its other words', async () => {
  const id = await garden.plant({ slices: [['A quiet room', 0.6]] })
  const { words, results, review } = await explain({ q: 'quiet room' }, id)
  assert.equal(words, ['quiet'])
  assert.equal(results[0]?.words_matched, ['quiet'])
  assert.is(review?.excerpts[0]?.passes_by, 'words')
})

test('a review that appears has no reason against it', async () => {
  assert.equal(await removedBy({}), [])
})

test('every rule of the policy is named', async () => {
  assert.equal(await removedBy({ hidden: true }), ['hidden'])
  assert.equal(await removedBy({ rating: 2 }), ['min_rating'])
  assert.equal(await removedBy({ rating: 4 }, { filters: { min_rating: 5 } }), ['min_rating'])
  assert.equal(await removedBy({ rating: null, sentiment: 'negative' }), ['negative'])
  assert.equal(await removedBy({ source: 'yelp' }, { filters: { source: 'google' } }), ['source'])
  assert.equal(await removedBy({ occurred_at: '2020-01-01T00:00:00Z' }, { filters: { since: '2026-01-01' } }), [
    'since',
  ])
  assert.equal(await removedBy({ metadata: { room: '1' } }, { filters: { 'metadata.room': '2' } }), ['metadata'])
  assert.equal(await removedBy({ hidden: true, rating: 1 }), ['hidden', 'min_rating'])
})

test('an irrelevant review is told how far it is', async () => {
  const id = await garden.plant({
    slices: [
      ['The bar', 0.2],
      ['The lift', 0.4],
    ],
  })
  const { review } = await explain({}, id)
  assert.match(review?.removed_by[0]?.message ?? '', /cosine of 0\.400, below the floor 0\.66 and the word tier 0\.53/)
  assert.equal(
    review?.excerpts.map(({ excerpt }) => excerpt),
    ['The lift', 'The bar'],
  )
  const nearly = await garden.plant({ slices: [['The bar', 0.6]] })
  const nearlyExplained = (await explain({}, nearly)).review?.removed_by[0]
  assert.is(nearlyExplained?.by, 'relevance')
  assert.match(nearlyExplained?.message ?? '', /it has 0 of \d words needed/)
})

test('a review behind the limit is told its place', async () => {
  await garden.plant({ slices: [['First', 0.95]] })
  const id = await garden.plant({ slices: [['Second', 0.9]] })
  const { review } = await explain({ limit: 1 }, id)
  assert.equal(
    review?.removed_by.map(({ by }) => by),
    ['limit'],
  )
  assert.match(review?.removed_by[0]?.message ?? '', /at place 2, after the 1/)
})

test('a review under another model waits to be indexed', async () => {
  const other = await garden.model('other', 3)
  assert.equal(await removedBy({ modelId: other }), ['indexing'])
})

test('a query about what no review says finds nothing, and is told which words nobody says', async () => {
  const { coverage } = await createBuiltinEmbedder()
  garden.embedder = { ...garden.embedder, coverage }
  try {
    const fries = await garden.plant({ slices: [['The french fries were hot', 0.75]] })
    const q = 'causes of the french revolution'
    assert.is((await garden.find({ q })).match, 'none')
    const { off_domain, results, review } = await explain({ q }, fries)
    assert.equal(off_domain, ['causes', 'revolution'])
    assert.equal(results, [])
    assert.match(
      review?.removed_by[0]?.message ?? '',
      /cosine of 0\.[45]\d+, lessened because no excerpt near the query says .* \(causes, revolution\), below the floor/,
    )
    const hall = 'A hall about the French Revolution and its causes'
    await garden.plant({ slices: [[hall, 0.7]] })
    const { results: found } = await garden.find({ q })
    assert.equal(
      found.map(({ excerpt, score }) => [excerpt, score]),
      [
        [hall, 0.7],
        ['The french fries were hot', 0.75],
      ],
    )
    assert.equal((await explain({ q })).off_domain, [])
  } finally {
    garden.embedder = { ...garden.embedder, coverage: undefined }
  }
})

test('what decides the order is the sum of the parts that are told', async () => {
  const { coverage, languages } = await createBuiltinEmbedder()
  garden.embedder = { ...garden.embedder, coverage, languages }
  try {
    await garden.plant({ slices: [['A quiet balcony at night', 0.8]] })
    await garden.plant({ slices: [['The balcony looks on the garden', 0.7]] })
    await garden.plant({ language: 'de', slices: [['Ein ruhiges Zimmer mit Balkon in der Nacht', 0.85]] })
    const { results } = await explain({})
    assert.is(results.length, 3)
    for (const { cosine, adds, fused } of results) {
      assert.ok(adds)
      const sum = (cosine ?? 0) + adds.words + adds.coverage + adds.tone + adds.language
      assert.ok(Math.abs(sum - (fused ?? 0)) < 1e-9)
    }
    const [first] = results
    assert.is(first?.coverage, 1)
    assert.equal([first?.adds?.words, first?.adds?.coverage, first?.adds?.language], [0.02, 0.35, 0])
    assert.ok((first?.adds?.tone ?? 0) > 0.2, 'a quiet balcony is what a wish for one likes to read')
    assert.ok(results.some(({ other_language, adds }) => other_language && (adds?.language ?? 0) === -0.05))
    const silent = await garden.plant({ slices: [['Parking is another matter', 0.1]] })
    const { review } = await explain({}, silent)
    assert.equal([review?.excerpts[0]?.coverage, review?.excerpts[0]?.adds], [null, null])
  } finally {
    garden.embedder = { ...garden.embedder, coverage: undefined, languages: undefined }
  }
})

test('what says the opposite of a wish loses by its tone, and to a question it answers as well', async () => {
  const { coverage } = await createBuiltinEmbedder()
  garden.embedder = { ...garden.embedder, coverage }
  try {
    const bad = 'Their free wifi never worked, it was terrible'
    const good = 'Their free wifi always worked, it was great'
    await garden.plant({ slices: [[bad, 0.8]] })
    await garden.plant({ slices: [[good, 0.79]] })
    const told = async (q: string) =>
      (await explain({ q })).results.map(({ excerpt, adds }) => [excerpt, Math.sign(adds?.tone ?? Number.NaN)])
    assert.equal(await told('free wifi'), [
      [good, 1],
      [bad, -1],
    ])
    assert.equal(await told('free wifi?'), [
      [bad, 0],
      [good, 0],
    ])
    const { results } = await garden.find({ q: 'free wifi' })
    assert.equal(
      results.map(({ excerpt, score }) => [excerpt, score]),
      [
        [good, 0.79],
        [bad, 0.8],
      ],
    )
  } finally {
    garden.embedder = { ...garden.embedder, coverage: undefined }
  }
})

test.run()
