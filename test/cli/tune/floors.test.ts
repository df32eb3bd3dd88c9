import * as assert from 'uvu/assert'
import {
  type FloorOutcome,
  floorOutcome,
  floorOutcomes,
  floorVerdict,
  type MeasuredJudgement,
  suggestedFloor,
} from '../../../src/cli/tune/floors.ts'
import { suite } from '../../suite.ts'

const test = suite('tuning the relevance floor')

const judged = (fits: boolean, cosine: number, matchesHalf = false): MeasuredJudgement => ({
  query: 'q',
  review: 'r',
  fits,
  excerpts: [{ cosine, matchesHalf }],
})

test('a floor between what fits and what does not is found, far from both', () => {
  const all = [judged(true, 0.8), judged(true, 0.75), judged(false, 0.55), judged(false, 0.3)]
  const suggested = suggestedFloor(floorOutcomes(all))
  assert.equal([suggested?.kept, suggested?.lost, suggested?.wrong], [2, 0, 0])
  assert.ok((suggested?.floor ?? 0) > 0.6 && (suggested?.floor ?? 0) < 0.7)
})

test('what appears and fits, what fits and does not appear, and what appears wrongly are counted', () => {
  const all = [judged(true, 0.66), judged(true, 0.65), judged(false, 0.66), judged(false, 0.65)]
  assert.equal(floorOutcome(all, 0.66), { floor: 0.66, kept: 1, lost: 1, wrong: 1, measure: 0.5 })
  for (const none of [[], [judged(true, 0.3)], [judged(false, 0.9)]]) assert.is(floorOutcome(none, 0.66).measure, 0)
})

test('floors from 0.40 to 0.90 are tried; of equals the middle of the highest stretch is suggested', () => {
  const outcomes = floorOutcomes([])
  assert.equal([outcomes.length, outcomes[0]?.floor, outcomes.at(-1)?.floor], [51, 0.4, 0.9])
  const suggested = (...measures: number[]) =>
    suggestedFloor(measures.map((measure, floor) => ({ floor, kept: 0, lost: 0, wrong: 0, measure })))?.floor
  assert.is(suggested(0.9, 0.9, 0.9, 0.9, 0.1), 1)
  assert.is(suggested(0.9, 0.9, 0.1, 0.9, 0.9, 0.9, 0.2), 4)
})

test('words let a review in below the floor, as in a search', () => {
  assert.is(floorOutcome([judged(true, 0.55, true)], 0.66).kept, 1)
  assert.is(floorOutcome([judged(true, 0.53, true)], 0.66).kept, 1)
  assert.is(floorOutcome([judged(true, 0.52, true)], 0.66).kept, 0)
  assert.is(floorOutcome([judged(true, 0.55, false)], 0.66).kept, 0)
})

test('a wrong result weighs more than a lost one', () => {
  // Either both appear or only the first: the lower floor would add one right and one wrong.
  const all = [judged(true, 0.8), judged(true, 0.6), judged(false, 0.6)]
  assert.equal([suggestedFloor(floorOutcomes(all))?.kept, suggestedFloor(floorOutcomes(all))?.wrong], [1, 0])
})

test('a review with several excerpts appears by its best one', () => {
  const one: MeasuredJudgement = {
    ...judged(true, 0.2),
    excerpts: [
      { cosine: 0.2, matchesHalf: false },
      { cosine: 0.7, matchesHalf: false },
    ],
  }
  assert.is(floorOutcome([one], 0.66).kept, 1)
})

test('one that is not indexed appears nowhere', () => {
  assert.is(floorOutcome([{ ...judged(true, 0), excerpts: [] }], 0.4).lost, 1)
})

/** Judgements over some queries: fitting reviews at one cosine, others at another, as many of each. */
function judgedOver(queries: number, perQuery: number, fitting: number, other: number): MeasuredJudgement[] {
  const of = (i: number) => judged(i % 2 === 0, i % 2 === 0 ? fitting : other)
  return Array.from({ length: queries }, (_, query) =>
    Array.from({ length: perQuery }, (_, i) => ({ ...of(i), query: `q${query}`, review: `r${i}` })),
  ).flat()
}
function verdict(all: MeasuredJudgement[], now: number) {
  const suggested = suggestedFloor(floorOutcomes(all))
  if (!suggested) throw new Error('no floor')
  return floorVerdict(all, floorOutcome(all, now), suggested)
}

test('eight judgements of one query do not move the floor, however plain they are', () => {
  assert.equal(verdict(judgedOver(1, 8, 0.6, 0.45), 0.66), {
    move: false,
    why: 'few',
    reason: '22 judgements, 4 queries, 1 review that fits, 1 review that does not fit more',
  })
})

test('enough judgements over enough queries move it', () => {
  assert.equal(verdict(judgedOver(5, 6, 0.6, 0.45), 0.66), { move: true })
})

test('a floor that does as well stays', () => {
  // Nothing lies between the floor and the one in the middle.
  const all = judgedOver(5, 6, 0.8, 0.3)
  assert.is(floorOutcome(all, 0.66).measure, suggestedFloor(floorOutcomes(all))?.measure)
  assert.equal(verdict(all, 0.66), { move: false, why: 'same', reason: 'no other floor gets more right' })
  assert.is(verdict([...all, { ...judged(true, 0.6), query: 'q1', review: 'one more' }], 0.66).move, false)
})

test('the present floor stays when it is the best, and when too few more come out right', () => {
  const all = judgedOver(5, 6, 0.6, 0.45)
  const now: FloorOutcome = { floor: 0.66, kept: 10, lost: 5, wrong: 1, measure: 0.8 }
  const why = (suggested: Partial<FloorOutcome>) => {
    const found = floorVerdict(all, now, { floor: 0.5, kept: 12, lost: 3, wrong: 0, measure: 0.9, ...suggested })
    return found.move || found.reason
  }
  assert.is(why({}), true)
  assert.is(why({ floor: 0.66 }), 'it is the best one')
  assert.is(why({ wrong: 1 }), '0.5 would get only 2 more of 30 right')
  assert.is(why({ measure: 0.82 }), '0.5 would get only 3 more of 30 right')
  assert.is(why({ kept: 10, wrong: 1 }), 'no other floor gets more right')
})

test('a difference that one query alone makes does not move it', () => {
  const all = [...judgedOver(6, 6, 0.8, 0.3), ...judgedOver(1, 8, 0.6, 0.3).map((one) => ({ ...one, query: 'odd' }))]
  assert.equal(verdict(all, 0.66), {
    move: false,
    why: 'same',
    reason: `only the query "odd" supports ${suggestedFloor(floorOutcomes(all))?.floor}`,
  })
})

test.run()
