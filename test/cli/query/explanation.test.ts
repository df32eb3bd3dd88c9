import pc from 'picocolors'
import stringWidth from 'string-width'
import * as assert from 'uvu/assert'
import { explanationText } from '../../../src/cli/query/explanation.ts'
import { suite } from '../../suite.ts'

const test = suite('query --explain')
const style = pc.createColors(false)
const result = {
  ...{
    excerpt_id: 'e',
    review_id: '3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10',
    excerpt: 'A delicious breakfast by the lake.',
  },
  ...{ cosine: 0.798, sentence: 'A delicious breakfast.', words_matched: ['breakfast'], words_needed: 1, text_rank: 1 },
  ...{ coverage: null, adds: null },
  ...{ passes_by: 'floor' as const, hidden: false, complaint: false, other_language: false, fused: 0.8182, place: 1 },
}
const explanation = {
  words: ['breakfast', 'terrace', 'buckwheat', 'pancakes'],
  off_domain: [],
  floor: 0.66,
  word_tier: 0.53,
  min_rating: 4,
  limit: 5,
  results: [result],
}

test('no line is longer than the window, and none breaks inside a word', () => {
  for (const columns of [50, 80]) {
    const text = explanationText(explanation, { interactive: true, columns, style })
    for (const line of text.split('\n')) assert.ok(stringWidth(line) <= columns, `${columns}: ${line}`)
    assert.match(text, /half of the words\s+0\.53\n/)
  }
})

test('what nothing near says is told', () => {
  const text = explanationText({ ...explanation, off_domain: ['playoffs'] }, { interactive: false, columns: 80, style })
  assert.match(text, /nothing near says\s+playoffs: this lowers the cosines\n/)
})

test('what decides the order is told as the sum that it is', () => {
  const terminal = { interactive: false, columns: Number.POSITIVE_INFINITY, style }
  const text = (more: object) => explanationText({ ...explanation, results: [{ ...result, ...more }] }, terminal)
  assert.match(text({}), / · fused 0\.8182\n?$/)
  const adds = { words: 0.02, coverage: 0.15, tone: 0, language: 0 }
  assert.match(
    text({ fused: 0.968, coverage: 0.75, adds }),
    'fused 0.9680 = cosine 0.7980 + words 0.0200 + 0.1500 for saying 75 % of the query',
  )
  const foreign = { words: 0, coverage: 0, tone: 0, language: -0.05 }
  assert.match(text({ fused: 0.748, adds: foreign }), 'fused 0.7480 = cosine 0.7980 − language 0.0500')
  const agreeing = { words: 0, coverage: 0.15, tone: 0.1, language: 0 }
  assert.match(
    text({ fused: 1.048, coverage: 0.43, adds: agreeing }),
    'fused 1.0480 = cosine 0.7980 + 0.1500 for saying 43 % of the query + 0.1000 for the tone asked for',
  )
  const opposite = { words: 0, coverage: 0.15, tone: -0.1, language: -0.05 }
  assert.match(
    text({ fused: 0.798, coverage: 0.43, adds: opposite }),
    'for saying 43 % of the query − 0.1000 for the opposite tone − language 0.0500',
  )
})

test('in a pipe each fact is one line', () => {
  const text = explanationText(explanation, { interactive: false, columns: Number.POSITIVE_INFINITY, style })
  assert.is(text.split('\n').length, 7)
  assert.match(text, '\nrelevance floor   0.66; with half of the words 0.53\n')
})

test.run()
