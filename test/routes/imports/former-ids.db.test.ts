/** Reviews without ids of which an earlier import read author, day or text otherwise. */
import * as assert from 'uvu/assert'
import type { ImportOptions } from '../../../src/importer/formats/mapping.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import type { Sent } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { importRequests } from './import-requests.ts'

const test = suite('reviews that were read otherwise before')
const { service, transports } = serviceOnTransports(test, {
  worker: { nudge() {}, state: () => ({ status: 'idle', indexed: 0, failed: 0 }) },
})
const send = (sent: Sent) => transports['app.fetch'].send(sent)
const { upload, imported, stored, freshKey } = importRequests({ service }, send)

const options = (mapping: ImportOptions) => `?mapping=${encodeURIComponent(JSON.stringify(mapping))}`
const texts = ['The bread was warm and the tea too.', 'We waited for an hour, and then it rained.']
const csv = (headings: string, ...cells: string[]) =>
  `${headings},text\n${cells.map((cell, index) => `${cell},"${texts[index] ?? 'Great!'}"\n`).join('')}`

for (const [name, file, first, second] of [
  ['none', csv('date,author', '2026-01-05,Ann', '2026-01-06,Ben'), { map: { author: '' } }, {}],
  ['user ids', csv('date,user', '2026-01-05,8a71c02f', '2026-01-06,91b0cc37'), { map: { author: 'user' } }, {}],
  ['surnames', csv('date,Prénom,Nom', '2026-01-05,Ann,Bly', '2026-01-06,Ben,Coe'), { map: { author: 'Nom' } }, {}],
  [
    'none, and a given day',
    csv('author', 'Ann', 'Ben'),
    { map: { author: '' }, date: '2026-01-31' },
    { date: '2026-01-31' },
  ],
] as const)
  test(`authors that were ${name} are replaced, and nothing is stored twice`, async () => {
    const key = await freshKey()
    await imported(await upload(key, file, options(first)))
    const before = await stored(key)
    const again = await imported(await upload(key, file, options(second)))
    assert.equal([again.inserted, again.updated], [0, 2])
    const after = await stored(key)
    assert.equal(after.map(({ id }) => id).sort(), before.map(({ id }) => id).sort())
    const names = after.map(({ author_name: author }) => author).sort()
    assert.equal(names, name === 'user ids' ? ['Anonymous', 'Anonymous'] : ['Ann', 'Ben'])
    const third = await imported(await upload(key, file, options(second)))
    assert.equal([third.inserted, third.unchanged], [0, 2])
  })

test('a draft is shown once it has a day of publication, and is not stored twice', async () => {
  const key = await freshKey()
  const file = (...days: string[]) =>
    `Date,Published,Author,Review\n2026-01-04,2026-01-04,Cyd,"${texts[1]}"\n${days.map((day) => `2026-01-05,${day},Ann,"${texts[0]}"\n`).join('')}`
  for (const day of ['2026-01-05', '2026-01-06', '2026-01-30']) {
    const drafts = await freshKey()
    await imported(await upload(drafts, file('')))
    assert.equal((await stored(drafts)).map(({ hidden }) => hidden).sort(), [false, true])
    const { inserted, updated, unchanged } = await imported(await upload(drafts, file(day)))
    assert.equal([inserted, updated - unchanged], [0, 1], day)
    const shown = await stored(drafts)
    assert.equal(
      shown.map(({ hidden }) => hidden),
      [false, false],
      day,
    )
  }
  await imported(await upload(key, file('')))
  assert.is((await imported(await upload(key, file('')))).unchanged, 2)
})

