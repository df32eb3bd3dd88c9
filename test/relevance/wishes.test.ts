import * as assert from 'uvu/assert'
import { measureWishes } from '../../bench/relevance/wishes.ts'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { suite } from '../suite.ts'

const test = suite('the tone of what a heading wishes')

/** In another language an excerpt's tone only takes off. */
const GAINS: Record<string, number> = { 'a language over its own sentences': 0.05, 'asked in English': 0.05 }

for (const { name, orders } of await measureWishes(await createBuiltinEmbedder())) {
  const of = (order: string) => {
    const found = orders.find((one) => one.name === order)
    if (!found) throw new Error(order)
    return found
  }

  test(`brings more answers before the opposite, and costs no order: ${name}`, () => {
    const [words, tone] = [of('words'), of('words and tone')]
    assert.ok(
      tone.answerFirst >= words.answerFirst + (GAINS[name] ?? 0.01),
      `${words.answerFirst} and ${tone.answerFirst}`,
    )
    assert.ok(tone.answerFirst >= 0.87, `${tone.answerFirst}`)
    assert.ok(tone.map >= words.map, `MAP ${words.map} and ${tone.map}`)
  })
}

test.run()
