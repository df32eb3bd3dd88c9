import * as assert from 'uvu/assert'
import type { PreparedImport } from '../../../src/importer/rows/prepare.ts'
import { prepareImport } from '../../../src/importer/rows/prepare.ts'
import { suite } from '../../suite.ts'
import { prepare, refusalOf, reviewOf } from '../prepared.ts'

const test = suite('dates of an import')

test('slash dates are month first; --day-first turns them', async () => {
  const day = async (options: { day_first?: boolean }) =>
    (await reviewOf('date,text\n2/1/2026,One.\n', options)).occurred_at.toISOString().slice(0, 10)
  assert.is(await day({}), '2026-02-01')
  assert.is(await day({ day_first: true }), '2026-01-02')
})

const days = (prepared: PreparedImport) =>
  prepared.rows.map(({ review }) => review.occurred_at.toISOString().slice(0, 10))
const dated = (...dates: string[]) => `date,text\n${dates.map((date, index) => `${date},Text ${index}.\n`).join('')}`
const readings = (prepared: PreparedImport) =>
  prepared.warnings.filter(({ code }) => code === 'dates').map((one) => one.message)

test('one row that can only be read with the day first decides for all rows, wherever it stands', async () => {
  const prepared = await prepare(dated('01/02/2026', '23/04/2026'))
  assert.equal(days(prepared), ['2026-02-01', '2026-04-23'])
  assert.equal(readings(prepared), [
    'dates read as day/month: 2 rows, because "23/04/2026" in line 3 can only be read that way',
  ])
  const late = await prepare(dated(...Array.from({ length: 3_000 }, () => '01/02/2026'), '23/04/2026'))
  assert.is(late.skipped.length, 0)
  assert.ok(
    days(late)
      .slice(0, -1)
      .every((day) => day === '2026-02-01'),
  )
  // The same ids as with the flag.
  const chosen = await prepare(dated('01/02/2026', '23/04/2026'), { day_first: true })
  assert.equal(
    prepared.rows.map((row) => row.review.external_id),
    chosen.rows.map((row) => row.review.external_id),
  )
})

test('a row without a text tells the order too, and so does JSON', async () => {
  assert.equal(days(await prepare('date,text,rating\n01/02/2026,One.,5\n23/04/2026,,5\n')), ['2026-02-01'])
  const json = JSON.stringify([
    { date: '01/02/2026', text: 'One.' },
    { date: '04/23/2026', text: 'Two.' },
  ])
  assert.equal(days(await prepare(json)), ['2026-01-02', '2026-04-23'])
})

test('rows that prove both orders refuse the file, until it is said how they are meant', async () => {
  const csv = dated('01/02/2026', '23/04/2026', '04/23/2026')
  assert.is(await refusalOf(() => prepare(csv)), 'dates_both_orders')
  const dayFirst = await prepare(csv, { day_first: true })
  assert.equal(days(dayFirst), ['2026-02-01', '2026-04-23'])
  assert.match(dayFirst.skipped[0]?.message ?? '', /--no-day-first/)
  const monthFirst = await prepare(csv, { day_first: false })
  assert.equal(days(monthFirst), ['2026-01-02', '2026-04-23'])
  assert.match(monthFirst.skipped[0]?.message ?? '', /--day-first/)
})

test('where nothing proves an order the month comes first, and the report says so', async () => {
  const prepared = await prepare(dated('01/02/2026', '03/04/2026'))
  assert.equal(days(prepared), ['2026-01-02', '2026-03-04'])
  assert.match(
    readings(prepared)[0] ?? '',
    /^dates read as month\/day: 2 rows; nothing .*"01\/02\/2026" in line 2.*--day-first/,
  )
  assert.is(prepared.tables[0]?.dates?.because, 'nothing')
  const chosen = await prepare(dated('01/02/2026'), { day_first: true })
  assert.equal(readings(chosen), [])
  assert.equal(readings(await prepare(dated('2026-01-05', '5.1.2026', 'Jan 5, 2026'))), [])
})

test('headings or a language of days first are told as the reason, and turned by the flag', async () => {
  const spanish = await prepare('Fecha,Comentario\n01/02/2026,Muy rico todo.\n')
  assert.equal(days(spanish), ['2026-02-01'])
  assert.match(
    readings(spanish)[0] ?? '',
    /day\/month: 1 row, as is usual in the language of the headings.*--no-day-first/,
  )
  const language = (...tags: string[]) =>
    prepare(`date,text,language\n${tags.map((tag, index) => `01/02/2026,Text ${index}.,${tag}\n`).join('')}`)
  assert.is((await language('en-GB', 'de', 'fr')).tables[0]?.dates?.because, 'language')
  assert.is((await language('en-GB', 'de', 'en-US')).tables[0]?.dates?.because, 'nothing')
  assert.is((await language('de', '', 'de', 'DE')).tables[0]?.dates?.because, 'language')
  for (const tags of [
    ['de', 'de'],
    ['de', 'de', 'de', 'en-US'],
    ['de', 'de', '', ''],
  ])
    assert.is((await language(...tags)).tables[0]?.dates?.because, 'nothing', tags.join())
  assert.is((await language('en', 'en', 'en')).tables[0]?.dates?.dayFirst, false)
  assert.equal(days(await prepare('Fecha,Comentario\n01/02/2026,Rico.\n', { day_first: false })), ['2026-01-02'])
  assert.equal(days(await prepare('Fecha,Comentario\n01/23/2026,Rico.\n01/02/2026,Rico 2.\n')), [
    '2026-01-23',
    '2026-01-02',
  ])
})

