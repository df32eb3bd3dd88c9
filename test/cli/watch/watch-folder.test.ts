import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unzipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { saveMapping } from '../../../src/cli/import/saved-mappings.ts'
import { describeOutcome } from '../../../src/cli/watch/done-folders.ts'
import type { Placement } from '../../../src/cli/watch/layout.ts'
import { type FolderWatch, type WatchEvent, watchFolder } from '../../../src/cli/watch/watch-folder.ts'
import { ApiError, ConnectionFailed } from '../../../src/client/errors.ts'
import type { ImportResponse } from '../../../src/contract/import.ts'
import { ImporterError } from '../../../src/importer/importer-error.ts'
import { importAnswer } from '../../client/import-answer.ts'
import { suite } from '../../suite.ts'

const test = suite('watched folder')

const answer = importAnswer({ inserted: 1 })

interface Seen extends Placement {
  name: string
  text: string
  bytes: Uint8Array
}

/** Watches a new folder; `answers` decides each import, by the file's name. */
function watching(
  answers: (name: string, errorsPath: string) => void = () => {},
  dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-')),
  settleMs = 150,
  reports: Record<string, Partial<ImportResponse>> = {},
) {
  const seen: Seen[] = []
  const said: string[] = []
  const events: WatchEvent[] = []
  const configDir = mkdtempSync(join(tmpdir(), 'pullquote-config-'))
  const folder: FolderWatch = watchFolder(dir, {
    configDir,
    stableMs: settleMs,
    retryMs: 200,
    log: (line) => said.push(line),
    onEvent: (event) => events.push(event),
    async importFile(file, placement, errorsPath) {
      seen.push({ name: file.name, text: Buffer.from(file.bytes).toString(), bytes: file.bytes, ...placement })
      answers(file.name, errorsPath)
      return { ...answer, ...reports[file.name], errors_csv: existsSync(errorsPath) ? errorsPath : null }
    },
  })
  return { dir, configDir, folder, seen, said, events }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    if (condition()) return
    await sleep(50)
  }
  throw new Error(`waited in vain: ${what}`)
}
const has = (...path: string[]) => existsSync(join(...path))

test('a file that lies there from the start and one that comes later are imported and moved with their report', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  writeFileSync(join(dir, 'early.csv'), 'early')
  const { folder, seen } = watching(() => {}, dir)
  await until(() => has(dir, 'imported', 'early.csv'), 'early')
  writeFileSync(join(dir, 'late.csv'), 'late')
  await until(() => has(dir, 'imported', 'late.csv'), 'late')
  assert.equal(
    seen.map(({ text }) => text),
    ['early', 'late'],
  )
  const report = JSON.parse(readFileSync(join(dir, 'imported', 'late.csv.report.json'), 'utf8'))
  assert.equal([report.file, report.inserted, report.errors_csv], ['late.csv', 1, null])
  await folder.close()
})

test('a file is not touched before it has settled, nor under the name of an unfinished download', async () => {
  // Long against the pauses between two writes, which a busy machine stretches.
  const { dir, folder, seen } = watching(() => {}, undefined, 2_000)
  await folder.ready
  writeFileSync(join(dir, 'a.csv.crdownload'), 'whole')
  for (let part = 0; part < 6; part++) {
    writeFileSync(join(dir, 'slow.csv'), 'x'.repeat(part + 1))
    await sleep(60)
  }
  assert.equal(seen, [])
  await until(() => has(dir, 'imported', 'slow.csv'), 'slow')
  assert.equal(
    seen.map(({ text }) => text),
    ['xxxxxx'],
  )
  renameSync(join(dir, 'a.csv.crdownload'), join(dir, 'a.csv'))
  await until(() => has(dir, 'imported', 'a.csv'), 'renamed')
  assert.is(seen.length, 2)
  await folder.close()
})

