/** What the pipeline keeps of what was hidden, and what it says of each excerpt. */
import * as assert from 'uvu/assert'
import { backfillVerdicts } from '../../server/indexing/backfill-verdicts.ts'
import { accept } from '../../server/ingest/accept.ts'
import { unjudgedExcerpts } from '../../server/sql/excerpts/excerpt-verdicts.ts'
import { readHiddenWords, setExcerptHidden } from '../../server/sql/excerpts/hidden-excerpts.ts'
import { wordsOf } from '../../server/sql/excerpts/hidden-words.ts'
import { silent } from '../database.ts'
import { review } from '../sql/fixtures.ts'
import { many, pipelineSuite } from './pipeline.ts'

const { test, pipeline } = pipelineSuite('hidden excerpts and verdicts in the pipeline')

const GOOD =
  'The breakfast was on the terrace with a view of the whole lake and the mountains behind it, and there was no end to the bread and the cheese.'
const BAD =
  'The bathroom fan rattled through the night, every night, and it was awful to lie there and wait for the next time that it would start again.'

const excerpts = () => pipeline.sql<
  { id: string; review_id: string; text: string; withheld: boolean; verdict: string | null }[]
>`
  select id, review_id, text, withheld, verdict from excerpts order by ordinal`

const revision = async () => (await pipeline.sql`select revision from environments where env = 'live'`)[0]?.revision

/** Has the stored excerpts judged that are not, awful things as negative. @returns the texts that were */
async function judgeAll(): Promise<string[]> {
  const judged: string[] = []
  const classify = (text: string) => {
    judged.push(text)
    return text.includes('awful') ? 'negative' : 'positive'
  }
  const judging = backfillVerdicts({ sql: pipeline.sql, log: silent, classify })
  await judging.done()
  await judging.stop()
  return judged
}

test('every excerpt gets a verdict of its own, whatever the stars', async () => {
  const worker = pipeline.start()
  await pipeline.push([{ external_id: 'a', rating: 5, text: `${GOOD} ${BAD}` }])
  worker.nudge()
  await worker.idle()
  assert.equal(
    (await excerpts()).map(({ verdict }) => verdict),
    ['positive', 'negative'],
  )
})

test('what is hidden stays hidden while its words are in the text, wherever they stand, and no longer', async () => {
  const worker = pipeline.start()
  const push = async (text: string) => {
    await pipeline.push([{ external_id: 'a', text }])
    worker.nudge()
    await worker.idle()
    return (await excerpts()).map(({ text, withheld }) => [/rattled/.test(text), withheld])
  }
  await push(`${GOOD} ${BAD}`)
  const [, bad] = await excerpts()
  const key = {
    projectId: pipeline.projectId,
    env: 'live' as const,
    reviewId: bad?.review_id ?? '',
    excerptId: bad?.id ?? '',
  }
  assert.is(await setExcerptHidden(pipeline.sql, key, true), true)
  assert.equal(await push(`${GOOD} ${BAD} Bye.`), [
    [false, false],
    [true, true],
  ])
  const moved = await push(`We came in May. ${BAD} ${GOOD}`)
  assert.ok(moved.every(([holds, withheld]) => !holds || withheld))
  assert.ok(moved.some(([, withheld]) => !withheld))
  assert.ok(
    (await push(GOOD)).every(([, withheld]) => !withheld),
    'gone from the text',
  )
  assert.ok(
    (await push(`${GOOD} ${BAD}`)).some(([holds, withheld]) => holds && withheld),
    'and back in it',
  )
})

test('what an export names stays hidden in a review that is new where it is imported', async () => {
  const worker = pipeline.start()
  const scope = { projectId: pipeline.projectId, env: 'live' as const }
  await pipeline.push([{ external_id: 'a', text: `${GOOD} ${BAD}` }])
  worker.nudge()
  await worker.idle()
  const [, bad] = await excerpts()
  await setExcerptHidden(pipeline.sql, { ...scope, reviewId: bad?.review_id ?? '', excerptId: bad?.id ?? '' }, true)
  const [exported] = await readHiddenWords(pipeline.sql, scope, undefined, 10)
  assert.equal(exported, { id: bad?.review_id, words: [wordsOf(BAD)] })
  assert.is((await readHiddenWords(pipeline.sql, scope, bad?.review_id, 10)).length, 0)

  const row = { ...review('a', { text: `${GOOD} ${BAD}` }), hiddenWords: exported?.words }
  const shown = async () => {
    await accept(pipeline.sql, { id: pipeline.projectId }, 'test', [row], {})
    worker.nudge()
    await worker.idle()
    return pipeline.sql`select id, review_id, withheld from excerpts where env = 'test' order by ordinal`
  }
  const moved = await shown()
  assert.equal(
    moved.map(({ withheld }) => withheld),
    [false, true],
  )
  const key = { ...scope, env: 'test' as const, reviewId: moved[1]?.review_id, excerptId: moved[1]?.id }
  await setExcerptHidden(pipeline.sql, key, false)
  assert.equal(
    (await shown()).map(({ withheld }) => withheld),
    [false, false],
    'what was shown since stays so',
  )
})

