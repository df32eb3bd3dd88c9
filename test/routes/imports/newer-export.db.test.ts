/** The same export month after month: reviews that its vendor removed, and reviews whose authors changed them. */
import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import type { ImportOptions } from '../../../src/importer/formats/mapping.ts'
import { serviceOnTransports } from '../../http/service-on-transports.ts'
import type { Sent } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { importRequests } from './import-requests.ts'

const test = suite('a newer export of the same reviews')
const { service, transports } = serviceOnTransports(test, {
  worker: { nudge() {}, state: () => ({ status: 'idle', indexed: 0, failed: 0 }) },
})
const send = (sent: Sent) => transports['app.fetch'].send(sent)
const { upload, imported, stored, freshKey } = importRequests({ service }, send)

const NAMES = ['Ida', 'Bo', 'Cy', 'Dee', 'Eli', 'Fay', 'Gus', 'Hal', 'Ivy', 'Jo', 'Kit', 'Lou']
interface Line {
  id?: string
  day: string
  author: string
  text: string
}
/** A review a day, from the first of a month on. */
const lines = (count: number, month = '2026-01', prefix = ''): Line[] =>
  Array.from({ length: count }, (_, index) => {
    const author = `${NAMES[index % NAMES.length]} ${prefix}${Math.floor(index / NAMES.length)}`
    return {
      id: `${prefix}${month}-${index}`,
      day: `${month}-${String(index + 1).padStart(2, '0')}`,
      author,
      text: `${author} liked room number ${index} and the bread.`,
    }
  })
const withIds = (rows: readonly Line[]) =>
  `id,date,author,text\n${rows.map(({ id, day, author, text }) => `${id},${day},${author},"${text}"\n`).join('')}`
const withoutIds = (rows: readonly Line[]) =>
  `date,author,text\n${rows.map(({ day, author, text }) => `${day},${author},"${text}"\n`).join('')}`
const options = (mapping: ImportOptions, more = '') => `?mapping=${encodeURIComponent(JSON.stringify(mapping))}${more}`
const run = async (key: string, file: string | Uint8Array, query = '') => imported(await upload(key, file, query))
const without = (rows: readonly Line[], ...left: number[]) => rows.filter((_, index) => !left.includes(index))
const hiddenTexts = async (key: string) => (await stored(key)).filter(({ hidden }) => hidden).map(({ text }) => text)

for (const [name, file] of [
  ['with ids', withIds],
  ['without ids', withoutIds],
] as const)
  test(`${name}: what is no longer in it is told, hidden when that is asked for, and shown once it is there again`, async () => {
    const key = await freshKey()
    const january = lines(12)
    const later = [...january, ...lines(5, '2026-02', 'f')]
    assert.is((await run(key, file(january))).missing, undefined)
    assert.is((await run(key, file(january))).missing, undefined)
    const told = await run(key, file(without(later, 4, 7)))
    assert.equal([told.missing?.count, told.missing?.among, told.missing?.hidden], [2, 12, false])
    assert.equal(
      told.missing?.reviews.map(({ author_name }) => author_name),
      ['Hal 0', 'Eli 0'],
    )
    assert.match(
      told.warnings.find(({ code }) => code === 'missing')?.message ?? '',
      /^2 of \d+ stored reviews .* are still shown: --missing hide /,
    )
    const dry = await run(key, file(without(later, 4, 7)), options({ missing: 'hide' }, '&dry_run=true'))
    assert.match(dry.warnings.find(({ code }) => code === 'missing')?.message ?? '', /would be hidden/)
    assert.equal(await hiddenTexts(key), [])
    const hidden = await run(key, file(without(later, 4, 7)), options({ missing: 'hide' }))
    assert.equal([hidden.missing?.count, hidden.missing?.hidden], [2, true])
    assert.is((await hiddenTexts(key)).length, 2)
    assert.is((await run(key, file(without(later, 4, 7)))).missing, undefined, 'what is hidden is not told again')
    const again = await run(key, file(without(later, 4)))
    assert.equal([again.inserted, again.updated - again.unchanged], [0, 1])
    assert.equal(await hiddenTexts(key), [january[4]?.text])
    assert.is(
      told.warnings.find(({ code }) => code === 'older'),
      undefined,
    )
    const older = await run(key, file(january))
    assert.match(
      older.warnings.find(({ code }) => code === 'older')?.message ?? '',
      /^5 stored reviews from earlier imports of the same export are later than its last row \(2026-01-12\): an older export brings back/,
    )
  })