test('a review whose link names its id is followed through other words, also if it had a generated id', async () => {
  const key = await freshKey()
  const link = (id: string) => `https://play.example/details?reviewId=${id}&corpus=all`
  const file = (...rows: string[][]) =>
    `Date,Text,Link\n${rows.map(([id = '', text]) => `2026-01-05,"${text}",${link(id)}\n`).join('')}`
  await imported(
    await upload(key, file(['a-1', texts[0] ?? ''], ['a-2', texts[1] ?? '']), options({ map: { id: '' } })),
  )
  await imported(await upload(key, file(['a-1', texts[0] ?? ''], ['a-2', texts[1] ?? ''])))
  const edited = await imported(await upload(key, file(['a-2', 'Shut for good.'], ['a-1', texts[0] ?? ''])))
  assert.equal([edited.inserted, edited.updated, edited.unchanged], [0, 2, 1])
  assert.equal((await stored(key)).map(({ text }) => text).sort(), ['Shut for good.', texts[0]])
})

test('short texts, other days and reviews that the file has under both names stay apart', async () => {
  const key = await freshKey()
  const anonymous = csv('date,author', '2026-01-05,', '2026-01-06,', '2026-01-07,')
  await imported(await upload(key, anonymous))
  const named = csv('date,author', '2026-01-05,Ann', '2026-01-09,Ben', '2026-01-07,Cyd')
  const both = `${named}2026-01-05,,"${texts[0]}"\n`
  assert.is((await imported(await upload(key, both))).inserted, 3)
  assert.is((await stored(key)).length, 6)
})

test('in a file where one had another author each row is looked up, to the last', async () => {
  const key = await freshKey()
  const rows = Array.from({ length: 310 }, (_, row) => `2026-01-05,Ann,The bread of room ${row} was warm.\n`)
  const file = `date,author,text\n${rows.join('')}`
  await imported(await upload(key, file, options({ map: { author: '' } })))
  const again = await imported(await upload(key, file))
  assert.equal([again.inserted, again.updated], [0, 310])
})

test('they are looked up also behind hundreds of reviews that are new', async () => {
  const key = await freshKey()
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `2026-01-05,Ann,The bread of room ${from + i} was warm.\n`).join('')
  await imported(await upload(key, `date,author,text\n${rows(0, 20)}`, options({ map: { author: '' } })))
  const again = await imported(await upload(key, `date,author,text\n${rows(20, 720)}${rows(0, 20)}`))
  assert.equal([again.inserted, again.updated], [700, 20])
})

test('a review whose author has become known is not missing, so that none is hidden as removed', async () => {
  const key = await freshKey()
  const file = (...names: string[]) =>
    `date,author,text\n${names.map((name, row) => `2026-01-${10 + row},${name},The bread of room ${row} was warm.\n`).join('')}`
  await imported(await upload(key, file('Ann', 'Ben', '', 'Dee', 'Eli', 'Fay')))
  const again = await imported(
    await upload(key, file('Ann', 'Ben', 'Cyd', 'Dee', 'Eli', 'Fay'), options({ missing: 'hide' })),
  )
  assert.equal([again.inserted, again.updated, again.missing], [0, 6, undefined])
  assert.ok((await stored(key)).every(({ hidden }) => !hidden))
})

test('short texts are taken along where most of the file had another author, and otherwise stay apart', async () => {
  const rows = (...cells: [day: number, name: string, text: string][]) =>
    `date,author,text\n${cells.map(([day, name, text]) => `2026-01-${9 + day},${name},${text}\n`).join('')}`
  const long = (row: number) => `The bread of room ${row} was warm.`
  const most = rows([1, 'Ann', long(1)], [2, 'Ben', 'Great!'], [3, 'Cyd', long(3)], [4, 'Dee', long(4)])
  const key = await freshKey()
  await imported(await upload(key, most, options({ map: { author: '' } })))
  const again = await imported(await upload(key, most))
  assert.equal([again.inserted, again.updated], [0, 4])
  const other = await freshKey()
  await imported(await upload(other, rows([1, 'Ann', long(1)], [2, '', 'Great!'], [3, '', long(3)], [4, '', long(4)])))
  const few = rows([1, 'Ann', long(1)], [2, 'Ben', 'Great!'], [3, 'Cyd', long(3)], [4, 'Dee', long(4)])
  const named = await imported(await upload(other, few))
  assert.equal([named.inserted, named.updated], [1, 3])
})

