import { execFileSync } from 'node:child_process'
import {
  closeSync,
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
import * as assert from 'uvu/assert'
import { ConnectionFailed } from '../../../src/client/errors.ts'
import { suite } from '../../suite.ts'
import { has, until, watching } from './watching.ts'

const test = suite('what changes in a watched folder, or was under way')

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
  writeFileSync(join(dir, 'c.csv'), 'three')
  await until(() => has(dir, 'imported', 'c.csv'), 'one that settles after both')
  assert.equal(
    seen.map(({ name }) => name),
    ['a.csv', 'b.csv', 'c.csv'],
  )
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