test('days that it does not tell about, reviews of others and pushed ones say nothing', async () => {
  const key = await freshKey()
  const all = [...lines(12), ...lines(12, '2026-02')]
  await run(key, withIds(all))
  const body = {
    source: 'custom',
    external_id: 'pushed',
    text: 'Pushed.',
    author_name: 'P',
    occurred_at: '2026-02-05T00:00:00Z',
  }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  assert.is((await send({ method: 'POST', path: '/v1/reviews', headers, body: JSON.stringify(body) })).status, 200)
  // The newest ten only; the first day of a file may be cut.
  assert.is((await run(key, withIds(all.slice(14)))).missing, undefined)
  assert.is((await run(key, withIds(all.slice(0, 14)))).missing, undefined)
  // Another branch, whose days are the same, and which shares one review by accident.
  const branch = [...lines(20, '2026-01', 'n'), all[3] as Line]
  for (let month = 0; month < 2; month++)
    assert.is((await run(key, withIds(branch), options({ missing: 'hide-many' }))).missing?.hidden ?? false, false)
  assert.is((await run(key, withIds(all))).missing, undefined)
  assert.is((await run(key, withIds(without(branch, 5)))).missing?.count, 1)
  assert.equal(await hiddenTexts(key), [])
})

test('places that end at days of their own are told apart, also when one of them is left out', async () => {
  const key = await freshKey()
  const at = (place: string, rows: readonly Line[]) =>
    rows.map(({ id, day, author, text }) => ({
      reviewId: id,
      publishedAtDate: `${day}T08:00:00Z`,
      name: author,
      text,
      stars: 5,
      placeId: place,
    }))
  const [busy, quiet] = [at('busy', lines(28, '2026-02', 'b')), at('quiet', lines(6, '2026-01', 'q'))]
  const scrape = (rows: object[]) => JSON.stringify(rows)
  await run(key, scrape([...busy, ...quiet]))
  assert.is((await run(key, scrape([...busy.slice(3), ...quiet]))).missing, undefined)
  assert.is((await run(key, scrape(busy))).missing, undefined)
  assert.is((await run(key, scrape([...busy.slice(3), ...quiet.slice(0, 3), ...quiet.slice(4)]))).missing?.count, 1)
})

test('pages of one export are one, whichever of them a review is in', async () => {
  const key = await freshKey()
  const rows = lines(12)
  const pages = (end: number, left: readonly Line[]) =>
    zipSync({ 'a.csv': strToU8(withIds(left.slice(0, end))), 'b.csv': strToU8(withIds(left.slice(end))) })
  await run(key, pages(6, rows), '?file_name=pages.zip')
  const next = await run(key, pages(4, without(rows, 8)), '?file_name=pages.zip')
  assert.equal(
    next.missing?.reviews.map(({ author_name }) => author_name),
    ['Ivy 0'],
  )
})

test('more than a third, and files with rows that cannot be read, hide nothing unless they are to hide many', async () => {
  const key = await freshKey()
  const rows = lines(12)
  await run(key, withIds(rows))
  const part = await run(key, withIds(without(rows, 2, 4, 6, 8, 10)), options({ missing: 'hide' }))
  assert.is(part.missing?.hidden, false)
  assert.match(
    part.warnings.find(({ code }) => code === 'missing')?.message ?? '',
    /more than a third.*--missing hide-many/,
  )
  const unread = `${withIds(without(rows, 4))}x,never,Bo,"Some day."\n`
  const refused = await run(key, unread, options({ missing: 'hide' }))
  assert.equal([refused.missing?.count, refused.missing?.hidden], [1, false])
  assert.match(refused.warnings.find(({ code }) => code === 'missing')?.message ?? '', /could not be read/)
  assert.equal(await hiddenTexts(key), [])
  await run(key, withIds(without(rows, 2, 4, 6, 8, 10)), options({ missing: 'hide-many' }))
  assert.is((await hiddenTexts(key)).length, 5)
})

