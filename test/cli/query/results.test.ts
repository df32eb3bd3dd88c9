import pc from 'picocolors'
import * as assert from 'uvu/assert'
import { queryResults } from '../../../src/cli/query/results.ts'
import type { QueryResponse } from '../../../src/contract/query.ts'
import { suite } from '../../suite.ts'
import { answer } from './canned-answer.ts'

const test = suite('the review around an excerpt, and the words marked in it')
const now = new Date('2026-08-01T00:00:00Z')
const pipe = (colour: boolean) => ({
  interactive: false,
  columns: Number.POSITIVE_INFINITY,
  style: pc.createColors(colour),
})

function shown(before: string, excerpt: string, after: string, { q = 'x', colour = false } = {}): string {
  const [result] = answer.results
  if (result === undefined) throw new Error('the canned answer has a result')
  const text = before + excerpt + after
  const highlight = { start: before.length, end: before.length + excerpt.length }
  const found: QueryResponse = {
    ...answer,
    match: 'query',
    results: [{ ...result, excerpt, highlight, review: { ...result.review, text, source: 'google' } }],
  }
  return queryResults({ answer: found, q, now, floor: undefined }, pipe(colour)).split('\n')[1]?.trim() ?? ''
}

test('a review in a script without blanks is shown for as many columns on each side as any other', () => {
  const sentence = '湯船がとても広くて気持ちよかったです。'
  const line = shown(sentence.repeat(8), '朝食も豪華でした。', sentence.repeat(8))
  const [before = '', after = ''] = line.split('[[朝食も豪華でした。]]')
  assert.is(before.replace(/^… | $/g, ''), sentence.repeat(8).slice(-60))
  assert.is(after.replace(/^ | …$/g, ''), sentence.repeat(8).slice(0, 60))
})

test('what is shown of it begins and ends with a whole word, and with no half of a character', () => {
  const line = shown('The lake was cold. '.repeat(20), 'Warm sauna.', ' The bill was fair.'.repeat(20))
  assert.match(line, /^… (?:The|lake|was|cold\.) .*\[\[Warm sauna\.\]\] .*(?:The|bill|was|fair\.) …$/)
  for (const picture of ['😀', '👩‍👩‍👧', 'नि']) {
    for (const shift of ['', 'x', 'xx', 'xxx']) {
      const around = picture.repeat(150)
      const [before = '', after = ''] = shown(`${around}${shift}`, 'Warm sauna.', `${shift}${around}`).split(
        'Warm sauna.',
      )
      assert.is(before.replace(/^… |x*\s?\[\[$/g, '').replaceAll(picture, ''), '')
      assert.is(after.replace(/^\]\]\s?x*| …$/g, '').replaceAll(picture, ''), '')
    }
  }
})

test('in a text without blanks only the words of the query are marked, not the sentence that begins with one', () => {
  const { underline } = pc.createColors(true)
  const line = shown('', '個室を予約しました。広い個室でした。', '', { q: '個室から海が見える', colour: true })
  assert.ok(line.includes(`${underline('個室')}を予約しました。広い${underline('個室')}でした。`), JSON.stringify(line))
  const thai = shown('', 'อาหารอร่อยส่งเร็ว', '', { q: 'อาหารเช้าส่งถึงห้อง', colour: true })
  assert.ok(thai.includes(`${underline('อาหาร')}อร่อย${underline('ส่ง')}เร็ว`), JSON.stringify(thai))
})

test('a word of two syllables of Hangul is marked, and no mark of colour separates a letter from its accent', () => {
  const { underline } = pc.createColors(true)
  assert.ok(shown('', '배송이 빨라요', '', { q: '빠른 배송', colour: true }).includes(underline('배송이')))
  const accented = 'cafe\u0301s'
  const line = shown('', `two ${accented} nearby`, '', { q: 'cafe\u0301s', colour: true })
  assert.ok(line.includes(underline(accented)), JSON.stringify(line))
  const hindi = 'स्वादिष्ट'
  assert.ok(shown('', `खाना ${hindi} था`, '', { q: hindi, colour: true }).includes(underline(hindi)))
})

test.run()
