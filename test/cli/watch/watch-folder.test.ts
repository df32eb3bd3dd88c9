import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { saveMapping } from '../../../src/cli/import/saved-mappings.ts'
import { describeOutcome } from '../../../src/cli/watch/done-folders.ts'
import { isIgnored } from '../../../src/cli/watch/layout.ts'
import { ApiError, ConnectionFailed } from '../../../src/client/errors.ts'
import { ImporterError } from '../../../src/importer/importer-error.ts'
import { importAnswer } from '../../client/import-answer.ts'
import { suite } from '../../suite.ts'
import { passesOnSomeTry, until } from '../../waiting.ts'
import { has, inPieces, watching } from './watching.ts'

const test = suite('watched folder')

test('a file that lies there from the start and one that comes later are imported and moved with their report', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  writeFileSync(join(dir, 'early.csv'), 'early')
  const { folder, seen } = watching(() => {}, dir)
  await until('early', () => has(dir, 'imported', 'early.csv'))
  writeFileSync(join(dir, 'late.csv'), 'late')
  await until('late', () => has(dir, 'imported', 'late.csv'))
  assert.equal(
    seen.map(({ text }) => text),
    ['early', 'late'],
  )
  const report = JSON.parse(readFileSync(join(dir, 'imported', 'late.csv.report.json'), 'utf8'))
  assert.equal([report.file, report.inserted, report.errors_csv], ['late.csv', 1, null])
  await folder.close()
})

test('a file is not touched before it has settled, nor under the name of an unfinished download', async () => {
  await passesOnSomeTry(async () => {
    const { dir, folder, seen } = watching(() => {}, undefined, 2_000)
    await folder.ready
    writeFileSync(join(dir, 'a.csv.crdownload'), 'whole')
    const longest = await inPieces(6, 60, (part) => writeFileSync(join(dir, 'slow.csv'), 'x'.repeat(part + 1)))
    const early = [...seen]
    await until('slow', () => has(dir, 'imported', 'slow.csv'))
    if (longest > 1_000) {
      await folder.close()
      return `it was left alone for ${longest} ms`
    }
    assert.equal(early, [])
    assert.equal(
      seen.map(({ text }) => text),
      ['xxxxxx'],
    )
    renameSync(join(dir, 'a.csv.crdownload'), join(dir, 'a.csv'))
    await until('renamed', () => has(dir, 'imported', 'a.csv'))
    assert.is(seen.length, 2)
    await folder.close()
    return undefined
  })
})

test('the same name twice keeps both files and both reports', async () => {
  const { dir, folder } = watching()
  writeFileSync(join(dir, 'a.csv'), 'one')
  await until('first', () => has(dir, 'imported', 'a.csv'))
  writeFileSync(join(dir, 'a.csv'), 'two')
  await until('second', () => has(dir, 'imported', 'a (2).csv'))
  assert.is(readFileSync(join(dir, 'imported', 'a.csv'), 'utf8'), 'one')
  assert.is(readFileSync(join(dir, 'imported', 'a (2).csv'), 'utf8'), 'two')
  assert.ok(has(dir, 'imported', 'a (2).csv.report.json'))
  await folder.close()
})

test('a file that is refused goes to failed/ with the reason', async () => {
  const { dir, folder } = watching(() => {
    throw new ImporterError('mapping_needed', 'No column was recognised.')
  })
  writeFileSync(join(dir, 'odd.csv'), 'x')
  await until('failed', () => has(dir, 'failed', 'odd.csv'))
  const report = JSON.parse(readFileSync(join(dir, 'failed', 'odd.csv.report.json'), 'utf8'))
  assert.equal(report.error.code, 'mapping_needed')
  await folder.close()
})

test('a file of which every row was skipped was not imported; one of ratings alone was', async () => {
  const writeErrors = (name: string, path: string) => name === 'undated.csv' && writeFileSync(path, 'line,reason\r\n')
  const { dir, folder, said, events } = watching(writeErrors, undefined, undefined, {
    'undated.csv': { inserted: 0, skipped: 3, reasons: { no_date: 2, rating_only: 1 } },
    'stars.csv': { inserted: 0, skipped: 2, reasons: { rating_only: 2 } },
  })
  writeFileSync(join(dir, 'undated.csv'), 'x')
  writeFileSync(join(dir, 'stars.csv'), 'x')
  await until('both', () => has(dir, 'failed', 'undated.csv') && has(dir, 'imported', 'stars.csv'))
  assert.ok(has(dir, 'failed', 'undated.csv.errors.csv'))
  const report = JSON.parse(readFileSync(join(dir, 'failed', 'undated.csv.report.json'), 'utf8'))
  assert.equal([report.skipped, report.errors_csv], [3, 'undated.csv.errors.csv'])
  await folder.idle()
  assert.ok(said.includes('undated.csv: 0 imported, 3 skipped: the file is now in failed, with the reasons beside it.'))
  assert.equal(Object.fromEntries(events.map(({ file, outcome }) => [file, outcome])), {
    'undated.csv': 'failed',
    'stars.csv': 'imported',
  })
  await folder.close()
})

