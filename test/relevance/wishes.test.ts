import * as assert from 'uvu/assert'
import { measureWishes } from '../../bench/relevance/wishes.ts'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { suite } from '../suite.ts'

const test = suite('the tone of what a heading wishes')

for (const { name, orders } of await measureWishes(await createBuiltinEmbedder())) {
  const of = (order: string) => {
    const found = orders.find((one) => one.name === order)
    if (!found) throw new Error(order)
    return found
  }

  test(`brings more answers before the opposite, and costs no order: ${name}`, () => {
    const [words, tone] = [of('words'), of('words and tone')]
    assert.ok(tone.answerFirst >= words.answerFirst + 0.05, `${words.answerFirst} and ${tone.answerFirst}`)
    assert.ok(tone.answerFirst >= 0.87, `${tone.answerFirst}`)
    assert.ok(tone.map >= words.map, `MAP ${words.map} and ${tone.map}`)
  })
}

test.run()
