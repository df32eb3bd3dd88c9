/** A name that stands twice in one object is refused, since the parser would drop the first without a word. */
import * as assert from 'uvu/assert'
import { measureJson } from '../../server/http/json-limits.ts'
import { findRepeatedName, findRepeatedNames } from '../../src/contract/json-names.ts'
import { suite } from '../suite.ts'

const test = suite('names in JSON')

function repeated(text: string): string | undefined {
  const measured = measureJson(Buffer.from(text))
  if (measured.exceeded !== undefined) throw new Error(measured.exceeded)
  return findRepeatedName(text, JSON.parse(text), measured.names)
}

const TWICE: [text: string, path: string][] = [
  ['{"q": "a", "q": "b"}', 'q'],
  ['[{"a": 1}, {"text": "x", "rating": 1, "rating" : 2}]', '1.rating'],
  ['{"filters": {"metadata": {"a": "1", "b": ["x", "y"], "a": "2"}}}', 'filters.metadata.a'],
  ['{"a\\u0062": 1, "ab": 2}', 'ab'],
  ['{"__proto__": 1, "__proto__": 2}', '__proto__'],
  ['{"a": {"a": 1}, "b": [[], {}, {"c": 1, "c": {}}]}', 'b.2.c'],
  ['{"": 1, "": 2}', ''],
]
for (const [text, path] of TWICE) {
  test(`one that stands twice is found: ${text}`, () => {
    assert.is(repeated(text), path)
  })
}

test('names of different objects, and what looks like one within a text, are none', () => {
  for (const text of [
    '[{"a": 1}, {"a": 2}]',
    '{"a": {"a": {"a": 1}}}',
    '{"a": "\\"a\\": 1, \\"a\\": 2", "b": ":::{{", "c": "\\\\"}',
    '{"__proto__": "x", "constructor": "y", "toString": "z"}',
    '"a:b"',
    'null',
    '[]',
  ])
    assert.is(repeated(text), undefined, text)
})

test('all that stand twice are found, each once, with paths of a length that can be sent', () => {
  const all = (text: string) => findRepeatedNames(text, JSON.parse(text))
  assert.equal(all('[{"a": 1, "a": 2, "a": 3, "b": 1, "b": 2}, {"c": {"d": 1, "d": 2}}]'), ['0.a', '0.b', '1.c.d'])
  assert.equal(all('{"a": 1, "b": [{}, []]}'), [])
  const twice = Array.from({ length: 20_000 }, (_, index) => `"${index}":1,"${index}":2`)
  const paths = all(`{"${'x'.repeat(500_000)}": {${twice.slice(0, 2)}}, ${twice}}`)
  assert.is(paths.length, 1_000)
  assert.is(paths[0], 'x'.repeat(301))
})

test.run()
