import * as assert from 'uvu/assert'
import { thresholdsOf } from '../../server/search/policy.ts'
import { apiScore, type Candidate, isSettled, rank, TEXT_WEIGHT } from '../../server/search/rank.ts'
import { suite } from '../suite.ts'

const test = suite('rank')
const thresholds = thresholdsOf(0.66)
const all = { limit: 1000, onePerReview: false }

function candidate(id: string, cosine: number, words: Partial<Candidate> = {}): Candidate {
  return { id, reviewId: id, ordinal: 0, cosine, matchesHalf: false, textRank: null, ...words }
}
const ids = (ranked: Candidate[]) => ranked.map(({ id }) => id)

test('orders by cosine when nothing matches by words', () => {
  assert.equal(ids(rank([candidate('b', 0.7), candidate('a', 0.9), candidate('c', 0.66)], thresholds, all)), [
    'a',
    'b',
    'c',
  ])
})

test('drops what is below the floor, and pads nothing', () => {
  assert.equal(ids(rank([candidate('a', 0.66), candidate('b', 0.659999)], thresholds, all)), ['a'])
  assert.equal(rank([candidate('b', 0.4)], thresholds, all), [])
  assert.equal(rank([], thresholds, all), [])
})

test('lets an excerpt with half of the words pass down to the word tier, and not below it', () => {
  const half = { matchesHalf: true, textRank: 0.1 }
  const found = rank([candidate('a', 0.53, half), candidate('b', 0.5299, half), candidate('c', 0.6)], thresholds, all)
  assert.equal(ids(found), ['a'])
})

test('asks for the floor when fewer than half of the words match', () => {
  assert.equal(rank([candidate('a', 0.6, { matchesHalf: false, textRank: 0.1 })], thresholds, all), [])
})

test('adds the share of the words to the cosine', () => {
  const found = rank([candidate('a', 0.7), candidate('b', 0.695, { textRank: 0.5 })], thresholds, all)
  assert.equal(
    found.map(({ id, fused }) => [id, fused]),
    [
      ['b', 0.695 + TEXT_WEIGHT * 0.5],
      ['a', 0.7],
    ],
  )
})

test('is ordered by the fused sum, so that scores need not fall', () => {
  const found = rank([candidate('near', 0.67), candidate('matching', 0.66, { textRank: 1 })], thresholds, all)
  assert.equal(ids(found), ['matching', 'near'])
  assert.ok((found[0]?.cosine ?? 1) < (found[1]?.cosine ?? 0))
})

test('lets no words lift what is far behind', () => {
  const found = rank([candidate('near', 0.75), candidate('matching', 0.66, { textRank: 1 })], thresholds, all)
  assert.equal(ids(found), ['near', 'matching'])
})

test('breaks ties by cosine, then review, then position, whatever order they come in', () => {
  const nearer = [candidate('1', 0.78, { textRank: 1 }), candidate('2', 0.8)]
  assert.is(0.78 + TEXT_WEIGHT, 0.8)
  assert.equal(ids(rank(nearer, thresholds, all)), ['2', '1'])
  const tied = [
    { ...candidate('2b', 0.8), reviewId: '2', ordinal: 1 },
    { ...candidate('2a', 0.8), reviewId: '2', ordinal: 0 },
    { ...candidate('1', 0.8), reviewId: '1' },
  ]
  assert.equal(ids(rank(tied, thresholds, all)), ['1', '2a', '2b'])
  assert.equal(ids(rank(tied.toReversed(), thresholds, all)), ['1', '2a', '2b'])
})

test('keeps several excerpts of a review, unless one for each review is asked for', () => {
  const candidates = [
    { ...candidate('1a', 0.9), reviewId: '1' },
    { ...candidate('1b', 0.8), reviewId: '1', ordinal: 1 },
    { ...candidate('2a', 0.7), reviewId: '2' },
  ]
  assert.equal(ids(rank(candidates, thresholds, { limit: 2, onePerReview: false })), ['1a', '1b'])
  assert.equal(ids(rank(candidates, thresholds, { limit: 2, onePerReview: true })), ['1a', '2a'])
})

test('takes the excerpt with the best fused place for a review, not the one with the best cosine', () => {
  const candidates = [
    { ...candidate('1a', 0.9), reviewId: '1' },
    { ...candidate('1b', 0.89, { textRank: 1 }), reviewId: '1', ordinal: 1 },
  ]
  assert.equal(ids(rank(candidates, thresholds, { limit: 5, onePerReview: true })), ['1b'])
})

test('does not change its input', () => {
  const candidates = [candidate('b', 0.7), candidate('a', 0.9)]
  rank(candidates, thresholds, all)
  assert.equal(ids(candidates), ['b', 'a'])
})

const settled = suite('a ranking of the nearest excerpts')
const ranked = rank([candidate('a', 0.9), candidate('b', 0.8, { textRank: 0.5 })], thresholds, all)

settled('is settled when nothing was left out', () => {
  assert.ok(isSettled([], 5, null))
})

settled('is open when the page is not full', () => {
  assert.not(isSettled(ranked, 3, 0.1))
})

settled('is open while an excerpt at the horizon with all of the words would come before the last', () => {
  assert.not(isSettled(ranked, 2, 0.81 - TEXT_WEIGHT + 1e-9))
  assert.ok(isSettled(ranked, 2, 0.81 - TEXT_WEIGHT - 1e-9))
  assert.ok(isSettled(ranked, 1, 0.87))
})

settled('is settled by a tie, which the nearer one wins', () => {
  const tied = rank([candidate('a', 0.9, { textRank: 1 })], thresholds, all)
  assert.ok(isSettled(tied, 1, 0.9))
})

const score = suite('score')

score('is the cosine to six decimals', () => {
  assert.is(apiScore(0.71234567, thresholds), 0.712346)
})

score('stays within 0 and 1', () => {
  assert.is(apiScore(1.000002, thresholds), 1)
  assert.is(apiScore(-0.05, thresholdsOf(0)), 0)
  assert.is(apiScore(0, thresholdsOf(0)), 0)
})

score('is never rounded below the threshold that was cleared', () => {
  for (const cosine of [0.66000031, 0.66000034]) assert.is(apiScore(cosine, thresholdsOf(0.66000031)), 0.66000031)
  const low = thresholdsOf(0.79000031)
  assert.is(apiScore(0.66000034, low), low.wordTier)
})

score('has a word tier 0.13 below the floor, without binary residue', () => {
  assert.is(thresholdsOf(0.66).wordTier, 0.53)
  assert.is(thresholdsOf(0.68).wordTier, 0.55)
})

test.run()
settled.run()
score.run()
