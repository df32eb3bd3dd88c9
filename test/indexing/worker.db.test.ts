import * as assert from 'uvu/assert'
import { cosineOf } from '../../server/embed/calibrate.ts'
import { sentencesAt } from '../../server/indexing/chunking/sentences.ts'
import { activateModel } from '../../server/sql/installation/installation.ts'
import { queueLeftBehind } from '../../server/sql/queue/left-behind.ts'
import { deleteReview, patchReview } from '../../server/sql/reviews/reviews.ts'
import { revisionOf } from '../sql/fixtures.ts'
import { until } from '../waiting.ts'
import { chunk, sentenceStarts } from './chunking/run-sync.ts'
import { FAKE_DIMENSIONS, fakeEmbedder, fakeVector } from './fake-embedder.ts'
import { many, pipelineSuite } from './pipeline.ts'

const { test, pipeline } = pipelineSuite('worker')

const LONG =
  'We stayed three nights in May with our two children. The room was large, bright and very clean, with a balcony over the harbour. Breakfast was fresh bread, good coffee and the best pancakes. The only downside was the parking, which is expensive. Would we come back? Absolutely.'

test('makes a pushed review queryable when it is nudged, not at the next poll: excerpts with vector and lexemes', async () => {
  const worker = pipeline.start({ pollMilliseconds: 300_000 })
  await worker.idle()
  const [review] = await pipeline.push([{ external_id: 'a', text: LONG, rating: 4, language: 'en-GB' }])
  worker.nudge()
  await until('the review is indexed', async () => (await pipeline.status()).a === 'indexed')
  const excerpts = await pipeline.sql`
    select *, lexemes @@ to_tsquery('english', 'pancake') as pancakes, embedding::text as vector,
      sentences::text[] as sentence_vectors
    from excerpts order by ordinal`
  assert.equal(
    excerpts.map((row) => ({ start: row.start_offset, end: row.end_offset })),
    chunk(LONG, 'en'),
  )
  assert.equal(
    excerpts.map((row) => row.pancakes),
    [false, true],
  )
  for (const [ordinal, row] of excerpts.entries()) {
    assert.is(row.ordinal, ordinal)
    assert.is(row.text, LONG.slice(row.start_offset, row.end_offset))
    assert.is(row.review_id, review?.id)
    assert.is(row.embedding_model_id, pipeline.modelId)
    assert.equal(
      {
        env: row.env,
        rating: row.rating,
        sentiment: row.sentiment,
        hidden: row.hidden,
        source: row.source,
        config: row.search_config,
      },
      { env: 'live', rating: 4, sentiment: 'positive', hidden: false, source: 'google', config: 'english' },
    )
    const vector: number[] = JSON.parse(row.vector)
    for (const [i, component] of fakeVector(row.text).entries())
      assert.ok(Math.abs(component - (vector[i] ?? 0)) < 1e-7)
  }
  const sentences = excerpts.map(({ text, sentence_starts, sentence_vectors }) => {
    const starts: number[] = sentence_starts ?? []
    return sentencesAt(text, starts).map((sentence, i) => {
      const stored: number[] = JSON.parse(sentence_vectors[i])
      assert.ok(cosineOf(stored, fakeVector(sentence)) > 0.999999, sentence)
      return sentence
    })
  })
  assert.equal(
    sentences,
    excerpts.map(({ text }) => sentencesAt(text, sentenceStarts(text, 'en-GB'))),
  )
  assert.ok(sentences.flat().length >= 4)
  const [count] = await pipeline.sql`select count(*)::int as jobs from index_jobs`
  assert.is(count?.jobs, 0)
})

test('reviews that are embedded in one call have their own vectors each', async () => {
  await pipeline.push(['Warm bread', 'Quiet room', 'Fine tea'].map((text) => ({ external_id: text, text })))
  await pipeline.start().idle()
  const rows = await pipeline.sql<{ text: string; vector: string }[]>`
    select text, embedding::text as vector from excerpts`
  assert.is(rows.length, 3)
  for (const { text, vector } of rows) assert.ok(cosineOf(JSON.parse(vector), fakeVector(text)) > 0.999999, text)
})

test('finds work by polling, without a nudge', async () => {
  pipeline.start()
  await pipeline.push([{ external_id: 'a' }])
  await until('the review is indexed', async () => (await pipeline.status()).a === 'indexed')
})