test('the same name twice keeps both files and both reports', async () => {
  const { dir, folder } = watching()
  writeFileSync(join(dir, 'a.csv'), 'one')
  await until(() => has(dir, 'imported', 'a.csv'), 'first')
  writeFileSync(join(dir, 'a.csv'), 'two')
  await until(() => has(dir, 'imported', 'a (2).csv'), 'second')
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
  await until(() => has(dir, 'failed', 'odd.csv'), 'failed')
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
  await until(() => has(dir, 'failed', 'undated.csv') && has(dir, 'imported', 'stars.csv'), 'both')
  assert.ok(has(dir, 'failed', 'undated.csv.errors.csv'))
  const report = JSON.parse(readFileSync(join(dir, 'failed', 'undated.csv.report.json'), 'utf8'))
  assert.equal([report.skipped, report.errors_csv], [3, 'undated.csv.errors.csv'])
  await folder.idle()
  assert.ok(said.includes('undated.csv: 0 imported, 3 skipped: it is in failed, with the reasons beside it.'))
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
    if (tries === 1) throw new ConnectionFailed('http://x', { cause: new Error('refused') })
    if (tries === 2) throw new ApiError({ code: 'service_unavailable', status: 503, message: 'starting' })
  })
  writeFileSync(join(dir, 'a.csv'), 'x')
  await until(() => has(dir, 'imported', 'a.csv'), 'third try')
  assert.is(tries, 3)
  assert.ok(lay, 'it stayed where it was until it was imported')
  assert.ok(said.some((line) => line.includes('tried again later')))
  await folder.close()
})

test('skipped rows lie beside the file', async () => {
  const { dir, folder } = watching((_, errorsPath) => writeFileSync(errorsPath, 'line,reason\r\n'))
  writeFileSync(join(dir, 'a.csv'), 'x')
  await until(() => has(dir, 'imported', 'a.csv'), 'import')
  assert.equal(readdirSync(join(dir, 'imported')).sort(), ['a.csv', 'a.csv.errors.csv', 'a.csv.report.json'])
  const report = JSON.parse(readFileSync(join(dir, 'imported', 'a.csv.report.json'), 'utf8'))
  assert.is(report.errors_csv, 'a.csv.errors.csv')
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
    assert.is(describeOutcome({ ok: false, error }).includes('is said by a mapping'), isAdvised, file)
  }
  assert.not.match(describeOutcome({ ok: false, error: new ImporterError('no_rows', 'a\u001b[2J is bad.') }), /\u001b/)
})

test('folders are environments, saved mappings or hold a mapping of their own; others are left alone', async () => {
  const { dir, configDir, folder, seen, said } = watching()
  await saveMapping(configDir, 'shop', { source: 'yelp' }, async () => {})
  for (const path of ['live', 'test/shop', 'own', 'stranger']) mkdirSync(join(dir, path), { recursive: true })
  writeFileSync(join(dir, 'own', 'mapping.json'), '{"day_first":true}')
  for (const path of ['live/1.csv', 'test/shop/2.csv', 'own/3.csv', 'stranger/4.csv', '5.csv'])
    writeFileSync(join(dir, path), path)
  await until(() => seen.length === 4 && said.some((line) => line.startsWith('stranger')), 'four imports')
  await folder.idle()
  const placements = Object.fromEntries(
    seen.map(({ name, env, options }) => [name, [env, options.source, options.dayFirst]]),
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

test('links are not followed, neither as files nor as folders', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'pullquote-outside-'))
  writeFileSync(join(outside, 'secret.csv'), 'secret')
  const { dir, folder, seen, said } = watching()
  symlinkSync(join(outside, 'secret.csv'), join(dir, 'link.csv'))
  symlinkSync(outside, join(dir, 'test'))
  writeFileSync(join(dir, 'honest.csv'), 'x')
  await until(() => has(dir, 'imported', 'honest.csv'), 'honest')
  await until(() => said.some((line) => line.startsWith('link.csv is no ordinary file')), 'the link is told')
  await sleep(500)
  await folder.idle()
  assert.equal(
    seen.map(({ name }) => name),
    ['honest.csv'],
  )
  assert.ok(has(outside, 'secret.csv'))
  await folder.close()
})

function takeoutIn(folder: string, pages = 2): string {
  const location = join(folder, 'Google Business Profile', 'account-1', 'location-1')
  mkdirSync(location, { recursive: true })
  for (let page = 1; page <= pages; page++)
    writeFileSync(join(location, page === 1 ? 'reviews.json' : `reviews-${page}.json`), `{"page":${page}}`)
  writeFileSync(join(folder, 'archive_browser.html'), 'beside')
  return location
}

