/** Dates such as 1/2/2026 that one file of an export does not show to have the day first, and another does. */
import * as assert from 'uvu/assert'
import type { ImportOptions } from '../../../src/importer/formats/mapping.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import type { Sent } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { importRequests } from './import-requests.ts'

const test = suite('days that were taken for months')
const { service, transports } = serviceOnTransports(test, {
  worker: { nudge() {}, state: () => ({ status: 'idle', indexed: 0, failed: 0 }) },
})
const send = (sent: Sent) => transports['app.fetch'].send(sent)
const { upload, imported, stored, freshKey } = importRequests({ service }, send)

interface Line {
  id?: string
  day: string
  author: string
  text: string
}
/** A review a day, from the first of a month on. */
const lines = (count: number, month: string): Line[] =>
  Array.from({ length: count }, (_, index) => {
    const day = `${month}-${String(index + 1).padStart(2, '0')}`
    return { id: day, day, author: `Ida ${index}`, text: `On ${day} the bread was warm and room ${index} quiet.` }
  })
const options = (mapping: ImportOptions) => `?mapping=${encodeURIComponent(JSON.stringify(mapping))}`
const run = async (key: string, file: string, query = '') => imported(await upload(key, file, query))
const slashed = (rows: readonly Line[], withId: boolean) =>
  `${withId ? 'id,' : ''}date,author,text\n${rows
    .map(({ id, day, author, text }) => {
      const [year, month, date] = day.split('-')
      return `${withId ? `${id},` : ''}${date}/${month}/${year},${author},"${text}"\n`
    })
    .join('')}`
const daysOf = async (key: string) => (await stored(key)).map(({ occurred_at: at }) => at.slice(0, 10)).sort()

for (const withId of [true, false]) {
  const name = withId ? 'with ids' : 'without ids'
  test(`${name}: days that were taken for months are corrected by the file that shows it, and nothing is stored twice`, async () => {
    const key = await freshKey()
    const all = [...lines(11, '2026-03').slice(1), { ...(lines(1, '2026-05')[0] as Line), text: 'Great!', author: '' }]
    await run(key, slashed(all, withId))
    const before = await stored(key)
    assert.ok(before.some(({ occurred_at: at }) => at.startsWith('2026-10-03')))
    const more = [...all, ...lines(20, '2026-04').slice(12)]
    for (const query of ['?dry_run=true', '']) {
      const again = await run(key, slashed(more, withId), query)
      assert.equal([again.inserted, again.updated, again.unchanged], [8, 11, 1], query)
      const told = again.warnings.find(({ code }) => code === 'exchanged')
      assert.match(
        told?.message ?? '',
        /^10 rows are reviews that were stored with day and month exchanged: their days /,
      )
    }
    assert.equal(await daysOf(key), more.map(({ day }) => day).sort())
    const after = new Map((await stored(key)).map(({ id, text }) => [id, text]))
    for (const { id, text } of before) assert.is(after.get(id), text)
  })

  test(`${name}: a file that could be read either way is refused where it contradicts what is stored`, async () => {
    const key = await freshKey()
    const proven = lines(20, '2026-03')
    await run(key, slashed(proven, withId))
    const next = [...proven.slice(0, 8), ...lines(6, '2026-05')]
    const refused = await upload(key, slashed(next, withId))
    assert.is(refused.status, 422)
    assert.match(
      await refused.text(),
      /7 of its reviews are stored with day and month exchanged: that of .*Ida 0.* is of 2026-03-01, and would be of 2026-01-03\. Nothing was imported\. Use --day-first if what is stored is right; --no-day-first corrects it/,
    )
    assert.equal(await daysOf(key), proven.map(({ day }) => day).sort())
    const rightly = await run(key, slashed(next, withId), options({ day_first: true }))
    assert.equal([rightly.inserted, rightly.unchanged], [6, 8])
    assert.equal(await daysOf(key), [...proven, ...next.slice(8)].map(({ day }) => day).sort())
  })
}

test('an import that corrects days is not older than the reviews that it corrects', async () => {
  const key = await freshKey()
  await run(key, slashed(lines(9, '2026-03'), false))
  const again = await run(key, slashed(lines(25, '2026-03'), false))
  assert.equal(
    again.warnings.map(({ code }) => code),
    ['dates', 'exchanged'],
  )
})

test('a review whose day is corrected is not missing, so that none is hidden as removed', async () => {
  const key = await freshKey()
  const on = (day: string): Line => ({ day, author: `Ida ${day}`, text: `On ${day} the bread was warm.` })
  const all = ['2026-01-01', '2026-02-02', '2026-04-04', '2026-06-06', '2026-03-05'].map(on)
  await run(key, slashed(all, false))
  assert.ok((await daysOf(key)).includes('2026-05-03'))
  const more = [...all, on('2026-06-25')]
  const again = await run(key, slashed(more, false), options({ missing: 'hide' }))
  assert.equal([again.inserted, again.updated, again.missing], [1, 5, undefined])
  assert.equal(await daysOf(key), more.map(({ day }) => day).sort())
  assert.ok((await stored(key)).every(({ hidden }) => !hidden))
})

/** The lines with the days as they are in the file, which cannot be read in two ways. */
const plainly = (rows: readonly Line[]) =>
  `id,date,author,text\n${rows.map(({ id, day, author, text }) => `${id},${day},${author},"${text}"\n`).join('')}`

test('a few days that look exchanged, beside more that are stored as they are read, refuse nothing', async () => {
  const key = await freshKey()
  const [first, second, , fourth] = lines(4, '2026-03') as [Line, Line, Line, Line]
  // 01/03, 02/03 and 04/03, of which nothing tells that March is meant: the last is stored as if it were.
  const stored = [{ ...first, day: '2026-01-03' }, { ...second, day: '2026-02-03' }, fourth]
  await run(key, plainly(stored))
  const again = await run(key, slashed([first, second, fourth], true))
  assert.equal([again.updated, again.unchanged], [3, 2])
  assert.equal(await daysOf(key), ['2026-01-03', '2026-02-03', '2026-04-03'])
})

test('a review that is stored with a third day has that changed, and is none of those whose days were exchanged', async () => {
  const key = await freshKey()
  const all = lines(20, '2026-03')
  await run(key, plainly([{ ...(all[0] as Line), day: '2026-02-20' }]))
  const again = await run(key, slashed(all, true))
  assert.equal([again.inserted, again.updated, again.unchanged], [19, 1, 0])
  assert.not.ok(again.warnings.some(({ code }) => code === 'exchanged'))
  assert.equal(await daysOf(key), all.map(({ day }) => day).sort())
})

test('two reviews of one author and text, of days that look exchanged, stay two', async () => {
  const key = await freshKey()
  const regular = (day: string): Line => ({ day, author: 'Tom', text: 'Great coffee as always, thank you!' })
  await run(key, slashed([...lines(20, '2026-02'), regular('2026-03-04')], false))
  const both = [...lines(20, '2026-02'), regular('2026-03-04'), regular('2026-04-03')]
  const again = await run(key, slashed(both, false))
  assert.equal([again.inserted, again.unchanged], [1, 21])
})

test.run()
