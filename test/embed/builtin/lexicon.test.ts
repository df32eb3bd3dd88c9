import * as assert from 'uvu/assert'
import { Lexicon } from '../../../server/embed/builtin/lexicon.ts'
import { suite } from '../../suite.ts'

const test = suite('words of other languages in a file')
const lexicon = new Lexicon(new URL('../../../server/embed/builtin/languages.bin', import.meta.url))

test('an English word as an entry is that word, whichever others were asked for', () => {
  const words = [1, 2, 300, 35_999]
  const entries = words.map((word) => lexicon.english(word))
  for (const [i, entry] of entries.entries()) {
    assert.is(lexicon.main(entry, 36_000), words[i])
    assert.is(lexicon.isApproximate(entry), false)
    assert.is(lexicon.squared(entry), 1)
  }
})

test.run()