test('what somebody shows by hand stays, and is not told again', async () => {
  const key = await freshKey()
  const rows = lines(12)
  await run(key, withIds(rows))
  const [{ id } = { id: '' }] = (await stored(key)).filter(({ text }) => text === rows[4]?.text)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  await send({ method: 'PATCH', path: `/v1/reviews/${id}`, headers, body: '{"hidden":false}' })
  assert.is((await run(key, withIds(without(rows, 4)), options({ missing: 'hide' }))).missing, undefined)
  assert.equal(await hiddenTexts(key), [])
  assert.is((await run(key, withIds(without(rows, 4, 7)), options({ missing: 'hide' }))).missing?.count, 1)
  assert.equal(await hiddenTexts(key), [rows[7]?.text], 'the only one beside it')
})

test('our own export is of no vendor: what it brings is looked for in none, until a vendor has brought it', async () => {
  const key = await freshKey()
  const rows = lines(12)
  const own = rows.map(({ id = '', day, author, text }) => {
    const occurred_at = `${day}T00:00:00Z`
    return JSON.stringify({ external_id: id, source: 'custom', text, author_name: author, occurred_at, hidden: false })
  })
  await run(key, `${own.join('\n')}\n`, '?file_name=own.jsonl')
  assert.is((await run(key, withIds(without(rows, 4)))).missing, undefined)
  assert.is((await run(key, withIds(without(rows, 4, 7)))).missing?.count, 1)
  const some = own.filter((_, index) => index !== 5).join('\n')
  const restored = await run(key, some, `${options({ missing: 'hide' })}&file_name=own.jsonl`)
  assert.equal([restored.missing, await hiddenTexts(key)], [undefined, []])
})

test('our own export hides only new reviews, and tells which of the others it has as hidden', async () => {
  const key = await freshKey()
  const own = (...hidden: number[]) =>
    lines(3).map(({ id = '', day, author, text }, index) => {
      const occurred_at = `${day}T00:00:00Z`
      const review = { external_id: id, source: 'custom', text, author_name: author, occurred_at }
      return JSON.stringify({ ...review, hidden: hidden.includes(index) })
    })
  const toldBy = async (rows: string[], more = '') =>
    (await run(key, rows.join('\n'), `?file_name=own.jsonl${more}`)).warnings
      .filter(({ code }) => code === 'still_shown')
      .map(({ message }) => message)
  assert.equal(await toldBy(own(1)), [])
  assert.equal(await toldBy(own(1)), [])
  const told = await toldBy(own(1, 2), '&dry_run=true')
  assert.match(told.join('\n'), /^1 row is hidden in the file but shown here \(line 3\): it stays so/)
  assert.equal(await toldBy(own(1, 2)), told)
  assert.equal(await hiddenTexts(key), [lines(3)[1]?.text])
})

test('metadata that it takes off stored reviews is told, and what a file without any leaves is not', async () => {
  const key = await freshKey()
  const file = `id,date,author,text,title,product_id\n${lines(3)
    .map(({ id, day, author, text }, index) => `${id},${day},${author},"${text}",Title ${index},p${index}\n`)
    .join('')}`
  const toldBy = async (metadata: ImportOptions['metadata'], more = '') =>
    (await run(key, file, options({ metadata }, more))).warnings
      .filter(({ code }) => code === 'lost_metadata')
      .map(({ message }) => message)
  const keys = async () => Object.keys((await stored(key))[0]?.metadata ?? {}).sort()
  assert.equal(await toldBy(['title', 'product_id']), [])
  assert.equal(await toldBy(['title', 'product_id']), [])
  assert.equal(await toldBy('none'), [])
  assert.equal(await keys(), ['product_id', 'title'])
  const [dry = ''] = await toldBy(['title'], '&dry_run=true')
  assert.match(dry, /metadata that no row of it has \("product_id"\)\. It would take it off them, .*--metadata/)
  assert.equal(await keys(), ['product_id', 'title'])
  const [told = ''] = await toldBy(['title'])
  assert.match(told, /\("product_id"\)\. It takes it off them: /)
  assert.equal(await keys(), ['title'])
  assert.equal(await toldBy(['title', 'product_id']), [])
})

