import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { tolerant } from '../../src/client/tolerant.ts'
import { queryResponse } from '../../src/contract/query.ts'
import { storedReview } from '../../src/contract/review.ts'
import { suite } from '../suite.ts'

const test = suite('answers of servers of other versions')

const answer = v.strictObject({
  id: v.pipe(v.string(), v.uuid()),
  rows: v.array(v.object({ count: v.nullable(v.pipe(v.number(), v.integer())) })),
  note: v.exactOptional(v.string()),
  mode: v.optional(v.picklist(['all', 'some']), 'all'),
})
const read = (value: unknown) => v.safeParse(tolerant(answer), value)

test('what a later server adds passes through, at every depth', () => {
  const value = { id: 'new form', rows: [{ count: 1.5, more: true }], note: 'n', mode: 'some', added: { x: 1 } }
  assert.equal(read(value).output, value)
  assert.not(v.is(answer, value))
})

test('what an earlier server leaves out has its default', () => {
  assert.equal(read({ id: 'a', rows: [{ count: null }] }).output, { id: 'a', rows: [{ count: null }], mode: 'all' })
})

test('what has another type, or is missing, is no answer', () => {
  for (const wrong of [
    { id: 1, rows: [] },
    { id: 'a' },
    { id: 'a', rows: [{}] },
    { id: 'a', rows: [], note: null },
    { id: 'a', rows: [], mode: 'none' },
  ])
    assert.not(read(wrong).success, JSON.stringify(wrong))
})

test('metadata keeps keys such as __proto__', () => {
  const { metadata } = v.parse(v.object({ metadata: tolerant(storedReview.entries.metadata) }), {
    metadata: JSON.parse('{"__proto__":"a","constructor":"b"}'),
  })
  assert.equal(Object.keys(metadata), ['__proto__', 'constructor'])
})

test('of each schema there is one reader', () => {
  assert.is(tolerant(queryResponse), tolerant(queryResponse))
})

test.run()