test('a Takeout folder is one import of its pages and is moved as a whole, also from an environment', async () => {
  const { dir, folder, seen } = watching((name, errorsPath) => {
    if (name === 'Takeout') writeFileSync(errorsPath, 'line,reason\r\n')
  })
  await folder.ready
  takeoutIn(join(dir, 'Takeout'))
  mkdirSync(join(dir, 'test'))
  takeoutIn(join(dir, 'test', 'Second'))
  await until(() => has(dir, 'imported', 'Takeout') && has(dir, 'test', 'imported', 'Second'), 'both')
  assert.equal(seen.map(({ name, env }) => [name, env]).sort(), [
    ['Second', 'test'],
    ['Takeout', undefined],
  ])
  const takeout = seen.find(({ name }) => name === 'Takeout')
  const pages = unzipSync(takeout?.bytes ?? new Uint8Array())
  assert.equal(Object.keys(pages), [
    'Google Business Profile/account-1/location-1/reviews-2.json',
    'Google Business Profile/account-1/location-1/reviews.json',
  ])
  assert.equal(readdirSync(join(dir, 'imported')).sort(), ['Takeout', 'Takeout.errors.csv', 'Takeout.report.json'])
  assert.ok(has(dir, 'imported', 'Takeout', 'archive_browser.html'))
  assert.not.ok(has(dir, 'Takeout'))
  await folder.close()
})

test('a Takeout that lies there from the start is imported, one that is refused goes to failed/', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  takeoutIn(join(dir, 'Takeout'))
  const { folder, seen } = watching(() => {
    throw new ImporterError('own_reviews', 'Written by the owner.')
  }, dir)
  await folder.ready
  await folder.idle()
  assert.is(seen.length, 1)
  assert.is(JSON.parse(readFileSync(join(dir, 'failed', 'Takeout.report.json'), 'utf8')).error.code, 'own_reviews')
  assert.ok(has(dir, 'failed', 'Takeout', 'Google Business Profile'))
  await folder.close()
})

test('a Takeout that is still being copied is waited for', async () => {
  const { dir, folder, seen } = watching(() => {}, undefined, 1_000)
  await folder.ready
  const location = takeoutIn(join(dir, 'Takeout'), 1)
  for (let part = 2; part <= 8; part++) {
    await sleep(200)
    writeFileSync(join(location, `reviews-${part}.json`), '{}')
  }
  assert.equal(seen, [])
  await until(() => has(dir, 'imported', 'Takeout'), 'import')
  assert.is(Object.keys(unzipSync(seen[0]?.bytes ?? new Uint8Array())).length, 8)
  assert.is(seen.length, 1)
  await folder.close()
})

test('a Takeout with a link in it is left alone, and nothing behind the link is read', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'pullquote-outside-'))
  takeoutIn(outside)
  const { dir, folder, seen, said } = watching()
  const location = takeoutIn(join(dir, 'Takeout'))
  symlinkSync(join(outside, 'Google Business Profile'), join(location, 'more'))
  symlinkSync(outside, join(dir, 'Linked'))
  await until(() => said.some((line) => line.startsWith('Takeout holds') && line.includes('more')), 'told')
  await sleep(500)
  await folder.idle()
  assert.equal(seen, [])
  assert.ok(has(dir, 'Takeout'))
  await folder.close()
})

test('a file that is written to during its import is imported again', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  let first = true
  const { folder, seen } = watching((name) => {
    if (first) writeFileSync(join(dir, name), 'more text')
    first = false
  }, dir)
  writeFileSync(join(dir, 'a.csv'), 'text')
  await until(() => has(dir, 'imported', 'a.csv'), 'second import')
  assert.equal(
    seen.map(({ text }) => text),
    ['text', 'more text'],
  )
  await folder.close()
})

test('a copy that goes on after its file was imported and moved is imported again, whole', async () => {
  const { dir, folder, seen, said } = watching()
  const copy = openSync(join(dir, 'slow.csv'), 'w')
  writeSync(copy, 'first')
  await until(() => has(dir, 'imported', 'slow.csv'), 'the import of what was there')
  writeSync(copy, ', second')
  await until(() => seen.length === 2 && has(dir, 'imported', 'slow.csv'), 'the import of the rest')
  closeSync(copy)
  assert.equal(
    seen.map(({ text }) => text),
    ['first', 'first, second'],
  )
  assert.ok(said.includes('slow.csv was written to after it was imported: it is imported again.'))
  assert.equal(readdirSync(join(dir, 'imported')).sort(), ['slow.csv', 'slow.csv.report.json'])
  await folder.close()
})

