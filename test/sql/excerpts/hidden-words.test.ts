import * as assert from 'uvu/assert'
import { withheldAmong, wordsOf } from '../../../server/sql/excerpts/hidden-words.ts'
import { suite } from '../../suite.ts'

const test = suite('hidden words')
const among = (excerpts: string[], ...hidden: string[]) =>
  withheldAmong(
    excerpts.map((text) => ({ text })),
    hidden.map(wordsOf),
  )

test('space, case and punctuation are no words', () => {
  assert.is(wordsOf('The fan – it RATTLED!'), wordsOf('the fan,\n it rattled'))
  assert.is.not(wordsOf('it rattled'), wordsOf('it rattles'))
  assert.is(wordsOf('ﬁne Ｂed'), wordsOf('fine bed'))
  assert.is(wordsOf('👍  👍 👎'), wordsOf('👍👍👎'))
  assert.is.not(wordsOf('👍'), wordsOf('👎'))
})

test('an excerpt is withheld wherever the words stand now', () => {
  assert.equal(among(['Nice view.', 'The fan rattled.'], 'The fan rattled.'), [false, true])
  assert.equal(among(['Nice view. The fan', 'rattled. Good bread.'], 'The fan rattled.'), [true, true])
  assert.equal(among(['We loved it. The fan rattled. Good bread.'], 'The fan rattled.'), [true])
  assert.equal(among(['The fan', 'rattled', 'a lot. Bye.', 'End.'], 'The fan rattled a lot.'), [
    true,
    true,
    true,
    false,
  ])
})

test('what is gone from the text, or was never hidden, withholds nothing', () => {
  assert.equal(among(['Nice view.', 'Good bread.'], 'The fan rattled.'), [false, false])
  assert.equal(among(['Nice view.']), [false])
  assert.equal(among(['👍', 'Nice'], '👍'), [true, false])
  assert.equal(withheldAmong([{ text: 'a' }], ['']), [false])
})

test('every occurrence counts', () => {
  assert.equal(among(['Bad. Good.', 'Fine.', 'Bad.'], 'Bad.'), [true, false, true])
})

test.run()