test('classifies unrated reviews by the model and rated ones by their stars', async () => {
  await pipeline.push([
    { external_id: 'bad', rating: null, text: 'An awful night.' },
    { external_id: 'good', rating: null, text: 'A lovely night.' },
    { external_id: 'stars', rating: 5, text: 'An awful lot of fun.' },
  ])
  await pipeline.start().idle()
  const rows = await pipeline.sql`select external_id, sentiment, sentiment_source from reviews order by 1`
  assert.equal(
    [...rows],
    [
      { external_id: 'bad', sentiment: 'negative', sentiment_source: 'model' },
      { external_id: 'good', sentiment: 'positive', sentiment_source: 'model' },
      { external_id: 'stars', sentiment: 'positive', sentiment_source: 'rating' },
    ],
  )
  const copies = await pipeline.sql`select sentiment from excerpts where sentiment = 'negative'`
  assert.is(copies.length, 1)
})

test('purges cached answers of the environment it indexed in, and of no other', async () => {
  await pipeline.push([{ external_id: 'a' }], 'test')
  const live = await revisionOf(pipeline.sql, pipeline.projectId, 'live')
  const before = await revisionOf(pipeline.sql, pipeline.projectId, 'test')
  await pipeline.start().idle()
  assert.is(await revisionOf(pipeline.sql, pipeline.projectId, 'live'), live)
  assert.is(await revisionOf(pipeline.sql, pipeline.projectId, 'test'), before + 1)
})

test('does not move updated_at', async () => {
  await pipeline.push([{ external_id: 'a', rating: null }])
  await pipeline.sql`update reviews set updated_at = '2026-01-01Z'`
  await pipeline.start().idle()
  const [row] = await pipeline.sql`select status, updated_at from reviews`
  assert.is(row?.status, 'indexed')
  assert.is(row?.updated_at.toISOString(), '2026-01-01T00:00:00.000Z')
})

test('keeps the ids of excerpts when the same text is indexed again', async () => {
  await pipeline.push([{ external_id: 'a', text: LONG }])
  const worker = pipeline.start()
  await worker.idle()
  const ids = async () => (await pipeline.sql`select id from excerpts order by ordinal`).map((row) => row.id)
  const before = await ids()
  await pipeline.push([{ external_id: 'a', text: `${LONG} Thanks!` }])
  await worker.idle()
  await pipeline.push([{ external_id: 'a', text: LONG }])
  await worker.idle()
  assert.is(before.length, 2)
  assert.equal(await ids(), before)
})

test('indexes a review again whose text changed while it was embedded, and saves nothing of the old text', async () => {
  const embedder = fakeEmbedder()
  let changed = false
  embedder.before = async () => {
    if (changed) return
    changed = true
    await pipeline.push([{ external_id: 'a', text: 'The new text.' }])
  }
  await pipeline.push([
    { external_id: 'a', text: 'The old text.' },
    { external_id: 'b', text: 'Another one.' },
  ])
  await pipeline.start({ embedder }).idle()
  const rows = await pipeline.sql`select text from excerpts order by text`
  assert.equal(
    rows.map((row) => row.text),
    ['Another one.', 'The new text.'],
  )
  assert.equal(await pipeline.status(), { a: 'indexed', b: 'indexed' })
})

test('takes rating, hidden and language from the review as it is when its excerpts are saved', async () => {
  const embedder = fakeEmbedder()
  const [pushed] = await pipeline.push([{ external_id: 'a', rating: 5, text: 'Die Zimmer waren ruhig.' }])
  embedder.before = async () => {
    await pipeline.push([{ external_id: 'a', rating: 2, text: 'Die Zimmer waren ruhig.', language: 'de' }])
    await patchReview(pipeline.sql, { projectId: pipeline.projectId, env: 'live' }, pushed?.id ?? '', { hidden: true })
  }
  await pipeline.start({ embedder }).idle()
  const [row] = await pipeline.sql`select rating, sentiment, hidden, search_config from excerpts`
  assert.equal(row, { rating: 2, sentiment: 'negative', hidden: true, search_config: 'german' })
})

test('saves nothing for a review that was deleted while it was embedded', async () => {
  const embedder = fakeEmbedder()
  const [first] = await pipeline.push([{ external_id: 'a' }, { external_id: 'b' }])
  embedder.before = async () => {
    await deleteReview(pipeline.sql, { projectId: pipeline.projectId, env: 'live' }, first?.id ?? '')
  }
  const worker = pipeline.start({ embedder })
  await worker.idle()
  assert.equal(await pipeline.status(), { b: 'indexed' })
  assert.is(worker.state().failed, 0)
})