test('a changed text replaces the earlier one, which keeps its id and what was decided about it', async () => {
  const key = await freshKey()
  const rows = lines(12)
  await run(key, withoutIds(rows))
  const before = await stored(key)
  const edited = rows.map((row, index) => {
    if (index === 0) return { ...row, text: `Update: ${row.text} We came back for more.` }
    // Some platforms give an edited review the day of the edit.
    if (index === 5) return { ...row, day: '2026-01-11', text: row.text.replace('liked', 'loved') }
    if (index === 7) return { ...row, text: 'Something else altogether, of another visit.' }
    return row
  })
  const [{ id } = { id: '' }] = before.filter(({ text }) => text === rows[0]?.text)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  await send({ method: 'PATCH', path: `/v1/reviews/${id}`, headers, body: '{"hidden":true}' })
  const dry = await run(key, withoutIds(edited), '?dry_run=true')
  assert.equal([dry.inserted, dry.updated - dry.unchanged, dry.missing?.count], [1, 2, 1])
  const result = await run(key, withoutIds(edited))
  assert.equal([result.inserted, result.updated - result.unchanged, result.missing?.count], [1, 2, 1])
  assert.match(
    result.warnings.find(({ code }) => code === 'edited')?.message ?? '',
    /^2 rows are reviews whose authors changed the text .* \(line 2, line 7\)/,
  )
  const after = await stored(key)
  assert.is(after.length, 13)
  assert.equal(
    after.filter((review) => review.id === id).map(({ text, hidden }) => [text, hidden]),
    [[edited[0]?.text, true]],
  )
  const again = await run(key, withoutIds(edited))
  assert.equal([again.inserted, again.unchanged], [0, 12])
})

test('two reviews of one author that are both in it, and those of nobody, stay apart', async () => {
  const key = await freshKey()
  const rows = lines(12).map((row, index) => (index === 6 ? { ...row, author: '' } : row))
  await run(key, withoutIds(rows))
  const second = { ...(rows[3] as Line), text: `${rows[3]?.text} Again in spring.` }
  const nobody = { ...(rows[6] as Line), text: `${rows[6]?.text} Again in spring.` }
  const result = await run(key, withoutIds([...without(rows, 6), second, nobody]))
  assert.equal([result.inserted, result.updated - result.unchanged], [2, 0])
})

test('of two similar reviews of one author the one that is no longer in it is missing, and the other not changed', async () => {
  const key = await freshKey()
  const rows = lines(12)
  const second = { ...(rows[3] as Line), text: `${rows[3]?.text} Again in spring.` }
  await run(key, withoutIds([...rows, second]))
  const result = await run(key, withoutIds(rows))
  assert.equal([result.unchanged, result.missing?.count], [12, 1])
  assert.not.ok(result.warnings.some(({ code }) => code === 'edited'))
})

test('a changed text takes the place of one review, and of two that could have, however far apart, the other is new', async () => {
  const key = await freshKey()
  const rows = lines(12)
  await run(key, withoutIds(rows))
  const [first, second] = ['in spring.', 'in autumn.'].map((when) => {
    return { ...(rows[3] as Line), text: `${rows[3]?.text} Again ${when}` }
  }) as [Line, Line]
  const others = ['02', '03', '04', '05'].flatMap((month) => lines(28, `2026-${month}`, month))
  const result = await run(key, withoutIds([...without(rows, 3), first, ...others, second]))
  assert.equal([result.inserted, result.updated - result.unchanged], [others.length + 1, 1])
})

