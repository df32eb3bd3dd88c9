import * as assert from 'uvu/assert'
import { measureLanguages } from '../../bench/relevance/languages-table.ts'
import { OTHER_LANGUAGES } from '../../bench/relevance/other-languages.ts'
import { EmbedderScorer } from '../../bench/relevance/scorers.ts'
import { createBuiltinEmbedder } from '../../server/embed/builtin/embedder.ts'
import { suite } from '../suite.ts'

const test = suite('relevance in other languages')
const FLOOR = 0.66
const embedder = await createBuiltinEmbedder()
const figures = await measureLanguages(new EmbedderScorer('builtin', embedder), FLOOR)

for (const { language } of OTHER_LANGUAGES) {
  const of = (name: string) => figures.find((row) => row.language === name)

  test(`${language} answers itself`, () => {
    const { map = 0, precision = 0 } = of(language) ?? {}
    assert.ok(map >= 0.8, `mean average precision ${map}`)
    assert.ok(precision >= 0.8, `precision at the floor ${precision}`)
  })

  test(`${language} and English answer each other`, () => {
    for (const name of [`${language} asked in English`, `English asked in ${language}`]) {
      const { map = 0, precision = 0 } = of(name) ?? {}
      assert.ok(map >= 0.75, `${name}: mean average precision ${map}`)
      assert.ok(precision >= 0.8, `${name}: precision at the floor ${precision}`)
    }
  })
}

test.run()
