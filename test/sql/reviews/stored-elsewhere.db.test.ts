import * as assert from 'uvu/assert'
import { accept } from '../../../server/ingest/accept.ts'
import { storedElsewhere, storedSoFar } from '../../../server/sql/reviews/stored-elsewhere.ts'
import type { EnvironmentScope } from '../../../server/sql/scope.ts'
import type { ReviewInput } from '../../../src/contract/review.ts'
import { openTestDatabase, type TestDatabase } from '../../database.ts'
import { suite } from '../../suite.ts'
import { makeProject, review } from '../fixtures.ts'

const test = suite('reviews that are stored under another id')
const AFTER = new Date('2100-01-01T00:00:00Z')
let db: TestDatabase
let scope: EnvironmentScope

test.before(async () => {
  db = await openTestDatabase()
})
test.before.each(async () => {
  const project = await makeProject(db.sql)
  scope = { projectId: project.id, env: 'live' }
})
test.after(() => db.close())

const store = (...rows: ReviewInput[]) => accept(db.sql, { id: scope.projectId }, 'live', rows, {})
const sameUnderAnotherId = (of: EnvironmentScope, rows: Parameters<typeof storedElsewhere>[2]) =>
  storedElsewhere(db.sql, of, rows, 'h1-')
const isElsewhere = async (row: ReviewInput, before = AFTER, by: 'day' | 'instant' = 'day') =>
  (await sameUnderAnotherId(scope, [{ ...row, by, before }])).size === 1

const WRITTEN = review('google-1', { text: 'Warm bread 🥐 at seven,\nand a garden.', author_name: 'Ida Lindqvist' })
const AGAIN = { ...WRITTEN, external_id: 'scraped-9' }

test('the same author, text and day are the same review, however its lines end and whatever the time zone', async () => {
  await store(WRITTEN)
  assert.ok(await isElsewhere(AGAIN))
  assert.ok(await isElsewhere({ ...AGAIN, source: 'custom' }))
  assert.ok(await isElsewhere({ ...AGAIN, text: 'Warm bread 🥐 at seven,\r\n  and a\u00a0garden.' }))
  assert.ok(await isElsewhere({ ...AGAIN, occurred_at: new Date('2026-03-02T09:59:00Z') }))
})

test('letters are the same whether their accents stand apart or not', async () => {
  const inForm = (form: 'NFC' | 'NFD', external_id: string) =>
    review(external_id, {
      text: 'Le café était délicieux.'.normalize(form),
      author_name: 'Zoé Lefèvre'.normalize(form),
    })
  await store(inForm('NFC', 'a'))
  assert.ok(await isElsewhere(inForm('NFD', 'b')))
  await db.sql`delete from reviews where project_id = ${scope.projectId}`
  await store(inForm('NFD', 'a'))
  assert.ok(await isElsewhere(inForm('NFC', 'b')))
})

test('another author, text, time, environment or project is another review', async () => {
  await store(WRITTEN)
  assert.not(await isElsewhere({ ...AGAIN, author_name: 'Ida L.' }))
  assert.not(await isElsewhere({ ...AGAIN, text: 'Warm bread 🥐 at seven, and no garden.' }))
  assert.not(await isElsewhere({ ...AGAIN, occurred_at: new Date('2026-03-02T10:00:01Z') }))
  for (const other of [
    { ...scope, env: 'test' as const },
    { ...scope, projectId: (await makeProject(db.sql)).id },
  ]) {
    const found = await sameUnderAnotherId(other, [{ ...AGAIN, by: 'day', before: AFTER }])
    assert.is(found.size, 0)
  }
})

test('a shortened name is the same author if the text is long enough to be unique', async () => {
  const text = 'We came for one night and stayed for three, because the garden and the bread were so good.'
  const long = { ...WRITTEN, text, author_name: 'Zoë Maria Hart' }
  await store(long)
  const by = (author_name: string, words = text) =>
    isElsewhere({ ...long, external_id: 'aggregated', author_name, text: words })
  for (const name of ['Zoë H.', 'Zoë H', 'zoë hart', 'Zoë']) assert.ok(await by(name), name)
  for (const name of ['Zoë B.', 'Hart', 'Z. Hart', 'Anonymous']) assert.not(await by(name), name)
  assert.not(await by('Zoë H.', `${text} And more.`))
  await store({ ...long, text: text.slice(0, 50) })
  assert.not(await by('Zoë H.', text.slice(0, 50)))
})

test('a review that is known by its time alone is of that very time', async () => {
  await store(WRITTEN)
  assert.ok(await isElsewhere(AGAIN, AFTER, 'instant'))
  assert.not(await isElsewhere({ ...AGAIN, occurred_at: new Date('2026-03-02T09:59:00Z') }, AFTER, 'instant'))
})

test('exports give the same time to the minute, the second or a fraction of it', async () => {
  const at = (time: string) => new Date(`2026-03-02T10:05:${time}Z`)
  await store({ ...WRITTEN, occurred_at: at('26.590') })
  for (const time of ['26.590', '26', '00'])
    assert.ok(await isElsewhere({ ...AGAIN, occurred_at: at(time) }, AFTER, 'instant'), time)
  for (const time of ['26.591', '27', '20'])
    assert.not(await isElsewhere({ ...AGAIN, occurred_at: at(time) }, AFTER, 'instant'), time)
  await db.sql`delete from reviews where project_id = ${scope.projectId}`
  await store({ ...WRITTEN, occurred_at: at('00') })
  assert.ok(await isElsewhere({ ...AGAIN, occurred_at: at('26.590') }, AFTER, 'instant'))
  assert.not(await isElsewhere({ ...AGAIN, occurred_at: new Date('2026-03-02T10:06:01Z') }, AFTER, 'instant'))
})

