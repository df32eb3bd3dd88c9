import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { recentlyMoved, trackMovedFiles } from '../../../src/cli/watch/moved-files.ts'
import { takeSnapshot } from '../../../src/cli/watch/snapshot.ts'
import { watchRoot } from '../../../src/cli/watch/watch-root.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { has, watching } from './watching.ts'

const test = suite('files of a watched folder that are moved after their import')

test('a file that could not be moved is moved once that is possible, without another import', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  const { folder, seen, said, events } = watching((name, errorsPath) => {
    writeFileSync(errorsPath, name)
    rmSync(join(dir, 'imported'), { recursive: true })
    writeFileSync(join(dir, 'imported'), 'in the way')
  }, dir)
  writeFileSync(join(dir, 'a.csv'), 'text')
  await until('the line about it', () => said.some((line) => line.startsWith('a.csv could not be moved: ')))
  rmSync(join(dir, 'imported'))
  await until('the move', () => has(dir, 'imported', 'a.csv'))
  await folder.idle()
  assert.ok(has(dir, 'imported', 'a.csv.report.json'))
  assert.equal(said.slice(-1), ['a.csv has been moved now.'])
  assert.is(said.length, 3)
  assert.is(seen.length, 1)
  assert.is(events.length, 1)
  await folder.close()
})

test('a file that could not be moved and then changes is imported again', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  let isFirst = true
  const { folder, seen, said } = watching(() => {
    if (!isFirst) return
    isFirst = false
    rmSync(join(dir, 'imported'), { recursive: true })
    writeFileSync(join(dir, 'imported'), 'in the way')
  }, dir)
  writeFileSync(join(dir, 'a.csv'), 'text')
  await until('the line about it', () => said.some((line) => line.startsWith('a.csv could not be moved: ')))
  writeFileSync(join(dir, 'a.csv'), 'another text')
  rmSync(join(dir, 'imported'))
  await until('the second import', () => has(dir, 'imported', 'a.csv') && seen.length === 2)
  assert.is(readFileSync(join(dir, 'imported', 'a.csv'), 'utf8'), 'another text')
  await folder.close()
})

test('skipped rows that somebody has corrected in failed/ are kept when their file is put back and fails again', async () => {
  let count = 0
  const { dir, folder, seen } = watching((_, path) => writeFileSync(path, `skipped ${++count}`), undefined, undefined, {
    'bad.csv': { inserted: 0, skipped: 1, reasons: { no_date: 1 } },
  })
  const failed = (name: string) => join(dir, 'failed', name)
  writeFileSync(join(dir, 'bad.csv'), 'x')
  await until('the first import', () => has(failed('bad.csv')))
  await folder.idle()
  writeFileSync(failed('bad.csv.errors.csv'), 'corrected')
  renameSync(failed('bad.csv'), join(dir, 'bad.csv'))
  await until('the second import', () => seen.length === 2 && has(failed('bad.csv')))
  await folder.idle()
  assert.is(readFileSync(failed('bad.csv.errors.csv'), 'utf8'), 'skipped 2')
  assert.is(readFileSync(failed('bad.csv.errors.csv.bak'), 'utf8'), 'corrected')
  assert.equal(readdirSync(join(dir, 'imported')), [])
  await folder.close()
})

test('a file with the longest possible name is moved under a shorter one, with its report and skipped rows', async () => {
  const { dir, folder, seen, said } = watching((name, errorsPath) => writeFileSync(errorsPath, name))
  const long = `${'ü'.repeat(125)}n.csv`
  const other = `${'n'.repeat(225)}.csv`
  for (const name of [long, other]) writeFileSync(join(dir, name), 'text')
  await until('the import', () => has(dir, 'imported') && readdirSync(join(dir, 'imported')).length === 6)
  await folder.idle()
  const names = readdirSync(join(dir, 'imported'))
  assert.ok(names.every((name) => /^(?:ü+|n+)\.csv(?:\.errors\.csv|\.report\.json)?$/.test(name)))
  const report = names.find((name) => name.startsWith('ü') && name.endsWith('.report.json')) ?? ''
  assert.is(JSON.parse(readFileSync(join(dir, 'imported', report), 'utf8')).file, long)
  assert.is(seen.length, 2)
  assert.not.ok(said.some((line) => line.includes('could not') || line.includes('later')))
  await folder.close()
})

test('a file that took the place of the imported one just before the move is put back, to be imported', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  mkdirSync(join(dir, 'imported'))
  const [origin, target] = [join(dir, 'a.csv'), join(dir, 'imported', 'a.csv')]
  writeFileSync(origin, 'imported')
  const version = (await takeSnapshot(origin))?.version ?? ''
  writeFileSync(target, 'came just before the move')
  rmSync(origin)
  const said: string[] = []
  const moved = trackMovedFiles({ firstLookMs: 60_000, log: (line) => said.push(line), nameOf: () => 'a.csv' })
  await moved.add({ target, origin, version })
  assert.is(readFileSync(origin, 'utf8'), 'came just before the move')
  assert.equal(said, ['a.csv was written to after it was imported: it is imported again.'])
  moved.close()
})

test('a report brings a file of the last day back to its place, and to none outside the folder', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  const now = new Date('2026-01-05T10:00:00Z')
  mkdirSync(join(dir, 'imported'))
  const report = (name: string, file: string, finished_at: string) =>
    writeFileSync(
      join(dir, 'imported', `${name}.report.json`),
      JSON.stringify({ file, version: 'another', finished_at }),
    )
  report('a', 'a', '2026-01-04T11:00:00Z')
  report('early', 'early', '2026-01-04T09:00:00Z')
  for (const [index, file] of ['../a', '..', '.', '', '/etc/a', 'live/a'].entries())
    report(`${index}`, file, '2026-01-05T09:00:00Z')
  const expected = { target: join(dir, 'imported', 'a'), origin: join(dir, 'a'), version: 'another' }
  assert.equal(await recentlyMoved(dir, now), [expected])
})

test('a file that comes back before its move was noticed is found', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  const path = join(dir, 'a.csv')
  writeFileSync(path, 'text')
  let count = 0
  const root = watchRoot(dir, { stableMs: 100, onWritten: () => count++, onError() {}, log() {} })
  await until('the file', () => count === 1)
  await root.ready
  readFileSync(path)
  renameSync(path, `${path}.part`)
  root.forget(path)
  renameSync(`${path}.part`, path)
  await until('the file again', () => count === 2)
  await root.close()
})

test.run()
