/** A file that is imported once more with another source. */
import * as assert from 'uvu/assert'
import type { ImportOptions } from '../../../src/importer/formats/mapping.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import type { Sent } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { importRequests } from './import-requests.ts'

const test = suite('a file that was imported with another source')
const { service, transports } = serviceOnTransports(test, {
  worker: { nudge() {}, state: () => ({ status: 'idle', indexed: 0, failed: 0 }) },
})
const send = (sent: Sent) => transports['app.fetch'].send(sent)
const { upload, imported, stored, freshKey } = importRequests({ service }, send)

const from = (source: ImportOptions['source'], more: ImportOptions = {}) =>
  `?mapping=${encodeURIComponent(JSON.stringify({ source, ...more }))}`
const rows = (...cells: [author: string, text: string][]) =>
  `date,author,text\n${cells.map(([author, text], day) => `2026-01-1${day},${author},${text}\n`).join('')}`
const long = (row: number) => `The bread of room ${row} was warm.`
const codesOf = ({ warnings }: Awaited<ReturnType<typeof imported>>) =>
  warnings.flatMap(({ code, count }) => (/source|elsewhere/.test(code) ? [`${code} ${count}`] : []))

test('its anonymous and short reviews are left out like the others, with a note, unless it is forced', async () => {
  const key = await freshKey()
  const file = rows(['', long(1)], ['Ben', 'Great!'], ['', 'Nice.'], ['', long(3)], ['Dee', long(4)])
  await imported(await upload(key, file))
  for (const dryRun of ['&dry_run=true', '']) {
    const again = await imported(await upload(key, file, from('trustpilot') + dryRun))
    assert.equal([again.inserted, again.unchanged, codesOf(again)], [0, 5, ['stored_elsewhere 5']])
  }
  assert.is((await stored(key)).length, 5)
  const forced = await imported(await upload(key, file, from('trustpilot', { force: true })))
  assert.is(forced.inserted, 5)
})

test('so are those of a file that names no days', async () => {
  const key = await freshKey()
  const file = `text\n${long(1)}\nGreat!\n${long(3)}\n${long(4)}\n`
  await imported(await upload(key, file, from('google', { date: '2026-01-31' })))
  const again = await imported(await upload(key, file, from('yelp', { date: '2026-01-31' })))
  assert.equal([again.inserted, codesOf(again)], [0, ['stored_elsewhere 4']])
})

test('so are those with ids and a given day, if their texts are the same', async () => {
  const key = await freshKey()
  const file = `id,text\n1,Great!\n2,Nice.\n3,${long(3)}\n4,Slow.\n`
  await imported(await upload(key, file, from('google', { date: '2026-01-31' })))
  const again = await imported(await upload(key, file, from('yelp', { date: '2026-01-31' })))
  assert.equal([again.inserted, codesOf(again)], [0, ['stored_elsewhere 4']])
  const others = await imported(
    await upload(key, file.replaceAll(/(?<=\d,).*/g, 'Cold tea.'), from('facebook', { date: '2026-01-31' })),
  )
  assert.equal([others.inserted, codesOf(others)], [4, []])
})

test('each of more than a thousand short ones is told', async () => {
  const key = await freshKey()
  const file = `date,author,text\n${Array.from({ length: 1_010 }, (_, row) => `2026-01-05,,Loaf ${row}.\n`).join('')}`
  await imported(await upload(key, file))
  const again = await imported(await upload(key, file, `${from('google')}&dry_run=true`))
  assert.equal([again.inserted, codesOf(again)], [1_010, ['other_source 1010']])
})

test('too few that are alike are imported, and the report says so', async () => {
  const key = await freshKey()
  await imported(await upload(key, rows(['', 'Great!'], ['', 'Nice.'], ['', long(3)])))
  const others = rows(['', 'Great!'], ['', 'Slow.'], ['', long(3)])
  const again = await imported(await upload(key, others, from('google')))
  assert.equal([again.inserted, codesOf(again)], [3, ['other_source 2']])
  const [{ message = '' } = {}] = again.warnings.filter(({ code }) => code === 'other_source')
  assert.match(
    message,
    /^2 new reviews have the author, day and text of a stored one of another source \(line 2, line 4\)/,
  )
})

test('those of a file most of which is stored with its own source are imported as well', async () => {
  const key = await freshKey()
  const own = rows(['', long(1)], ['', long(2)], ['', long(3)], ['', long(4)])
  await imported(await upload(key, own, from('google')))
  const few = `date,author,text\n2026-01-20,,${long(5)}\n2026-01-20,,${long(6)}\n2026-01-20,,${long(7)}\n`
  await imported(await upload(key, few))
  const both = await imported(await upload(key, own + few.replace(/.*\n/, ''), from('google')))
  assert.equal([both.inserted, both.unchanged, codesOf(both)], [3, 4, ['other_source 3']])
})

test('a few among hundreds of new ones, of which two shops may have the same, are imported and told', async () => {
  const key = await freshKey()
  const many = (start: number, end: number) =>
    Array.from({ length: end - start }, (_, row) => `2026-01-05,,${long(start + row)}\n`).join('')
  await imported(await upload(key, `date,author,text\n${many(0, 20)}`))
  const again = await imported(await upload(key, `date,author,text\n${many(20, 700)}${many(0, 20)}`, from('yelp')))
  assert.equal([again.inserted, codesOf(again)], [700, ['other_source 20']])
})

test.run()