test('a generated id tells a short or anonymous review by source, author, day and text', async () => {
  const short = review('h1-made', { text: 'Great!', author_name: 'Anonymous' })
  await store(short)
  const look = async (row: ReviewInput) =>
    (await sameUnderAnotherId(scope, [{ ...row, by: undefined, before: AFTER }])).get(0)
  const named = { ...short, external_id: 'vendors' }
  assert.equal(await look(named), {
    id: (await look(named))?.id,
    external_id: 'h1-made',
    isRecognised: false,
    yieldsId: true,
  })
  for (const other of [
    { source: 'custom' as const },
    { author_name: 'Bo' },
    { text: 'Good!' },
    { occurred_at: new Date('2026-03-02T00:00:00Z') },
  ])
    assert.is(await look({ ...named, ...other }), undefined)
  await db.sql`update reviews set external_id = 'vendors' where project_id = ${scope.projectId}`
  assert.is((await look({ ...short, occurred_at: new Date('2026-03-01T00:00:00Z') }))?.yieldsId, false)
  assert.is(await look({ ...short, external_id: 'other' }), undefined, 'two vendors ids are two reviews')
})

test('where nobody writes twice in a second, another text of that second and author is another version of it', async () => {
  const at = (second: string) => new Date(`2026-03-02T10:05:${second}Z`)
  const look = async (row: Partial<ReviewInput>, isAloneInSecond = true) =>
    (
      await sameUnderAnotherId(scope, [
        { ...AGAIN, occurred_at: at('26'), ...row, by: 'day', isAloneInSecond, before: AFTER },
      ])
    ).get(0)
  await store({ ...WRITTEN, occurred_at: at('26.590') }, { ...WRITTEN, external_id: 'google-2', occurred_at: at('27') })
  const edited = { text: 'Cold bread by now.' }
  const found = await look(edited)
  assert.equal([found?.external_id, found?.isRecognised, found?.yieldsId], ['google-1', false, true])
  assert.equal((await look({}))?.yieldsId, false, 'with the same text it stays as it is')
  for (const other of [{ source: 'custom' as const }, { author_name: 'Ida L.' }, { occurred_at: at('28') }])
    assert.is(await look({ ...edited, ...other }), undefined)
  assert.is(await look(edited, false), undefined)
  await store({ ...WRITTEN, external_id: 'google-3', author_name: 'Bo', occurred_at: at('26.100') })
  assert.is(await look(edited), undefined, 'times that a program made of "a month ago" are those of many')
})

test('an id that lost its leading zeros is the same id, and so is one under another source', async () => {
  const short = review('00042', { text: 'Great!', author_name: 'Anonymous' })
  await store(short)
  const look = async (row: Partial<ReviewInput>) =>
    (await sameUnderAnotherId(scope, [{ ...short, ...row, by: undefined, before: AFTER }])).get(0)
  assert.is((await look({ external_id: '42' }))?.yieldsId, true)
  assert.is((await look({ source: 'custom' }))?.yieldsId, false)
  for (const other of [
    { external_id: '420' },
    { external_id: '42', text: 'Good!' },
    { external_id: '42', author_name: 'Bo' },
  ])
    assert.is(await look(other), undefined)
})

test('of two reviews with one text, the one of the same day is taken', async () => {
  const on = (day: string, external_id: string) => ({
    ...WRITTEN,
    external_id,
    occurred_at: new Date(`${day}T10:00:00Z`),
  })
  await store(on('2026-03-01', 'h1-a'), on('2026-03-02', 'h1-b'), on('2026-03-03', 'h1-c'))
  const days = ['2026-03-03', '2026-03-01', '2026-03-02', '2026-03-04']
  const sought = days.map((day) => ({ ...on(day, day), by: 'day' as const, before: AFTER }))
  const found = await sameUnderAnotherId(scope, sought)
  assert.equal(
    days.map((_, place) => found.get(place)?.external_id),
    ['h1-c', 'h1-a', 'h1-b', 'h1-c'],
  )
  assert.equal(
    days.map((_, place) => found.get(place)?.yieldsId),
    [true, true, true, false],
  )
})

test('a review that is stored under its own id is an update, whatever else is stored', async () => {
  await store(WRITTEN, AGAIN)
  assert.not(await isElsewhere(AGAIN))
})

test('what was stored after the file was begun is of the same file', async () => {
  assert.is((await storedSoFar(db.sql, scope)).anyStored, false)
  const begun = await storedSoFar(db.sql, scope)
  await new Promise((resolve) => setTimeout(resolve, 5))
  await store(WRITTEN)
  assert.not(await isElsewhere(AGAIN, begun.at))
  assert.is((await storedSoFar(db.sql, scope)).anyStored, true)
})

test('what was stored while the clock was ahead was stored before, once the clock is right', async () => {
  await store(WRITTEN)
  await db.sql`update reviews set created_at = now() + interval '1 year' where project_id = ${scope.projectId}`
  assert.ok(await isElsewhere(AGAIN, (await storedSoFar(db.sql, scope)).at))
})

test('long texts are compared by how they begin, and rows are told apart by their places', async () => {
  const long = `${'é🥐x'.repeat(200)}`
  await store({ ...WRITTEN, text: `${long} The end.` })
  const rows = [
    { ...AGAIN, text: 'Other.' },
    { ...AGAIN, text: `${long}…` },
    { ...AGAIN, text: `x${long}` },
  ]
  const found = await sameUnderAnotherId(
    scope,
    rows.map((row) => ({ ...row, by: 'day', before: AFTER })),
  )
  assert.equal([...found.keys()], [1])
})

test.run()
