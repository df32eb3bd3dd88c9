import * as assert from 'uvu/assert'
import type { WordComparison } from '../../server/embed/embedder.ts'
import { type Candidate, fusedParts, rank } from '../../server/search/rank.ts'
import { createExcerptCache, createSecondLook, SECOND_LOOK_LIMIT } from '../../server/search/second-look.ts'
import type { ToneReader } from '../../server/sentiment/sentiment.ts'
import { suite } from '../suite.ts'

const test = suite('a second look at what was found')
const scope = { projectId: 'p', env: 'live', modelId: 1 } as const
const thresholds = { floor: 0.6, wordTier: 0.5 }

/** A model to which a text's number is how much it says of any query, in hundredths; what comes behind it is its tone. */
const coverage: WordComparison = {
  read: (text) => Int32Array.of(Number.parseInt(text, 10)),
  ask: (q) => ({
    isQuestion: q.endsWith('?'),
    coverage: (texts) => texts.map(([first]) => (first ?? 0) / 100),
    // Beside texts that all say less than a tenth the query is doubted.
    doubt: (texts) =>
      texts.some(([first]) => (first ?? 0) >= 10) ? undefined : { words: ['q'], lessen: (cosine) => cosine - 0.15 },
  }),
}
const tone: ToneReader = {
  of: (text) => (text.endsWith('praise') ? 1 : text.endsWith('blame') ? -1 : 0),
  wishedBy: (q) => ({ friendly: 1, rude: -1 })[q.replace(/\W/g, '')] ?? 0,
}
const candidate = (id: string, cosine: number): Candidate => ({
  id,
  reviewId: id,
  ordinal: 0,
  cosine,
  matchesHalf: false,
  textRank: null,
})

function looking(texts: Record<string, string>, q = 'q') {
  const asked: string[][] = []
  const sql = (_strings: TemplateStringsArray, reviewIds: string[]) => {
    asked.push(reviewIds)
    return Promise.resolve(reviewIds.flatMap((id) => (texts[id] === undefined ? [] : [{ id, text: texts[id] }])))
  }
  const known = createExcerptCache()
  const look = createSecondLook(q, [], { sql: sql as never, embedder: { coverage }, tone, excerptCache: known })
  const ids = async (candidates: Candidate[]) =>
    rank((await look(scope, candidates)).candidates, thresholds, { limit: 100, onePerReview: false }).map(
      ({ id }) => id,
    )
  return { look, ids, asked }
}

test('what says all of the query stands before what is a little nearer and says half of it', async () => {
  const { ids } = looking({ near: '50', says: '100' })
  assert.equal(await ids([candidate('near', 0.87), candidate('says', 0.7)]), ['says', 'near'])
  assert.equal(await ids([candidate('near', 0.88), candidate('says', 0.7)]), ['near', 'says'])
})

test('a score stays the cosine, and what passes still passes', async () => {
  const { look } = looking({ a: '0', b: '100' })
  const { candidates } = await look(scope, [candidate('a', 0.6), candidate('b', 0.59)])
  const ranked = rank(candidates, thresholds, { limit: 10, onePerReview: false })
  assert.equal(
    ranked.map(({ id, cosine }) => ({ id, cosine })),
    [{ id: 'a', cosine: 0.6 }],
  )
})

test('a wish brings what says it in its own tone first, and a question brings both sides alike', async () => {
  const texts = { praise: '80 praise', blame: '80 blame', tells: '80' }
  const three = [candidate('blame', 0.72), candidate('tells', 0.71), candidate('praise', 0.7)]
  const order = (q: string) => looking(texts, q).ids(three)
  assert.equal(await order('friendly'), ['praise', 'tells', 'blame'])
  assert.equal(await order('rude'), ['blame', 'tells', 'praise'])
  assert.equal(await order('parking'), ['blame', 'tells', 'praise'])
  assert.equal(await order('friendly?'), ['blame', 'tells', 'praise'])
  assert.equal(await looking({ ...texts, praise: '70 praise' }, 'rude?').ids(three), ['blame', 'tells', 'praise'])
})

test('the tone of what says little of the query tells little', async () => {
  const { look } = looking({ much: '100 blame', little: '10 blame', nothing: '0 blame' }, 'friendly')
  const { candidates } = await look(scope, [
    candidate('much', 0.7),
    candidate('little', 0.7),
    candidate('nothing', 0.7),
    candidate('gone', 0.7),
  ])
  const takes = candidates.map((one) => fusedParts(one).tone.toFixed(3))
  assert.equal(takes, ['-0.250', '-0.025', '0.000', '0.000'])
})