test('splits a large queue into batches and indexes each review once', async () => {
  const rows = many(600)
  for (let i = 0; i < rows.length; i += 100) await pipeline.push(rows.slice(i, i + 100))
  const worker = pipeline.start()
  await worker.idle()
  assert.is(worker.embedder.embedded.length, 600)
  assert.is(new Set(worker.embedder.embedded).size, 600)
  const [count] = await pipeline.sql`select count(*)::int as n from excerpts`
  assert.is(count?.n, 600)
  assert.is(worker.state().indexed, 600)
  assert.is(worker.state().status, 'idle')
})

test('re-embeds everything when the installation starts with another model', async () => {
  await pipeline.push([{ external_id: 'a', text: LONG }, { external_id: 'b' }])
  await pipeline.start().idle()
  await pipeline.stopAll()
  const { modelId, reindexing } = await activateModel(pipeline.sql, { name: 'fake/2', dimensions: FAKE_DIMENSIONS })
  assert.is(reindexing, 2)
  await pipeline.start({ modelId, embedder: fakeEmbedder('fake/2') }).idle()
  const rows = await pipeline.sql`select embedding_model_id as model, count(*)::int as n from excerpts group by 1`
  assert.equal([...rows], [{ model: modelId, n: 3 }])
})

test('claims nothing while another model is the active one, and says so', async () => {
  const { modelId } = await activateModel(pipeline.sql, { name: 'fake/2', dimensions: FAKE_DIMENSIONS })
  await pipeline.push([{ external_id: 'a' }])
  const old = pipeline.start()
  await old.idle()
  assert.is(old.state().status, 'waiting')
  assert.is(old.state().waiting?.reason, 'other_model')
  assert.is(old.embedder.calls, 0)
  await pipeline.start({ modelId }).idle()
  assert.equal(await pipeline.status(), { a: 'indexed' })
})

test('throws away what was embedded with a model that is no longer the active one', async () => {
  const embedder = fakeEmbedder()
  embedder.before = async () => {
    await activateModel(pipeline.sql, { name: 'fake/2', dimensions: FAKE_DIMENSIONS })
  }
  await pipeline.push([{ external_id: 'a' }])
  await pipeline.start({ embedder }).idle()
  assert.equal(await pipeline.status(), { a: 'indexing' })
  assert.is((await pipeline.sql`select 1 from excerpts`).length, 0)
  assert.is((await pipeline.sql`select 1 from index_jobs where lease_token is null and run_at <= now()`).length, 1)
})

test('what a server of the former model indexed while another became the active one is indexed again', async () => {
  await pipeline.push([{ external_id: 'a' }, { external_id: 'b' }])
  await pipeline.start().idle()
  await pipeline.stopAll()
  const { modelId } = await activateModel(pipeline.sql, { name: 'fake/2', dimensions: FAKE_DIMENSIONS })
  // As if they had come and been saved since this looked at the reviews and before it was committed.
  await pipeline.sql`update reviews set status = 'indexed'`
  await pipeline.sql`delete from index_jobs`
  pipeline.start({ modelId, embedder: fakeEmbedder('fake/2') })
  await until('both have excerpts of the new model', async () => {
    const rows = await pipeline.sql`select 1 from excerpts where embedding_model_id = ${modelId}`
    return rows.length === 2
  })
  assert.is(await queueLeftBehind(pipeline.sql, modelId), 0)
})

test('saves nothing under a model that is not the active one, even while it holds the claim', async () => {
  const embedder = fakeEmbedder()
  embedder.before = async () => {
    await pipeline.sql`insert into embedding_models (name, dimensions) values ('fake/2', 4)`
    await pipeline.sql`update installation set embedding_model_id = (select id from embedding_models where name = 'fake/2')`
  }
  await pipeline.push([{ external_id: 'a' }])
  const worker = pipeline.start({ embedder })
  await until('it sees the other model', () => worker.state().waiting?.reason === 'other_model')
  assert.equal(await pipeline.status(), { a: 'indexing' })
  assert.is((await pipeline.sql`select 1 from excerpts`).length, 0)
  assert.is((await pipeline.sql`select 1 from index_jobs where lease_token is null`).length, 1)
})

test.run()