test('excerpts of an earlier version are judged in the background, and searches hear of it', async () => {
  const worker = pipeline.start()
  await pipeline.push([1, 2, 3].map((n) => ({ external_id: `r${n}`, text: `${GOOD} ${BAD}` })))
  worker.nudge()
  await worker.idle()
  const [, bad] = await excerpts()
  const reviewId = bad?.review_id ?? ''
  const awful = (await excerpts()).find((one) => one.review_id === reviewId && one.text.includes('awful'))
  const key = { projectId: pipeline.projectId, env: 'live' as const, reviewId, excerptId: awful?.id ?? '' }
  assert.is(await setExcerptHidden(pipeline.sql, key, true), true)
  // As a server of an earlier version leaves them.
  await pipeline.sql`update excerpts set verdict = null, withheld = false`
  const before = await revision()
  await judgeAll()
  const verdicts = (await excerpts()).map(({ text, verdict }) => [text.includes('awful'), verdict])
  assert.is(verdicts.length, 6)
  const withheld = (await excerpts()).filter((one) => one.withheld)
  assert.equal(
    withheld.map(({ id }) => id),
    [awful?.id],
    'what was hidden is hidden again',
  )
  assert.ok(verdicts.every(([awful, verdict]) => verdict === (awful ? 'negative' : 'positive')))
  assert.ok(BigInt(await revision()) > BigInt(before))
})

test('however many they are, one round judges them all', async () => {
  await pipeline.push(many(201))
  await pipeline.start().idle()
  await pipeline.sql`update excerpts set verdict = null`
  assert.is(new Set(await judgeAll()).size, 201)
  assert.is((await pipeline.sql`select from excerpts where verdict is null`).length, 0)
})

test('verdicts that are the same again change nothing that a search sees, and so no revision', async () => {
  const worker = pipeline.start()
  await pipeline.push([{ external_id: 'a', text: `${GOOD} ${BAD}` }])
  worker.nudge()
  await worker.idle()
  await pipeline.sql`update excerpts set verdict_model = 1`
  const before = await revision()
  await judgeAll()
  assert.is(await revision(), before)
  const left = await pipeline.sql`select from excerpts where verdict_model = 1`
  assert.is(left.length, 0)
})

test('searches hear of what is hidden again, though its verdict is the same', async () => {
  const worker = pipeline.start()
  await pipeline.push([{ external_id: 'a', text: `${GOOD} ${BAD}` }])
  worker.nudge()
  await worker.idle()
  const [, bad] = await excerpts()
  const key = { projectId: pipeline.projectId, env: 'live' as const }
  await setExcerptHidden(pipeline.sql, { ...key, reviewId: bad?.review_id ?? '', excerptId: bad?.id ?? '' }, true)
  await pipeline.sql`update excerpts set verdict_model = 1, withheld = false`
  const before = await revision()
  await judgeAll()
  assert.equal(
    (await excerpts()).map(({ withheld }) => withheld),
    [false, true],
  )
  assert.ok(BigInt(await revision()) > BigInt(before))
})

test('excerpts of another vector space are not judged: their reviews wait to be indexed', async () => {
  const worker = pipeline.start()
  await pipeline.push([{ external_id: 'a', text: GOOD }])
  worker.nudge()
  await worker.idle()
  await pipeline.sql`update excerpts set verdict_model = 1`
  const [{ id: other } = { id: 0 }] = await pipeline.sql<{ id: number }[]>`
    insert into embedding_models (name, dimensions) values ('another', 3) returning id`
  const [active] = await pipeline.sql<{ id: number }[]>`select embedding_model_id as id from installation`
  await pipeline.sql`update installation set embedding_model_id = ${other}`
  assert.equal(await judgeAll(), [])
  await pipeline.sql`update installation set embedding_model_id = ${active?.id ?? 0}`
  assert.is((await pipeline.sql`select from excerpts where verdict_model = 1`).length, 1)
})

test('an insert that does not name the model is one of an earlier version', async () => {
  const worker = pipeline.start()
  await pipeline.push([{ external_id: 'a', text: GOOD }])
  worker.nudge()
  await worker.idle()
  const models = await pipeline.sql`select verdict_model from excerpts`
  assert.equal([...models], [{ verdict_model: 11 }])
  await pipeline.sql`update excerpts set verdict_model = default`
  const [{ text } = { text: '' }] = await unjudgedExcerpts(pipeline.sql, 10)
  assert.is(text, GOOD)
})

test('what an earlier model said holds until it is judged again', async () => {
  const worker = pipeline.start()
  await pipeline.push([{ external_id: 'a', text: `${GOOD} ${BAD}` }])
  worker.nudge()
  await worker.idle()
  await pipeline.sql`update excerpts set verdict = 'neutral', verdict_model = 1 where ordinal = 0`
  assert.equal(await judgeAll(), [GOOD])
  assert.equal(
    (await excerpts()).map(({ verdict }) => verdict),
    ['positive', 'negative'],
  )
})

test.run()