test('without a server a file stays and is tried again', async () => {
  let tries = 0
  let lay = true
  const { dir, folder, said } = watching(() => {
    tries++
    lay &&= has(dir, 'a.csv')
    if (tries === 1 || tries === 4) throw new ConnectionFailed('http://x', { cause: new Error('refused') })
    if (tries === 2) throw new ApiError({ code: 'service_unavailable', status: 503, message: 'starting' })
  })
  writeFileSync(join(dir, 'a.csv'), 'x')
  await until('third try', () => has(dir, 'imported', 'a.csv'))
  assert.is(tries, 3)
  assert.ok(lay, 'it stayed where it was until it was imported')
  const isToldOf = () => said.filter((line) => line.startsWith('a.csv is tried again later: no answer')).length
  assert.is(isToldOf(), 1)
  writeFileSync(join(dir, 'a.csv'), 'another')
  await until('fifth try', () => has(dir, 'imported', 'a (2).csv'))
  assert.is(isToldOf(), 2, 'of the next file of that name, too')
  await folder.close()
})

test('a name that moves the cursor or holds a line break is one line of the log', async () => {
  const { dir, folder, said, events } = watching()
  writeFileSync(join(dir, 'a\u001b[2J\nb.csv'), 'x')
  await until('import', () => events.length > 0)
  assert.equal(said, ['a[2J b.csv: 1 inserted, 0 updated, 0 skipped.'])
  await folder.close()
})

test('skipped rows lie beside the file', async () => {
  const { dir, folder } = watching((_, errorsPath) => writeFileSync(errorsPath, 'line,reason\r\n'))
  writeFileSync(join(dir, 'a.csv'), 'x')
  await until('import', () => has(dir, 'imported', 'a.csv'))
  assert.equal(readdirSync(join(dir, 'imported')).sort(), ['a.csv', 'a.csv.errors.csv', 'a.csv.report.json'])
  const report = JSON.parse(readFileSync(join(dir, 'imported', 'a.csv.report.json'), 'utf8'))
  assert.is(report.errors_csv, 'a.csv.errors.csv')
  await folder.close()
})

test('skipped rows of a file stay as they are when another of its name comes, and events name where they lie', async () => {
  let count = 0
  const { dir, folder, events } = watching(
    (_, errorsPath) => {
      assert.not.ok(has(errorsPath))
      writeFileSync(errorsPath, `${count++}`)
    },
    undefined,
    undefined,
    { 'bad.csv': { inserted: 0, skipped: 1, reasons: { no_date: 1 } } },
  )
  for (const place of ['a.csv', 'a (2).csv', 'bad.csv']) {
    writeFileSync(join(dir, place === 'bad.csv' ? place : 'a.csv'), 'x')
    await until(place, () => has(dir, place === 'bad.csv' ? 'failed' : 'imported', place))
  }
  await folder.idle()
  const kept = ['imported/a.csv', 'imported/a (2).csv', 'failed/bad.csv'].map((place) =>
    join(dir, `${place}.errors.csv`),
  )
  assert.equal(
    kept.map((path) => readFileSync(path, 'utf8')),
    ['0', '1', '2'],
  )
  assert.equal(
    events.map((event) => 'report' in event && event.report?.errors_csv),
    kept,
  )
  await folder.close()
})

test('a mapping is advised only where a mapping helps', async () => {
  const refused = (code: string) =>
    new ApiError({
      code: 'validation_failed',
      message: `it is refused: ${code}`,
      status: 422,
      details: [{ path: '(body)', message: `cannot be imported: ${code}` }],
    })
  const errors: [string, Error, boolean][] = [
    ['a.csv', refused('no_rows'), false],
    ['b.csv', refused('bad_json'), false],
    ['c.csv', refused('spreadsheet_file'), false],
    ['d.csv', new ImporterError('empty_file', 'd.csv is empty.'), false],
    ['e.csv', refused('mapping_needed'), true],
    ['f.csv', refused('dates_both_orders'), true],
    ['g.csv', new ImporterError('unknown_column', '"Nope" is not a column of g.csv.'), true],
  ]
  for (const [file, error, isAdvised] of errors) {
    assert.is(describeOutcome({ ok: false, error }, file).includes('A mapping says how'), isAdvised, file)
  }
  const hostile = new ImporterError('no_rows', 'a\u001b[2J is bad.')
  assert.not.match(describeOutcome({ ok: false, error: hostile }, 'a\u001b[2J'), /\u001b/)
})

test('a line of the log names its file once', () => {
  const error = new ImporterError('bad_json', 'reviews.json: line 3 is not JSON.')
  assert.is(describeOutcome({ ok: false, error }, 'reviews.json'), 'not imported: line 3 is not JSON.')
  assert.is(describeOutcome({ ok: false, error }, 'a.zip'), 'not imported: reviews.json: line 3 is not JSON.')
})

