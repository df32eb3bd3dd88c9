import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { tolerant } from '../../src/client/tolerant.ts'
import { project } from '../../src/contract/project.ts'
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

test('a project of a server that did not tell its limit is read', () => {
  const before = { plan: 'free', origins: [], similarity_floor: 0.66, min_rating: 4, reviews: { live: 0, test: 0 } }
  const id = '7b1f8f7e-51ae-4a5c-9d38-0f4d3b1c2a10'
  const read = v.parse(tolerant(project), { id, name: 'shop', ...before, created_at: '2026-01-01T00:00:00Z' })
  assert.is(read.review_limit, undefined)
  assert.is(read.excerpts, 'all')
})

test.run()
