import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { unzipReviews } from '../../../src/importer/read/archive.ts'
import { checkFileSizes, reviewFiles } from '../../../src/importer/read/review-files.ts'
import { prepareImport } from '../../../src/importer/rows/prepare.ts'
import { suite } from '../../suite.ts'
import { prepare, refusalOf } from '../prepared.ts'

const test = suite('archives')

const takeout = (...ids: string[]) =>
  strToU8(
    JSON.stringify({
      reviews: ids.map((id) => ({
        reviewer: { displayName: 'Jo' },
        starRating: 'FOUR',
        comment: `Text of ${id}`,
        createTime: '2026-01-05T10:00:00Z',
        name: `accounts/1/locations/1/reviews/${id}`,
      })),
    }),
  )

test('a Takeout as it was downloaded is one import: its pages are merged, all else is passed over', async () => {
  const zip = zipSync({
    'Takeout/Google Business Profile/account-1/location-2/reviews.json': takeout('a', 'b'),
    'Takeout/Google Business Profile/account-1/location-2/reviews-CAE.json': takeout('c', 'a'),
    'Takeout/Google Business Profile/account-1/location-2/data.json': strToU8('[{"date":"2026-01-05","text":"no"}]'),
    'Takeout/Google Business Profile/photo.jpg': new Uint8Array(5_000),
    'Takeout/archive_browser.html': strToU8('<html></html>'),
  })
  const prepared = await prepare(zip, {}, 'takeout.zip')
  assert.equal(prepared.rows.map((row) => row.review.text).sort(), ['Text of a', 'Text of b', 'Text of c'])
  assert.equal(prepared.repeated, { count: 1, different: 0 })
})

test('entries of streamed archives, whose sizes stand behind them, are read', async () => {
  const big = takeout(...Array.from({ length: 3_000 }, (_, index) => `r${index}`))
  const zip = zipSync({ 'reviews.json': [big, { level: 9 }] })
  assert.is((await prepare(zip, {}, 'x.zip')).rows.length, 3_000)
})

test('spreadsheets and documents that are zips inside are told apart', async () => {
  const cases: [Record<string, Uint8Array>, string][] = [
    [{ '[Content_Types].xml': new Uint8Array(1), 'xl/workbook.bin': new Uint8Array(1) }, 'spreadsheet_file'],
    [{ mimetype: new Uint8Array(1), 'content.xml': new Uint8Array(1) }, 'spreadsheet_file'],
    [{ 'Index/Document.iwa': new Uint8Array(1) }, 'spreadsheet_file'],
    [{ 'word/document.xml': new Uint8Array(1) }, 'not_text'],
    [{ 'photo.jpg': new Uint8Array(1) }, 'no_rows'],
  ]
  for (const [entries, code] of cases) assert.is(await refusalOf(() => prepare(zipSync(entries))), code)
})

test('a path that leads out of the archive refuses all of it', async () => {
  for (const path of [
    '../reviews.json',
    'a/../../reviews.json',
    '/etc/reviews.json',
    'C:/reviews.json',
    'a\\..\\reviews.json',
    'a\0/reviews.json',
  ])
    assert.is(await refusalOf(() => prepare(zipSync({ [path]: takeout('a') }))), 'unsafe_archive', path)
})

test('a bomb is refused by its declared size before it is unpacked', async () => {
  const bomb = zipSync({ 'reviews.csv': [new Uint8Array(30 * 1024 * 1024), { level: 1 }] })
  assert.ok(bomb.length < 1024 * 1024)
  assert.is(await refusalOf(() => prepare(bomb)), 'file_too_large')
  const nine = new Uint8Array(9 * 1024 * 1024)
  const many = { '1.csv': nine, '2.csv': nine, '3.csv': nine, '4.csv': nine, '5.csv': nine }
  assert.is(await refusalOf(() => prepare(zipSync(many, { level: 1 }))), 'archive_too_large')
})

