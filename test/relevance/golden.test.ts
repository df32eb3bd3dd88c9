import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { suite } from '../suite.ts'
import { OFF_DOMAIN, QUERIES, SENTENCES } from './golden-set.ts'

const test = suite('relevance of the built-in model')
const FLOOR = 0.66
const WORD_TIER = 0.53

const embedder = await createBuiltinEmbedder()
const keys = Object.keys(SENTENCES)
const documents = await embedder.embed(Object.values(SENTENCES), 'document')
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0)

/** Every sentence with its score, best first. */
async function search(query: string): Promise<{ key: string; score: number }[]> {
  const [vector] = await embedder.embed([query], 'query')
  if (!vector) throw new Error('no vector')
  const scored = keys.map((key, i) => ({ key, score: cosine(vector, documents[i] ?? vector) }))
  return scored.sort((a, b) => b.score - a.score)
}

const judged = await Promise.all(QUERIES.map(async (query) => ({ ...query, found: await search(query.query) })))
const mean = (values: number[]) => values.reduce((sum, x) => sum + x, 0) / values.length

test('every key of the golden set names a sentence', () => {
  for (const { query, answers, opposite = [] } of QUERIES) {
    for (const key of [...answers, ...opposite]) assert.ok(SENTENCES[key], `${query}: ${key}`)
  }
})

test('what answers a query stands at the top (measured .845 mean average precision)', () => {
  const precisions = judged.map(({ answers, found }) => {
    let hits = 0
    return found.reduce((sum, { key }, i) => (answers.includes(key) ? sum + ++hits / (i + 1) : sum), 0) / answers.length
  })
  assert.ok(mean(precisions) > 0.8, `mean average precision ${mean(precisions)}`)
})

test('most queries find an answer above the floor, and most of what passes answers', () => {
  const silent = judged.filter(({ answers, found }) => !found.some((f) => f.score >= FLOOR && answers.includes(f.key)))
  assert.ok(silent.length <= 7, `without an answer: ${silent.map(({ query }) => query).join(', ')}`)
  const passed = judged.flatMap(({ answers, found }) =>
    found.filter(({ score }) => score >= FLOOR).map(({ key }) => answers.includes(key)),
  )
  assert.ok(mean(passed.map(Number)) > 0.8, `precision ${mean(passed.map(Number))} of ${passed.length}`)
})

test('queries from other domains find nothing at the floor', async () => {
  for (const query of OFF_DOMAIN) {
    const [best] = await search(query)
    assert.ok((best?.score ?? 1) < FLOOR, `${query}: ${best?.key} ${best?.score}`)
  }
})

test('praise and complaint about the same thing are told apart', () => {
  const pairs = judged.flatMap(({ query, answers, opposite = [], found }) => {
    const score = (key: string) => found.find((f) => f.key === key)?.score ?? 0
    return answers.flatMap((a) => opposite.map((o) => ({ query, a, o, right: score(a) > score(o) })))
  })
  const wrong = pairs.filter(({ right }) => !right)
  assert.ok(pairs.length >= 25)
  assert.ok(
    wrong.length <= pairs.length * 0.15,
    wrong.map(({ query, a, o }) => `${query}: ${o} before ${a}`).join('; '),
  )
})

test('"not good" is nearer to a complaint than to praise', async () => {
  const [query, good, bad] = await Promise.all([
    embedder.embed(['not good'], 'query'),
    embedder.embed(['The food was good.'], 'document'),
    embedder.embed(['The food was not good.'], 'document'),
  ])
  const [q, g, b] = [query[0], good[0], bad[0]]
  if (!q || !g || !b) throw new Error('no vector')
  assert.ok(cosine(q, b) > cosine(q, g) + 0.1, `${cosine(q, b)} against ${cosine(q, g)}`)
})

test('misspelt queries still rank what they mean among the first', () => {
  for (const query of ['brekfast with fresh bred', 'swiming pol']) {
    const entry = judged.find((one) => one.query === query)
    const top = entry?.found.slice(0, 3).map(({ key }) => key) ?? []
    assert.ok(
      top.some((key) => entry?.answers.includes(key)),
      `${query}: ${top.join(', ')}`,
    )
  }
})

test('a sentence that says nothing does not reach the word tier of every query', () => {
  const near = judged.filter(({ found }) => found.some((f) => f.key === 'second' && f.score >= WORD_TIER))
  assert.ok(near.length <= 3, near.map(({ query }) => query).join(', '))
})

test.run()
