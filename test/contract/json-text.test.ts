import * as assert from 'uvu/assert'
import { seeded } from '../../bench/corpus.ts'
import { parseJsonText, withoutEscapes } from '../../src/contract/json-text.ts'
import { suite } from '../suite.ts'

const test = suite('JSON of others')

test('escapes that a text can do without are written out, others stay', () => {
  assert.is(withoutEscapes(String.raw`{"caf\u00e9":"a\/b \ud83d\ude00"}`), '{"café":"a/b 😀"}')
  for (const text of [String.raw`{"a\\u00e9":1}`, String.raw`{"\"\n\t\b\\":"\u0000\u001f\u0022\u005c\u005C"}`]) {
    assert.is(withoutEscapes(text), text)
  }
})

test('any JSON means the same', () => {
  const random = seeded(7)
  const signs = ['\\', '"', '/', 'é', '😀', '\n', '\u0000', '\ud83d', 'u00e9', ':', ' ', 'a', '\u2028']
  const word = () => Array.from({ length: random() * 6 }, () => signs[Math.floor(random() * signs.length)]).join('')
  for (let round = 0; round < 2_000; round++) {
    const value = { [word()]: word(), [word()]: [word(), { [word()]: word() }] }
    const ascii = JSON.stringify(value)
      .replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .replaceAll('/', '\\/')
    assert.equal(parseJsonText(ascii), value, ascii)
    assert.equal(parseJsonText(withoutEscapes(ascii)), value, ascii)
  }
})

test('a name is not read as one with a backslash that was read before', () => {
  parseJsonText(String.raw`{"text":"x","qualit\\":1}`)
  assert.equal(parseJsonText(String.raw`{"text":"x","qualit\u00e9":1}`), { text: 'x', qualité: 1 })
})

test('an error names the place in the text as it came', () => {
  const text = String.raw`{"caf\u00e9":1, x}`
  const messageOf = (parse: (text: string) => unknown) => {
    try {
      return parse(text)
    } catch (error) {
      return String(error)
    }
  }
  assert.is(messageOf(parseJsonText), messageOf(JSON.parse))
})

test('what is no JSON is refused as ever', () => {
  for (const text of ['', '{', String.raw`{"a\u00e9":}`, String.raw`{"\x":1}`, String.raw`{"\u00e":1}`]) {
    assert.throws(
      () => parseJsonText(text),
      (error: unknown) => error instanceof SyntaxError,
      text,
    )
  }
})

test.run()