test('an archive that unpacks to more than it declares is refused', async () => {
  const bomb = Buffer.from(zipSync({ 'reviews.csv': [new Uint8Array(60 * 1024 * 1024), { level: 1 }] }))
  // The uncompressed size, in the local header at 22 and in the directory at 24 from its signature.
  const directory = bomb.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
  bomb.writeUInt32LE(1_000, 22)
  bomb.writeUInt32LE(1_000, directory + 24)
  assert.is(await refusalOf(() => prepare(bomb)), 'bad_archive')
})

test('an archive that unpacks to less than it declares is refused, and a file without bytes is empty', async () => {
  const zip = Buffer.from(zipSync({ 'reviews.csv': [strToU8('date,text\n2026-01-05,Warm.\n'), { level: 1 }] }))
  zip.writeUInt32LE(1_000, 22)
  zip.writeUInt32LE(1_000, zip.indexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02])) + 24)
  assert.is(await refusalOf(() => prepare(zip)), 'bad_archive')
  for (const level of [0, 6] as const)
    assert.is(await refusalOf(() => prepare(zipSync({ 'a.csv': [new Uint8Array(), { level }] }))), 'empty_file')
})

test('an archive that broke off, or whose bytes were changed, is refused as such', async () => {
  const zip = zipSync({ 'reviews.json': takeout('a', 'b', 'c') })
  assert.is(await refusalOf(() => prepare(zip.subarray(0, zip.length - 30))), 'bad_archive')
  const changed = Buffer.from(zip)
  changed.fill(0xff, 45, 60)
  assert.ok(['bad_archive', 'bad_json', 'no_rows'].includes(await refusalOf(() => prepare(changed))))
})

test('an archive inside an archive is refused', async () => {
  const inner = zipSync({ 'reviews.csv': strToU8('date,text\n') })
  assert.is(await refusalOf(() => prepare(zipSync({ 'reviews.csv': inner }))), 'nested_archive')
})

test('of a folder only review files count: Takeout pages first, no hidden files, no errors.csv', () => {
  assert.equal(reviewFiles(['a/reviews.json', 'a/reviews-x.json', 'a/other.json', 'b.csv']), [
    'a/reviews-x.json',
    'a/reviews.json',
  ])
  assert.equal(reviewFiles(['b.csv', 'b.errors.csv', '__MACOSX/b.csv', '.hidden.csv', 'c.jsonl', 'd.txt']), [
    'b.csv',
    'c.jsonl',
  ])
})

test('every file of an archive that is not imported is named with the reason', async () => {
  const zip = zipSync({
    'a.csv': strToU8('date,text\n2026-01-05,One.\n'),
    'empty.csv': new Uint8Array(0),
    'headings.csv': strToU8('date,text\n'),
    'settings.json': strToU8('[{"theme":"dark"}]'),
    'broken.json': strToU8('[{"date":'),
    'more.zip': zipSync({ 'reviews.csv': strToU8('date,text\n') }),
    'disguised.csv': zipSync({ 'reviews.csv': strToU8('date,text\n') }),
    'a.errors.csv': strToU8('line,reason,date,text\n'),
    'more.csv.gz': new Uint8Array(10),
    'photo.jpg': new Uint8Array(10),
    '.DS_Store': new Uint8Array(10),
  })
  const bytes = Buffer.from(zip)
  const prepared = await prepareImport([{ name: 'x.zip', bytes }], {}, { wholeFolder: true })
  assert.is(prepared.rows.length, 1)
  assert.equal(Object.fromEntries(prepared.passedOver.map(({ file, code }) => [file.slice('x.zip/'.length), code])), {
    'a.errors.csv': 'earlier_errors',
    'broken.json': 'bad_json',
    'disguised.csv': 'nested_archive',
    'empty.csv': 'empty_file',
    'headings.csv': 'no_rows',
    'more.csv.gz': 'nested_archive',
    'more.zip': 'nested_archive',
    'photo.jpg': 'no_review_file',
    'settings.json': 'mapping_needed',
  })
  const reasonOf = (name: string) => prepared.passedOver.find(({ file }) => file === `x.zip/${name}`)?.reason
  assert.match(String(reasonOf('more.zip')), /import it by itself/)
  assert.match(String(reasonOf('more.csv.gz')), /unpack it and import the result/)
})

