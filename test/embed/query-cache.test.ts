import * as assert from 'uvu/assert'
import { type Embedder, EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { cachedQueries } from '../../server/embed/query-cache.ts'
import { fakeEmbedder } from '../indexing/fake-embedder.ts'
import { suite } from '../suite.ts'

const test = suite('query cache')

test('embeds a search text once, and documents each time', async () => {
  const inner = fakeEmbedder()
  const embedder = cachedQueries(inner, { entries: 10 })
  const first = await embedder.embed(['quiet rooms'], 'query')
  const second = await embedder.embed(['quiet rooms'], 'query')
  assert.equal(second, first)
  assert.equal(inner.embedded, ['quiet rooms'])
  await embedder.embed(['quiet rooms'], 'document')
  await embedder.embed(['quiet rooms'], 'document')
  assert.is(inner.embedded.length, 3)
  assert.is(embedder.id, inner.id)
  assert.is(embedder.dimensions, inner.dimensions)
})

test('embeds a text once for excerpts of each language, with a model that reads words by language', async () => {
  const inner = {
    ...fakeEmbedder(),
    languages: {
      possible: () => 1,
      knows: () => true,
      margin: 0,
      meanings: () => ({ languages: [], english: [] }),
      wordsFor: () => [],
    },
  }
  const among: (readonly string[] | undefined)[] = []
  const heard: Embedder = {
    ...inner,
    embed: (texts, kind, signal, languages) => {
      among.push(languages)
      return inner.embed(texts, kind, signal)
    },
  }
  const embedder = cachedQueries(heard, { entries: 10 })
  for (const languages of [['de', 'en'], ['en', 'de'], ['en']])
    await embedder.embed(['Teller'], 'query', undefined, languages)
  assert.equal(among, [['de', 'en'], ['en']])
  among.length = 0
  const other = cachedQueries({ ...heard, languages: undefined }, { entries: 10 })
  for (const languages of [['de'], ['en']]) await other.embed(['Teller'], 'query', undefined, languages)
  assert.is(among.length, 1)
})

test('embeds a text once that is asked for by many at the same time', async () => {
  const inner = fakeEmbedder()
  const embedder = cachedQueries(inner, { entries: 10 })
  await Promise.all(Array.from({ length: 20 }, () => embedder.embed(['quiet rooms'], 'query')))
  assert.is(inner.calls, 1)
})

test('keeps so many texts and no more, the least recently used go', async () => {
  const inner = fakeEmbedder()
  const embedder = cachedQueries(inner, { entries: 2 })
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await embedder.embed([text], 'query')
  assert.equal(inner.embedded, ['a', 'b', 'c', 'b'])
})

test('does not remember a failure, and tells of what the provider embedded only', async () => {
  const inner = fakeEmbedder()
  let embedded = 0
  const embedder = cachedQueries(inner, { entries: 10, embedded: () => embedded++ })
  inner.before = () => {
    throw new EmbeddingUnavailable('away')
  }
  const failed = await embedder.embed(['quiet rooms'], 'query').catch((error: unknown) => error)
  assert.instance(failed, EmbeddingUnavailable)
  assert.is(embedded, 0)
  inner.before = undefined
  assert.is((await embedder.embed(['quiet rooms'], 'query')).length, 1)
  await embedder.embed(['quiet rooms'], 'query')
  assert.is(embedded, 1)
})

test('an abort frees its own caller only', async () => {
  const inner = fakeEmbedder()
  const embedder = cachedQueries(inner, { entries: 10 })
  inner.before = () => new Promise((resolve) => setTimeout(resolve, 50))
  const controller = new AbortController()
  const given = embedder.embed(['quiet rooms'], 'query', controller.signal).catch((error: Error) => error.message)
  const kept = embedder.embed(['quiet rooms'], 'query')
  controller.abort(new Error('closed the page'))
  assert.is(await given, 'closed the page')
  assert.is((await kept).length, 1)
})

test('without entries it is the embedder itself', () => {
  const inner = fakeEmbedder()
  assert.is(cachedQueries(inner, { entries: 0 }), inner)
})

test.run()
