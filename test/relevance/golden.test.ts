import * as assert from 'uvu/assert'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { suite } from '../suite.ts'
import { DAMAGES, damaged } from './degraded.ts'
import { BOUNDS, failures, type GoldenFigures, measureGolden } from './golden-measure.ts'
import { QUERIES, SENTENCES } from './golden-set.ts'

const test = suite('relevance of the built-in model')
const figures = await measureGolden(await createBuiltinEmbedder())

test('every key of the golden set names a sentence', () => {
  for (const { query, answers, opposite = [] } of QUERIES) {
    for (const key of [...answers, ...opposite]) assert.ok(SENTENCES[key], `${query}: ${key}`)
  }
})

const SAYS: Record<keyof GoldenFigures, string> = {
  map: 'what answers a query stands at the top',
  namedMap: 'the name of a house in a query does not lead astray',
  precision: 'most of what passes the floor answers',
  recall: 'the floor lets in what answers, and no more than it should',
  silent: 'queries from other domains find nothing at the floor',
  tone: 'praise and complaint about the same thing are told apart',
  negatedTone: 'a negation in the query turns them',
  negation: '"not good" is nearer to a complaint than to praise',
  misspelt: 'misspelt queries still rank what they mean among the first',
  empty: 'a sentence that says nothing does not reach the word tier',
}
for (const [name, says] of Object.entries(SAYS) as [keyof GoldenFigures, string][]) {
  const { measured, least, most } = BOUNDS[name]
  test(`${says} (measured ${measured})`, () => {
    assert.not(failures(figures).includes(name), `${figures[name]}, bounds ${least} to ${most}`)
  })
}

const degraded = suite('the golden set notices')
for (const [name, damage] of Object.entries(DAMAGES)) {
  degraded(name, async () => {
    const found = await measureGolden(damaged(damage))
    assert.ok(failures(found).length > 0, JSON.stringify(found))
  })
}

degraded('nothing wrong with the shipped file', async () => {
  assert.equal(await measureGolden(damaged({})), figures)
})

test.run()
degraded.run()