test('where the room has to be counted first a changed text replaces the earlier one, too', async () => {
  const key = await freshKey()
  const rows = lines(12)
  await run(key, withoutIds(rows))
  await service.deps.sql`update environments set review_count = 5000 where review_count = 12`
  const edited = rows.map((row, index) => (index === 3 ? { ...row, text: `${row.text} Again in spring.` } : row))
  const result = await run(key, withoutIds(edited))
  assert.equal([result.inserted, result.updated - result.unchanged], [0, 1])
  assert.is((await stored(key)).length, 12)
})

test('a review that is in it under another id, since another time zone gave it another day, is not missing', async () => {
  const key = await freshKey()
  const rows = lines(12)
  await run(key, withoutIds(rows))
  const moved = rows.map((row, index) => (index === 4 ? { ...row, day: '2026-01-06' } : row))
  const result = await run(key, withoutIds(moved), options({ missing: 'hide' }))
  assert.equal([result.inserted, result.unchanged, result.missing], [0, 12, undefined])
})

test('dates that say how long ago, read as of a later day, are the same reviews on another day', async () => {
  const key = await freshKey()
  const ago = (row: Line, index: number) => ({ ...row, day: index < 3 ? `${index + 1} months ago` : row.day })
  const file = withoutIds(lines(8).map(ago))
  const days = async () => (await stored(key)).map(({ occurred_at }) => occurred_at.slice(0, 10)).sort()
  const first = await run(key, file, options({ as_of: '2026-06-30' }))
  assert.equal([first.inserted, first.skipped], [8, 0])
  assert.equal((await days()).slice(-3), ['2026-03-30', '2026-04-30', '2026-05-30'])
  const same = await run(key, file, options({ as_of: '2026-06-30' }))
  assert.equal([same.inserted, same.unchanged], [0, 8])
  const later = await run(key, file, options({ as_of: '2026-07-30', missing: 'hide' }))
  assert.equal([later.inserted, later.updated, later.unchanged], [0, 8, 5])
  assert.equal((await days()).slice(-3), ['2026-04-30', '2026-05-30', '2026-06-30'])
  assert.equal(await hiddenTexts(key), [])
  const scrapedLater = withoutIds(
    lines(8).map((row, index) => ({ ...ago(row, index), day: index < 3 ? `${index + 2} months ago` : row.day })),
  )
  const again = await run(key, scrapedLater, options({ as_of: '2026-07-30' }))
  assert.equal([again.inserted, again.updated], [0, 8])
})

test('a day given to reviews without dates is no part of what they are, and one that has not come is refused', async () => {
  const key = await freshKey()
  const bare = `author,text\n${lines(5)
    .map(({ author, text }) => `${author},"${text}"\n`)
    .join('')}`
  assert.is((await run(key, bare, options({ date: '2026-06-30' }))).inserted, 5)
  const moved = await run(key, bare, options({ date: '2026-07-30' }))
  assert.equal([moved.inserted, moved.updated, moved.unchanged], [0, 5, 0])
  const refused = await upload(key, bare, options({ date: '2999-01-01' }))
  assert.is(refused.status, 422)
})

test('rows with a vague day among others never become missing, however often they are imported', async () => {
  const key = await freshKey()
  const january = lines(12)
  const mixed = january.map((row, index) => (index === 5 ? { ...row, day: '2 months ago' } : row))
  await run(key, withIds(mixed), options({ as_of: '2026-03-06' }))
  await run(key, withIds(mixed), options({ as_of: '2026-03-06' }))
  assert.is((await run(key, withIds(without(january, 5)), options({ missing: 'hide' }))).missing, undefined)
  assert.equal(await hiddenTexts(key), [])
})

test('mended rows of an errors.csv are a part of their export: what is not among them is not missing', async () => {
  const key = await freshKey()
  const january = lines(12)
  await run(key, withIds(january))
  const mended = `line,reason,${withIds([january[1], january[3], january[4]].filter((row) => row !== undefined)).replaceAll('\n2', '\n3,bad,2')}`
  const part = await run(key, mended, options({ missing: 'hide' }))
  assert.equal([part.updated, part.skipped], [3, 0])
  assert.equal(await hiddenTexts(key), [])
  assert.match(part.warnings.find(({ code }) => code === 'missing')?.message ?? '', /skipped rows of an earlier import/)
})

test.run()
