import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { Tokenizer } from '../../../server/embed/builtin/tokenizer.ts'
import { suite } from '../../suite.ts'

const test = suite('builtin tokenizer')
const tokenizer = new Tokenizer()

const golden = v.parse(
  v.array(v.object({ text: v.string(), tokens: v.array(v.string()), names: v.array(v.number()) })),
  JSON.parse(readFileSync(new URL('./tokens.golden.json', import.meta.url), 'utf8')),
)

test('splits every golden text as the model was trained on it', () => {
  for (const { text, tokens, names } of golden) {
    assert.equal(tokenizer.strings(text), tokens, JSON.stringify(text))
    const marked = [...tokenizer.names.subarray(0, tokenizer.count)].flatMap((name, i) => (name ? [i] : []))
    assert.equal(marked, names, JSON.stringify(text))
  }
})

test('the golden file covers contractions, accents, scripts without spaces, emoji and broken surrogates', () => {
  const all = golden.map(({ text }) => text).join('\n')
  for (const needed of ["can't", 'é', '東', '👍🏽', '\ud83d ', 'ß', '\u200b']) assert.ok(all.includes(needed), needed)
})

test('traditional and simplified Chinese are the same tokens, compatibility forms too', () => {
  assert.equal(tokenizer.strings('房間與早餐很乾淨，機場接送'), tokenizer.strings('房间与早餐很干净，机场接送'))
  assert.equal(tokenizer.strings('\uf9f7\uf958'), tokenizer.strings('立菱'))
  assert.equal(tokenizer.strings('\uf902'), tokenizer.strings('车'))
})

test('the tokens of a text do not depend on what was tokenised before', () => {
  const alone = golden.map(({ text }) => new Tokenizer().strings(text))
  const inARow = golden.map(({ text }) => tokenizer.strings(text))
  assert.equal(inARow, alone)
})

test('composed and decomposed accents are the same', () => {
  assert.equal(tokenizer.strings('Café Zoë'), tokenizer.strings('Café Zoë'.normalize('NFD')))
})

test('a text far longer than the first buffers is split whole', () => {
  const words = tokenizer.strings('quiet room '.repeat(20_000))
  assert.is(words.length, 40_000)
  assert.is(words.at(-1), 'room')
})

test('a word longer than 40 letters is cut, not split', () => {
  assert.equal(tokenizer.strings('ab'.repeat(300)), ['ab'.repeat(20)])
})

test('text of ligatures and contractions only fits its buffers', () => {
  assert.is(tokenizer.strings('\ufdfa '.repeat(5000)).length, tokenizer.count)
  assert.is(tokenizer.strings("n't ".repeat(5000)).length, 5000)
  assert.is(tokenizer.strings('cannot '.repeat(5000)).length, 10_000)
})

test.run()
