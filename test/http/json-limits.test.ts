import * as assert from 'uvu/assert'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, measureJson } from '../../server/http/json-limits.ts'
import { suite } from '../suite.ts'

const test = suite('the shape of JSON')
const shape = (text: string) => measureJson(Buffer.from(text)).exceeded

test('levels are counted as they open and close', () => {
  const deep = (levels: number) => `${'[{"a":'.repeat(levels / 2)}0${'}]'.repeat(levels / 2)}`
  assert.is(shape(deep(MAX_JSON_DEPTH)), undefined)
  assert.match(shape(deep(MAX_JSON_DEPTH + 2)) ?? '', 'levels deep')
  assert.is(shape(`[${'[[]],'.repeat(1_000)}[]]`), undefined)
  assert.is(shape(`[${'{"a":{}},'.repeat(1_000)}{}]`), undefined)
})

test('fields and items are counted', () => {
  assert.is(shape(`[${'0,'.repeat(MAX_JSON_VALUES - 1)}0]`), undefined)
  assert.match(shape(`[${'0,'.repeat(MAX_JSON_VALUES)}0]`) ?? '', 'fields and items')
  assert.match(shape('[]'.repeat(MAX_JSON_VALUES + 1)) ?? '', 'fields and items')
})

test('names are counted, for whoever looks at them', () => {
  assert.equal(measureJson(Buffer.from('{"a":1,"b:":{"c":[":"]}}')), { names: 3 })
})

test('what stands in a string counts for nothing', () => {
  assert.is(shape(JSON.stringify({ text: '[{,"\\'.repeat(MAX_JSON_VALUES) })), undefined)
  assert.is(shape(`"${'[,'.repeat(MAX_JSON_VALUES)}`), undefined)
  assert.match(shape(`"\\\\",${'['.repeat(MAX_JSON_DEPTH + 1)}`) ?? '', 'levels deep')
})

test('what is no JSON is no concern of it', () => {
  for (const text of ['', ']]]]', '"', '"\\', '}{', '\ufeff']) assert.is(shape(text), undefined)
})

test.run()
