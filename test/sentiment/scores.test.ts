import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { readSentimentModel } from '../../server/sentiment/classifier.ts'
import { suite } from '../suite.ts'

const Golden = v.array(v.object({ text: v.string(), features: v.number(), negative: v.number(), positive: v.number() }))

const test = suite('sentiment scores')
const golden = v.parse(Golden, JSON.parse(readFileSync(new URL('./scores.golden.json', import.meta.url), 'utf8')))

test('features and sums are those that training came to, to the last digit', () => {
  const model = readSentimentModel()
  for (const { text, ...expected } of golden) {
    model.classify(text)
    const { features, negative, positive } = model.evidence
    assert.equal({ features, negative, positive }, expected, text)
  }
})

test.run()