test('a copy that went on while nobody watched is imported again at the next start', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  const before = watching(() => {}, dir)
  mkdirSync(join(dir, 'test'))
  const copy = openSync(join(dir, 'test', 'slow.csv'), 'w')
  writeSync(copy, 'first')
  await until(() => has(dir, 'test', 'imported', 'slow.csv'), 'the first import')
  await before.folder.close()
  writeSync(copy, ', second')
  closeSync(copy)
  const after = watching(() => {}, dir)
  await until(() => after.seen.length === 1, 'the second import')
  assert.equal(
    after.seen.map(({ text, env }) => [text, env]),
    [['first, second', 'test']],
  )
  await after.folder.close()
})

test('a done file that somebody replaces stays where it is', async () => {
  const { dir, folder, seen } = watching()
  writeFileSync(join(dir, 'a.csv'), 'one')
  await until(() => has(dir, 'imported', 'a.csv'), 'import')
  writeFileSync(join(dir, 'imported', 'new'), 'another')
  renameSync(join(dir, 'imported', 'new'), join(dir, 'imported', 'a.csv'))
  writeFileSync(join(dir, 'b.csv'), 'two')
  await until(() => has(dir, 'imported', 'b.csv'), 'a later one')
  await sleep(400)
  assert.is(seen.length, 2)
  assert.is(readFileSync(join(dir, 'imported', 'a.csv'), 'utf8'), 'another')
  await folder.close()
})

test('a mapping.json that is a pipe or a link is neither waited for nor read, nor quoted in a report', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'pullquote-outside-'))
  writeFileSync(join(outside, 'secrets'), 'root:hunter2')
  const { dir, folder, seen } = watching()
  for (const path of ['piped', 'linked', 'wrong']) mkdirSync(join(dir, path))
  execFileSync('mkfifo', [join(dir, 'piped', 'mapping.json')])
  symlinkSync(join(outside, 'secrets'), join(dir, 'linked', 'mapping.json'))
  writeFileSync(join(dir, 'wrong', 'mapping.json'), '{ "day_first": yes }')
  for (const path of ['piped', 'linked', 'wrong']) writeFileSync(join(dir, path, 'a.csv'), 'x')
  writeFileSync(join(dir, 'honest.csv'), 'x')
  const reportOf = (path: string) => readFileSync(join(dir, path, 'failed', 'a.csv.report.json'), 'utf8')
  for (const path of ['piped', 'linked', 'wrong']) await until(() => has(dir, path, 'failed', 'a.csv'), path)
  await until(() => has(dir, 'imported', 'honest.csv'), 'a file beside them')
  assert.is(seen.length, 1)
  for (const path of ['piped', 'linked']) {
    assert.is(JSON.parse(reportOf(path)).error.code, 'bad_mapping')
    assert.match(reportOf(path), /no ordinary file/)
    assert.not.match(reportOf(path), /root|hunter2/)
  }
  assert.match(reportOf('wrong'), /not valid JSON \(line 1, column 16\)/)
  await folder.close()
})

test('a file over the limit is failed without being read', async () => {
  const { dir, folder, seen } = watching()
  writeFileSync(join(dir, 'big.csv'), Buffer.alloc(10 * 1024 * 1024 + 1))
  await until(() => has(dir, 'failed', 'big.csv'), 'failed')
  assert.equal(seen, [])
  await folder.close()
})

test('what was under way when the process ended is imported at the next start', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  const before = watching(() => {
    throw new ConnectionFailed('http://x', { cause: new Error('refused') })
  }, dir)
  writeFileSync(join(dir, 'a.csv'), 'x')
  await until(() => before.seen.length > 0, 'first try')
  await before.folder.close()
  const after = watching(() => {}, dir)
  await until(() => has(dir, 'imported', 'a.csv'), 'second process')
  await after.folder.close()
})

test.run()