test('an archive of which nothing can be imported says of each file why', async () => {
  const zip = zipSync({ 'empty.csv': new Uint8Array(0), 'broken.json': strToU8('[{"date":') })
  try {
    await prepareImport([{ name: 'x.zip', bytes: zip }], {}, { wholeFolder: true })
    assert.unreachable()
  } catch (error) {
    assert.match(String(error), /broken\.json: (?:breaks off|is not valid JSON)/)
    assert.match(String(error), /empty\.csv: is empty/)
  }
  assert.is(await refusalOf(() => prepare(zipSync({ 'x.zip': zip }))), 'no_rows')
  const many = zipSync(Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`${i}.csv`, new Uint8Array(0)])))
  const refused = await prepareImport([{ name: 'y.zip', bytes: many }], {}, { wholeFolder: true }).catch(String)
  assert.match(String(refused), /4\.csv: is empty[^;]*; and 2 more\.$/)
})

const refusalIn = (entries: Parameters<typeof zipSync>[0]) =>
  prepare(zipSync(entries), {}, 'x.zip').then(String, String)

test('an archive without a file to import says what it has instead', async () => {
  const inner = zipSync({ 'reviews.json': takeout('a') })
  assert.match(
    await refusalIn({ 'inner.zip': inner, 'a.txt': new Uint8Array(9) }),
    /contains no .*, only other archives/,
  )
  assert.match(await refusalIn({ 'photo.jpg': new Uint8Array(9) }), /contains no CSV, JSON or JSON lines file\.$/)
})

test('an archive may have ten thousand entries, and its folders are no files', async () => {
  const names = Array.from({ length: 9_998 }, (_, at) => [`${at}.txt`, new Uint8Array()] as const)
  const entries = { 'reviews.json': takeout('a'), 'old.csv/': new Uint8Array(), ...Object.fromEntries(names) }
  const { rows, passedOver } = await prepareImport(
    [{ name: 'x.zip', bytes: zipSync(entries) }],
    {},
    { wholeFolder: true },
  )
  assert.equal([rows.length, passedOver.some(({ file }) => file.includes('old.csv'))], [1, false])
  assert.match(await refusalIn({ ...entries, 'one.txt': new Uint8Array() }), /more than 10000 files/)
})

test('more files than one import takes are refused by their number, before any is read', () => {
  const files = Array.from({ length: 10_001 }, (_, at) => ({ name: `${at}.csv`, size: 9 }))
  assert.throws(
    () => checkFileSizes('inbox', files),
    /inbox has more than 10000 review files. Import them in several parts/,
  )
  checkFileSizes('inbox', files.slice(1))
})

test('names keep the archive in front', () => {
  const [file] = unzipReviews({ name: 't.zip', bytes: zipSync({ 'reviews.json': takeout('a') }) })
  assert.is(file?.name, 't.zip/reviews.json')
})

test('the files of an archive are refused when they have too many rows together, though none of them has', async () => {
  const table = strToU8('text,date\nWarm bread.,2026-01-05\nA quiet room.,2026-01-06\n')
  const archive = { name: 'reviews.zip', bytes: zipSync({ 'north.csv': table, 'south.csv': table }) }
  const rowsWith = async (maxRows: number) => (await prepareImport([archive], {}, { wholeFolder: true, maxRows })).rows
  assert.is((await rowsWith(4)).length, 2)
  assert.is(await refusalOf(() => rowsWith(3)), 'too_many_rows')
})

test.run()
