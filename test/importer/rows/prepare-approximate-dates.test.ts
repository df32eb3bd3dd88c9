/** Files whose dates name no day, or that have none: read only when it is said how. */
import * as assert from 'uvu/assert'
import type { ImportOptions } from '../../../src/importer/formats/mapping.ts'
import { suite } from '../../suite.ts'
import { prepare, refusalOf } from '../prepared.ts'

const test = suite('days that are counted back or given')

const AGO = 'date,author,text\n3 months ago,Ada,The soup was warm.\n2026-01-05,Bo,The bread was fresh.\n'
const BARE = 'author,text\nAda,The soup was warm and good.\nBo,The bread was fresh and crisp.\n'
const read = async (content: string, options: ImportOptions) => {
  const { rows, skipped, warnings } = await prepare(content, options)
  const reviews = rows.map(({ review }) => review)
  return {
    days: reviews.map((review) => review.occurred_at.toISOString().slice(0, 10)),
    ids: reviews.map((review) => review.external_id),
    metadata: reviews.map((review) => review.metadata),
    approximate: rows.map(({ isApproximate }) => isApproximate),
    skipped: skipped.map(({ reason }) => reason),
    notes: warnings.map(({ message }) => message),
    codes: warnings.map(({ code, count }) => `${code} ${count}`),
  }
}

test('days are counted back only when the day of the file is given; rows with days keep them', async () => {
  const refused = await read(AGO, {})
  assert.equal([refused.days, refused.skipped], [['2026-01-05'], ['bad_date']])
  assert.match(
    refused.notes.join(),
    /^1 row has a date that does not name a day: skipped; .* --as-of \(line 2 "3 months ago"\)$/,
  )
  const counted = await read(AGO, { as_of: '2026-06-30' })
  assert.equal(counted.days, ['2026-03-30', '2026-01-05'])
  assert.equal(counted.metadata, [{ date_as_written: '3 months ago' }, undefined])
  assert.equal(counted.approximate, [true, undefined])
  assert.equal(counted.codes, ['counted_date 1'])
  assert.match(counted.notes.join(), /^1 row has a day counted back from 2026-06-30, .* \(line 2 "3 months ago"\)$/)
  assert.is(counted.ids[1], refused.ids[0])
})

test('the same file read as of another day holds the same reviews', async () => {
  const [first, second] = [await read(AGO, { as_of: '2026-06-30' }), await read(AGO, { as_of: '2026-07-30' })]
  assert.equal(first.ids, second.ids)
  assert.is.not(first.days[0], second.days[0])
  const older = AGO.replace('3 months', '4 months')
  assert.equal((await read(older, { as_of: '2026-07-30' })).ids, first.ids)
  const ids = 'id,date,text\nr7,3 months ago,The soup was warm.\n'
  assert.equal((await read(ids, { as_of: '2026-06-30' })).ids, ['r7'])
})

test('a row that names no time stays a bad row beside those that are counted back', async () => {
  const odd = await read(
    `${AGO}some weeks ago,Cy,The tea was hot.\n,Dee,The cup was clean.\nJuly 2026,Eli,Fine rooms.\n`,
    {
      as_of: '2026-06-30',
    },
  )
  assert.equal(odd.skipped, ['bad_date', 'no_date', 'bad_date'])
})

test('a column that nothing names is taken where it says how long ago, and of months it is proposed', async () => {
  const since = 'since,text\n2 weeks ago,The soup was warm and good.\na year ago,The bread was fresh and crisp.\n'
  const { days, notes } = await read(since, { as_of: '2026-06-30' })
  assert.equal(days, ['2026-06-16', '2025-06-30'])
  assert.match(notes.join('\n'), /the date is taken from "since", which only says how long ago/)
  assert.is(await refusalOf(() => prepare(since)), 'mapping_needed')
  const trips = 'trip,text\nMarch 2024,The soup was warm and good.\n'
  const refusal = await prepare(trips, { as_of: '2026-06-30' }).catch((error: Error) => error.message)
  assert.match(String(refusal), /--map date="trip"/)
  assert.equal((await read(trips, { as_of: '2026-06-30', map: { date: 'trip' } })).days, ['2024-03-01'])
  const dated = await prepare(since.replace('since', 'since,moment').replaceAll('ago,', 'ago,2026-01-05,'), {
    as_of: '2026-06-30',
  }).catch((error: Error) => error.message)
  assert.match(String(dated), /--map date="moment"/)
})

test('a day for all reviews counts only where the file has no dates, and is no part of their ids', async () => {
  assert.is(await refusalOf(() => prepare(BARE)), 'mapping_needed')
  const given = await read(BARE, { date: '2026-02-01' })
  assert.equal(given.days, ['2026-02-01', '2026-02-01'])
  assert.equal(given.metadata, [{ date_given: 'true' }, { date_given: 'true' }])
  assert.equal(given.codes, ['given_date 2'])
  assert.match(given.notes.join(), /^2 rows have the day 2026-02-01 that was given/)
  assert.equal((await read(BARE, { date: '2026-03-01' })).ids, given.ids)
  const dated = await read(AGO, { date: '2026-02-01' })
  assert.equal([dated.days, dated.skipped], [['2026-01-05'], ['bad_date']])
  assert.match(dated.notes.join(), /the dates are taken from "date"/)
  assert.equal((await read(AGO, { date: '2026-02-01', map: { date: '' } })).days, ['2026-02-01', '2026-02-01'])
})

test('a day for all says where a column tells more, and that a text is still needed', async () => {
  const since = 'since,text\n2 weeks ago,The soup was warm and good.\n'
  const { days, notes } = await read(since, { date: '2026-02-01' })
  assert.equal(days, ['2026-02-01'])
  assert.match(notes.join(), /"since" says how long ago each review was written/)
  const refusal = await prepare('a,b\n1,2\n', { date: '2026-02-01' }).catch((error: Error) => error.message)
  assert.match(String(refusal), /no column was recognised as the review's text\./)
})

test.run()