test('folders are environments, saved mappings or hold a mapping of their own; others are left alone', async () => {
  const { dir, configDir, folder, seen, said } = watching()
  await saveMapping(configDir, 'shop', { source: 'yelp' }, async () => {})
  for (const path of ['live', 'test/shop', 'own', 'stranger']) mkdirSync(join(dir, path), { recursive: true })
  writeFileSync(join(dir, 'own', 'mapping.json'), '\ufeff{"day_first":true}')
  for (const path of ['live/1.csv', 'test/shop/2.csv', 'own/3.csv', 'stranger/4.csv', '5.csv'])
    writeFileSync(join(dir, path), path)
  await until('four imports', () => seen.length === 4 && said.some((line) => line.startsWith('stranger')))
  await folder.idle()
  const placements = Object.fromEntries(
    seen.map(({ name, env, options }) => [name, [env, options?.source, options?.day_first]]),
  )
  assert.equal(placements, {
    '1.csv': ['live', undefined, undefined],
    '2.csv': ['test', 'yelp', undefined],
    '3.csv': [undefined, undefined, true],
    '5.csv': [undefined, undefined, undefined],
  })
  assert.ok(has(dir, 'stranger', '4.csv'))
  assert.ok(has(dir, 'test', 'shop', 'imported', '2.csv'))
  assert.ok(has(dir, 'own', 'mapping.json'))
  await folder.close()
})

test('files whose mapping comes after them are imported then, and told of once until then', async () => {
  const { dir, configDir, folder, seen, said, events } = watching()
  for (const name of ['own', 'shop']) {
    mkdirSync(join(dir, name))
    writeFileSync(join(dir, name, `${name}.csv`), name)
  }
  await until('both are told', () => said.length === 2)
  // Longer than a retry takes.
  await sleep(1_000)
  writeFileSync(join(dir, 'own', 'mapping.json'), '{"day_first":true}')
  await saveMapping(configDir, 'shop', { source: 'yelp' }, async () => {})
  await until('both', () => has(dir, 'own', 'imported', 'own.csv') && has(dir, 'shop', 'imported', 'shop.csv'))
  assert.equal(seen.map(({ options }) => options).sort(), [{ day_first: true }, { source: 'yelp' }])
  assert.is(events.filter(({ outcome }) => outcome === 'left').length, 2)
  await folder.close()
})

test('what programs write beside a file that is not complete, and editors for themselves, is never imported', () => {
  const unfinished = [
    '.reviews.csv.Ab12Cd',
    '.syncthing.reviews.csv.tmp',
    '.pureftpd-upload.65ab.15.1a2b.12',
    '.~lock.reviews.csv#',
    '#reviews.csv#',
    'reviews.csv~',
    'reviews.csv.Ab12Cd34.partial',
    'reviews.csv.filepart',
    'reviews.csv.opdownload',
    'reviews.csv.aria2',
    'reviews.csv.aria2__temp',
    'reviews.csv.lftp-pget-status',
    'reviews.csv.st',
    'reviews.csv.!qB',
  ]
  assert.equal(
    unfinished.filter((name) => !isIgnored('/inbox', `/inbox/${name}`)),
    [],
  )
  const whole = ['reviews.csv', 'reviews (conflicted copy).csv', '#1 reviews.csv', 'best.csv', 'A1B2C3D4']
  assert.equal(
    whole.filter((name) => isIgnored('/inbox', `/inbox/${name}`)),
    [],
  )
})

test('links are not followed, neither as files nor as folders', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'pullquote-outside-'))
  writeFileSync(join(outside, 'secret.csv'), 'secret')
  const { dir, folder, seen, said } = watching()
  symlinkSync(join(outside, 'secret.csv'), join(dir, 'link.csv'))
  symlinkSync(outside, join(dir, 'test'))
  writeFileSync(join(dir, 'honest.csv'), 'x')
  await until('honest', () => has(dir, 'imported', 'honest.csv'))
  await until('the link is told', () => said.some((line) => line.startsWith('link.csv is not an ordinary file')))
  writeFileSync(join(dir, 'later.csv'), 'y')
  await until('a later one', () => has(dir, 'imported', 'later.csv'))
  assert.equal(
    seen.map(({ name }) => name),
    ['honest.csv', 'later.csv'],
  )
  assert.ok(has(outside, 'secret.csv'))
  await folder.close()
})

test('the log says how dates were read, what is missing and that a file is cut off, and leaves other notes to the report', () => {
  const warnings = ['dates', 'missing', 'cut_off', 'repeated'].map((code) => ({
    code,
    message: `about ${code}`,
    count: 1,
  }))
  const said = describeOutcome({ ok: true, report: importAnswer({ inserted: 1, warnings }) }, 'a.csv')
  assert.is(said, '1 inserted, 0 updated, 0 skipped. Note: about dates. Note: about missing. Note: about cut_off.')
})

test.run()