test('each file of several is read by its own dates; one that proves nothing by a sibling of the same columns', async () => {
  const files = (...contents: string[]) =>
    prepareImport(
      contents.map((content, index) => ({ name: `${index}.csv`, bytes: Buffer.from(content) })),
      {},
      { wholeFolder: true },
    )
  const day = dated('23/04/2026')
  const month = dated('04/24/2026')
  const open = dated('01/02/2026')
  const other = 'Created,Comment,Name\n01/02/2026,One.,Ana\n'
  assert.equal(days(await files(day, month)), ['2026-04-23', '2026-04-24'])
  const settled = await files(open, day, other)
  assert.equal(days(settled), ['2026-02-01', '2026-04-23', '2026-01-02'])
  assert.equal(
    settled.tables.map((table) => table.dates?.because),
    ['sibling', 'rows', 'nothing'],
  )
  const turned = await files('text,date\nOne.,01/02/2026\n', day)
  assert.is(turned.tables[0]?.dates?.because, 'sibling')
  assert.is(settled.rows[0]?.review.external_id, (await prepare(open, { day_first: true })).rows[0]?.review.external_id)
  assert.is(await refusalOf(() => files(open, day, month)), 'dates_both_orders')
  const asked = await prepareImport(
    [open, month].map((content, index) => ({ name: `${index}.csv`, bytes: Buffer.from(content) })),
    { day_first_when_unclear: true },
  )
  assert.equal(days(asked), ['2026-02-01', '2026-04-24'])
})

test('by a sibling only days that could be either are turned, and no id that the vendor gave', async () => {
  const { rows } = await prepareImport(
    ['a,3/4/2026,One.\nb,2026-04-05,Two.\n', 'c,25/4/2026,Three.\n'].map((lines, index) => {
      return { name: `${index}.csv`, bytes: Buffer.from(`id,date,text\n${lines}`) }
    }),
  )
  assert.equal(
    rows.map(({ review }) => [review.external_id, review.occurred_at.toISOString().slice(0, 10)]),
    [
      ['a', '2026-04-03'],
      ['b', '2026-04-05'],
      ['c', '2026-04-25'],
    ],
  )
})

test('a format that is usually day first is month first when a date can only be so', async () => {
  const yotpo = (dates: string[]) =>
    prepare(
      `Review Title;Review Content;Review Score;Date\n${dates.map((date) => `T;Text of ${date}.;5;${date}\n`).join('')}`,
    )
  const day = async (dates: string[]) => (await yotpo(dates)).rows[0]?.review.occurred_at.toISOString().slice(0, 10)
  assert.is(await day(['2/1/2026', '3/1/2026']), '2026-01-02')
  assert.is(await day(['2/1/2026', '1/25/2026']), '2026-02-01')
})

test('dates that a spreadsheet of another country exchanged where it could are refused, unless somebody says they are right', async () => {
  const table = (dates: string[]) => `date;text\n${dates.map((date, row) => `${date};Text ${row}.\n`).join('')}`
  const late = ['1/13/2026', '2/14/2026', '3/25/2026', '4/30/2026']
  for (const early of [
    ['05.01.2026', '09.03.2026', '03.05.2026', '11.07.2026'],
    ['2026-05-01', '2026-09-03', '2026-03-05T00:00:00Z', '2026-11-07'],
    ['46027', '46028', '46029', '46030'],
  ]) {
    assert.is(await refusalOf(() => prepare(table([...early, ...late]))), 'dates_both_orders')
    assert.is((await prepare(table([...early, ...late]), { day_first: false })).rows.length, 8)
    assert.is((await prepare(table([...early.slice(1), ...late]))).rows.length, 7, 'three may be so by chance')
    assert.is((await prepare(table([...early, ...late.slice(1)]))).rows.length, 7)
    assert.is((await prepare(table([...early, ...late, '1/2/2026']))).rows.length, 9, 'one was left that could be read')
    assert.is((await prepare(table([...early, ...late, '2026-01-31']))).rows.length, 9, 'one cannot be exchanged')
    assert.is((await prepare(table(['2026-01-31', ...early, ...late]))).rows.length, 9, 'wherever it stands')
  }
  const many = Array.from({ length: 300 }, (_, row) => (row % 2 ? late[0] : '2026-05-01') ?? '')
  assert.is((await prepare(table([...many, '2026-01-31']))).rows.length, 301, 'the last row says so, too')
})

test('dates in the future get a note', async () => {
  const bytes = Buffer.from('date,text\n2026-01-06,Today.\n2027-01-05,Later.\n')
  const prepared = await prepareImport([{ name: 'a.csv', bytes }], {}, { now: new Date('2026-01-05T20:00:00Z') })
  assert.equal(
    prepared.warnings.map(({ code, count }) => [code, count]),
    [['future_date', 1]],
  )
})

test.run()
