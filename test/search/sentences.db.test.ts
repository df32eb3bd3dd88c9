import * as assert from 'uvu/assert'
import { createFindBestCosines } from '../../server/search/best-cosine.ts'
import { createExplain } from '../../server/search/explain.ts'
import { getReview } from '../../server/sql/reviews/reviews.ts'
import { gardenSuite, requestOf } from './planted.ts'

const { test, garden } = gardenSuite('search by the sentence')
const PLAIN = 'The rooms are quiet at night. Everything else was so-so and a bit worn, to be honest.'

test('an excerpt is as near as the nearest of its own vector and its sentences', async () => {
  const sentences = [
    [0, 0.9],
    [30, 0.1],
  ] as const
  await garden.plant({
    slices: [
      [
        'the whole is nearer',
        0.8,
        [
          [0, 0.7],
          [4, 0.2],
        ],
      ],
    ],
  })
  await garden.plant({ slices: [[PLAIN, 0.5, sentences]] })
  await garden.plant({ slices: [['no sentences of its own', 0.7]] })
  await garden.plant({ slices: [['too far', 0.5, [[0, 0.6]]]] })
  const { results } = await garden.find({ q: 'zzz' })
  assert.equal(
    results.map(({ excerpt, score, highlight }) => [excerpt, score?.toFixed(3), highlight]),
    [
      [PLAIN, '0.900', null],
      ['the whole is nearer', '0.800', null],
      ['no sentences of its own', '0.700', null],
    ],
  )
})

test('a sentence of another model is not compared', async () => {
  const modelId = await garden.model('other', 2)
  await garden.plant({ modelId, slices: [['other', 0.9, [[0, 0.95]]]] })
  await garden.plant({ slices: [['ours', 0.7, [[0, 0.8]]]] })
  assert.equal(await garden.excerpts({ q: 'zzz', fallback: 'none' }), ['ours'])
})

test('a sentence at the word tier passes with the words of the excerpt', async () => {
  await garden.plant({
    slices: [
      [
        PLAIN,
        0.4,
        [
          [0, 0.55],
          [30, 0.2],
        ],
      ],
    ],
  })
  assert.equal(await garden.excerpts({ q: 'quiet nights', fallback: 'none' }), [PLAIN])
  assert.equal(await garden.excerpts({ q: 'sauna', fallback: 'none' }), [])
})

test('an explanation tells the sentence that spoke', async () => {
  const { sql, embedder, modelId, context } = garden
  const id = await garden.plant({
    slices: [
      [
        PLAIN,
        0.5,
        [
          [0, 0.9],
          [30, 0.1],
        ],
      ],
      ['one sentence', 0.7],
      [
        'the whole is nearer',
        0.8,
        [
          [0, 0.7],
          [4, 0.2],
        ],
      ],
    ],
  })
  const review = await getReview(sql, { projectId: context.project.id, env: 'live' }, id)
  const explain = createExplain({ sql, embedder, modelId })
  const { review: told } = await explain(context, { ...requestOf({ q: 'zzz' }), q: 'zzz' }, review)
  assert.equal(
    told?.excerpts.map(({ sentence, cosine }) => [sentence, cosine?.toFixed(2)]),
    [
      ['The rooms are quiet at night.', '0.90'],
      [null, '0.80'],
      [null, '0.70'],
    ],
  )
})

test('how well a corpus answers is told by the sentence too', async () => {
  const { sql, embedder, modelId, context } = garden
  await garden.plant({ slices: [[PLAIN, 0.5, [[0, 0.9]]]] })
  const [cosine] = await createFindBestCosines({ sql, embedder, modelId })(context, ['anything'])
  assert.is(cosine?.toFixed(3), '0.900')
})

test('a review of before is queued once, when it may have several sentences', async () => {
  const long = await garden.plant({ slices: [[PLAIN, 0.5]] })
  await garden.plant({ slices: [['Short.', 0.5]] })
  for (let time = 0; time < 2; time++) {
    await garden.sql`select queue_for_sentences()`
    const jobs = await garden.sql<{ id: string }[]>`select review_id as id from index_jobs`
    assert.equal(
      jobs.map(({ id }) => id),
      [long],
    )
  }
  // It is found meanwhile.
  const [row] = await garden.sql`select status from reviews where id = ${long}`
  assert.is(row?.status, 'indexed')
})

test.run()