test('they stay apart where as many longer ones had the same author before', async () => {
  const key = await freshKey()
  const names = ['Ann', 'Ben', 'Cyd', 'Dee', 'Eli', 'Fay']
  const file = (isNamed: (at: number) => boolean) => {
    const rows = names.map(
      (name, at) => `2026-01-1${at},${isNamed(at) ? name : ''},The bread of room ${at} was warm.\n`,
    )
    return `date,author,text\n${rows.join('')}2026-01-20,${isNamed(9) ? 'Gil' : ''},Great!\n`
  }
  await imported(
    await upload(
      key,
      file((at) => at < 3),
    ),
  )
  const again = await imported(
    await upload(
      key,
      file(() => true),
    ),
  )
  assert.equal([again.inserted, again.updated], [1, 6])
})

test('one stored review is taken by one row only, also where several may be it', async () => {
  const key = await freshKey()
  const text = texts[0] ?? ''
  await imported(await upload(key, `date,author,text\n2026-01-05,,"${text}"\n`))
  const again = await imported(
    await upload(key, `date,author,text\n2026-01-05,Ann,"${text}"\n2026-01-05,Ben,"${text}"\n`),
  )
  assert.equal([again.inserted, again.updated], [1, 1])
  assert.is((await stored(key)).length, 2)
})

test('a review whose day was given takes the day that a file names', async () => {
  const key = await freshKey()
  await imported(await upload(key, csv('author', 'Ann', 'Ben'), options({ date: '2026-02-28' })))
  const again = await imported(await upload(key, csv('date,author', '2026-01-05,Ann', '2026-01-06,Ben')))
  assert.equal([again.inserted, again.updated], [0, 2])
  assert.equal(
    (await stored(key)).map(({ occurred_at: at, metadata }) => [at.slice(0, 10), metadata.date_given]),
    [
      ['2026-01-06', undefined],
      ['2026-01-05', undefined],
    ],
  )
})

test('a text whose codes are decoded is recognised by what the file has', async () => {
  const key = await freshKey()
  const file = (name: string) =>
    `date,author,text\n2026-01-05,${name},We didn&#39;t expect such bread.\n2026-01-06,${name},It wasn&#39;t warm but the tea was.\n`
  await imported(await upload(key, file('')))
  const again = await imported(await upload(key, file('Ann')))
  assert.equal([again.inserted, again.updated], [0, 2])
})

test('where another column was the text, the report says that reviews of the same days are stored', async () => {
  const key = await freshKey()
  const rows = Array.from(
    { length: 12 },
    (_, row) => `2026-01-${10 + (row % 6)},Loaf ${row},The bread of room ${row} was warm.\n`,
  )
  const file = `date,title,text\n${rows.join('')}`
  const noted = ({ warnings }: Awaited<ReturnType<typeof imported>>) =>
    warnings.filter(({ code }) => code === 'read_otherwise').map(({ count }) => count)
  assert.equal(noted(await imported(await upload(key, file, options({ map: { text: 'title' } })))), [])
  assert.equal(noted(await imported(await upload(key, file, '?dry_run=true'))), [12])
  const again = await imported(await upload(key, file))
  assert.equal([again.inserted, ...noted(again)], [12, 12])
  assert.equal(noted(await imported(await upload(key, file))), [])
  const others = file.replaceAll('2026-01-1', '2026-02-1')
  assert.equal(noted(await imported(await upload(key, others))), [], 'of other days')
})

test('where ids and names were read and now are not, the report says that reviews of the same days are stored', async () => {
  const key = await freshKey()
  const rows = Array.from(
    { length: 12 },
    (_, row) => `2026-01-${10 + (row % 6)},V${row},Guest ${row},The bread of room ${row} was warm.\n`,
  )
  const file = `date,voucher,seat,text\n${rows.join('')}`
  await imported(await upload(key, file, options({ map: { id: 'voucher', author: 'seat' } })))
  const again = await imported(await upload(key, file))
  assert.is(again.inserted, 12)
  assert.equal(
    again.warnings.filter(({ code }) => code === 'read_otherwise').map(({ count }) => count),
    [12],
  )
})

test.run()