test('what is praised in the wrong tone still stands before what was not looked at', async () => {
  const many = Array.from({ length: SECOND_LOOK_LIMIT + 1 }, (_, i) => candidate(`e${i}`, 0.9 - i / 1e6))
  const { ids } = looking(
    Object.fromEntries(many.map(({ id }, i) => [id, i === 5 ? '100 blame' : '100 praise'])),
    'friendly',
  )
  assert.equal((await ids(many)).slice(-2), ['e5', `e${SECOND_LOOK_LIMIT}`])
})

test(`only the first ${SECOND_LOOK_LIMIT} are looked at; the others stay behind them in their order`, async () => {
  const many = Array.from({ length: SECOND_LOOK_LIMIT + 2 }, (_, i) => candidate(`e${i}`, 0.9 - i / 1000))
  const texts = Object.fromEntries(
    many.map(({ id }, i) => [id, i === SECOND_LOOK_LIMIT ? '100' : i === 7 ? '90' : '50']),
  )
  const { ids, asked } = looking(texts)
  const order = await ids(many)
  assert.is(order[0], 'e7')
  assert.equal(order.slice(SECOND_LOOK_LIMIT), [`e${SECOND_LOOK_LIMIT}`, `e${SECOND_LOOK_LIMIT + 1}`])
  assert.is(asked[0]?.length, SECOND_LOOK_LIMIT)
})

test('a text is read once, and whoever wants to know is told of it', async () => {
  const { look, asked } = looking({ a: '10', b: '20' })
  const met: string[] = []
  const both = [candidate('a', 0.8), candidate('b', 0.7)]
  await look(scope, both, (id, text) => met.push(`${id} ${text}`))
  await look(scope, both, (id, text) => met.push(`${id} ${text}`))
  assert.equal(asked, [['a', 'b']])
  assert.equal(met, ['a 10', 'b 20'])
})

test('when none of them says what the query is about all cosines are lessened, of those not looked at too', async () => {
  const { look, ids } = looking({ a: '9', b: '5' })
  const both = [candidate('a', 0.8), candidate('b', 0.7)]
  const { candidates, doubt } = await look(scope, [...both, candidate('gone', 0.65)])
  assert.equal(
    candidates.map(({ cosine }) => cosine.toFixed(2)),
    ['0.65', '0.55', '0.50'],
  )
  assert.equal(doubt?.words, ['q'])
  assert.equal(await ids(both), ['a'])
})

test('a lower floor lets more in, which is no reason to doubt less', async () => {
  const { look } = looking({ a: '9', near: '50' })
  assert.ok((await look(scope, [candidate('a', 0.7), candidate('near', 0.5)])).doubt)
  assert.is((await look(scope, [candidate('a', 0.6), candidate('near', 0.5)])).doubt, undefined)
  assert.ok((await look(scope, [candidate('a', 0.6)])).doubt, 'where nothing passes by the default one, all are asked')
})

test('texts are compared in the order that they are ranked in, whichever were read before', async () => {
  const compared: number[][] = []
  const noting: WordComparison = {
    ...coverage,
    ask: (q) => ({
      ...coverage.ask(q),
      coverage(texts) {
        compared.push(texts.map(([first]) => first ?? 0))
        return texts.map(() => 0)
      },
    }),
  }
  const texts: Record<string, string> = { a: '1', b: '2', c: '3' }
  const sql = (_strings: TemplateStringsArray, ids: string[]) =>
    Promise.resolve(ids.map((id) => ({ id, text: texts[id] })))
  const known = createExcerptCache()
  const look = createSecondLook('q', [], {
    sql: sql as never,
    embedder: { coverage: noting },
    tone,
    excerptCache: known,
  })
  await look(scope, [candidate('b', 0.7)])
  await look(scope, [candidate('a', 0.8), candidate('b', 0.7), candidate('c', 0.6)])
  assert.equal(compared, [[2], [1, 2, 3]])
})

test('one alone can lose to silence, and is read', async () => {
  const { ids, asked } = looking({ a: '9' })
  assert.equal(await ids([candidate('a', 0.7)]), [])
  assert.equal(asked, [['a']])
})

test('texts that are gone are no reason for doubt', async () => {
  const { look } = looking({})
  assert.is((await look(scope, [candidate('a', 0.7)])).doubt, undefined)
})

test('one that is gone meanwhile says nothing', async () => {
  const { ids } = looking({ b: '10' })
  assert.equal(await ids([candidate('gone', 0.71), candidate('b', 0.7)]), ['b', 'gone'])
})

test('without a model that compares words nothing is read', async () => {
  const sql = () => assert.unreachable()
  const look = createSecondLook('q', [], { sql: sql as never, embedder: {}, tone, excerptCache: createExcerptCache() })
  const both = [candidate('a', 0.8), candidate('b', 0.7)]
  assert.equal(await look(scope, both), { candidates: both, doubt: undefined })
})

test.run()
