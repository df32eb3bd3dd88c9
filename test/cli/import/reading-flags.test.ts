import * as assert from 'uvu/assert'
import { namedFormat } from '../../../src/cli/import/reading-flags.ts'
import { suite } from '../../suite.ts'

const test = suite('what --profile and --format name')

test('--profile is a stored profile, or a format where no profile is called so', () => {
  assert.equal(namedFormat({ profile: ['shop'] }, ['shop']), { connection: 'shop', format: undefined })
  assert.equal(namedFormat({ profile: ['Yotpo'] }, ['shop']), { connection: undefined, format: 'yotpo' })
  assert.equal(namedFormat({ profile: ['yotpo', 'shop'] }, ['shop']), { connection: 'shop', format: 'yotpo' })
})

test('beside --format it is always a stored profile, whatever its name', () => {
  assert.equal(namedFormat({ format: 'generic', profile: ['yotpo'] }, ['yotpo']), {
    connection: 'yotpo',
    format: 'generic',
  })
  assert.throws(() => namedFormat({ format: 'generic', profile: ['yotpo'] }, []), /there is no stored profile yotpo/)
})

test('a name of both, without --format, is refused in words', () => {
  for (const profile of [['yotpo'], ['yotpo', 'shop']])
    assert.throws(() => namedFormat({ profile }, ['yotpo', 'shop']), /may mean the stored profile or the format/)
})

test('two of a kind are refused', () => {
  assert.throws(() => namedFormat({ profile: ['yotpo', 'generic'] }, []), /is given twice/)
  assert.throws(() => namedFormat({ profile: ['a', 'b'] }, ['a', 'b']), /is given twice/)
})

test.run()
