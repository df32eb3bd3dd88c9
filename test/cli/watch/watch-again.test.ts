import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { ConnectionFailed } from '../../../src/client/errors.ts'
import { ImporterError } from '../../../src/importer/importer-error.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { has, watching } from './watching.ts'

const test = suite('what changes in a watched folder, or was under way')

test('a file that is written to during its import is imported again', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  let first = true
  const { folder, seen } = watching((name) => {
    if (first) writeFileSync(join(dir, name), 'more text')
    first = false
  }, dir)
  writeFileSync(join(dir, 'a.csv'), 'text')
  await until('second import', () => has(dir, 'imported', 'a.csv'))
  assert.equal(
    seen.map(({ text }) => text),
    ['text', 'more text'],
  )
  await folder.close()
})

test('of files that wait together the one written first is imported first, also after the server was away', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  const write = (name: string, daysAgo: number) => {
    const path = join(dir, name)
    writeFileSync(path, name)
    const written = new Date(Date.now() - daysAgo * 86_400_000)
    utimesSync(path, written, written)
  }
  let isAway = false
  const done: string[] = []
  write('b-march.csv', 60)
  write('a-april.csv', 30)
  write('c-february.csv', 90)
  const { folder, seen } = watching((name) => {
    if (isAway) throw new ConnectionFailed('http://x', { cause: new Error('refused') })
    done.push(name)
  }, dir)
  await until('three imports', () => has(dir, 'imported', 'a-april.csv'))
  assert.equal(done.splice(0), ['c-february.csv', 'b-march.csv', 'a-april.csv'])
  isAway = true
  write('e-may.csv', 10)
  await until('a try', () => seen.some(({ name }) => name === 'e-may.csv'))
  isAway = false
  write('d-june.csv', 5)
  await until('two imports', () => has(dir, 'imported', 'd-june.csv'))
  assert.equal(done, ['e-may.csv', 'd-june.csv'])
  await folder.close()
})

test('a copy that goes on after its file was imported and moved is imported again, whole', async () => {
  const { dir, folder, seen, said } = watching()
  const copy = openSync(join(dir, 'slow.csv'), 'w')
  writeSync(copy, 'first')
  await until('the import of what was there', () => has(dir, 'imported', 'slow.csv'))
  writeSync(copy, ', second')
  await until('the import of the rest', () => seen.length === 2 && has(dir, 'imported', 'slow.csv'))
  closeSync(copy)
  assert.equal(
    seen.map(({ text }) => text),
    ['first', 'first, second'],
  )
  assert.ok(said.includes('slow.csv was written to after it was imported: it is imported again.'))
  assert.equal(readdirSync(join(dir, 'imported')).sort(), ['slow.csv', 'slow.csv.report.json'])
  await folder.close()
})

test('a copy that was refused and then goes on leaves nothing in failed/ that says so', async () => {
  let isWhole = false
  const { dir, folder } = watching(() => {
    if (!isWhole) throw new ImporterError('empty_file', 'slow.csv is empty.')
  })
  const copy = openSync(join(dir, 'slow.csv'), 'w')
  await until('the refusal', () => has(dir, 'failed', 'slow.csv'))
  isWhole = true
  writeSync(copy, 'first\n')
  closeSync(copy)
  await until('the import', () => has(dir, 'imported', 'slow.csv'))
  assert.equal(readdirSync(join(dir, 'failed')), [])
  await folder.close()
})

test('a copy that went on while nobody watched is imported again at the next start', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  const before = watching(() => {}, dir)
  mkdirSync(join(dir, 'test'))
  const copy = openSync(join(dir, 'test', 'slow.csv'), 'w')
  writeSync(copy, 'first')
  await until('the first import', () => has(dir, 'test', 'imported', 'slow.csv'))
  await before.folder.close()
  writeSync(copy, ', second')
  closeSync(copy)
  const after = watching(() => {}, dir)
  await until('the second import', () => after.seen.length === 1)
  assert.equal(
    after.seen.map(({ text, env }) => [text, env]),
    [['first, second', 'test']],
  )
  await after.folder.close()
})

test('a done file that somebody replaces stays where it is', async () => {
  const { dir, folder, seen } = watching()
  writeFileSync(join(dir, 'a.csv'), 'one')
  await until('import', () => has(dir, 'imported', 'a.csv'))
  // One that takes its place before the watch has looked at what it moved is put back.
  await folder.idle()
  writeFileSync(join(dir, 'imported', 'new'), 'another')
  renameSync(join(dir, 'imported', 'new'), join(dir, 'imported', 'a.csv'))
  writeFileSync(join(dir, 'b.csv'), 'two')
  await until('a later one', () => has(dir, 'imported', 'b.csv'))
  writeFileSync(join(dir, 'c.csv'), 'three')
  await until('one that settles after both', () => has(dir, 'imported', 'c.csv'))
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
  for (const path of ['piped', 'linked', 'wrong']) await until(path, () => has(dir, path, 'failed', 'a.csv'))
  await until('a file beside them', () => has(dir, 'imported', 'honest.csv'))
  assert.is(seen.length, 1)
  for (const path of ['piped', 'linked']) {
    assert.is(JSON.parse(reportOf(path)).error.code, 'bad_mapping')
    assert.match(reportOf(path), /not an ordinary file/)
    assert.not.match(reportOf(path), /root|hunter2/)
  }
  assert.match(reportOf('wrong'), /not valid JSON \(line 1, column 16\)/)
  await folder.close()
})

test('a file over the limit is failed without being read', async () => {
  const { dir, folder, seen } = watching()
  writeFileSync(join(dir, 'big.csv'), Buffer.alloc(10 * 1024 * 1024 + 1))
  await until('failed', () => has(dir, 'failed', 'big.csv'))
  assert.equal(seen, [])
  await folder.close()
})

test('what was under way when the process ended is imported at the next start', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
  const before = watching(() => {
    throw new ConnectionFailed('http://x', { cause: new Error('refused') })
  }, dir)
  writeFileSync(join(dir, 'a.csv'), 'x')
  await until('first try', () => before.seen.length > 0)
  await before.folder.close()
  const after = watching(() => {}, dir)
  await until('second process', () => has(dir, 'imported', 'a.csv'))
  await after.folder.close()
})

test('a folder that takes the place of the watched one is watched, whether that was deleted or moved away', async () => {
  const { dir, folder, said } = watching()
  await folder.ready
  for (const [name, remove] of [
    ['deleted.csv', () => rmSync(dir, { recursive: true })],
    ['moved.csv', () => renameSync(dir, `${dir}.old`)],
  ] as const) {
    remove()
    mkdirSync(dir)
    writeFileSync(join(dir, name), 'x')
    await until(name, () => has(dir, 'imported', name))
  }
  rmSync(dir, { recursive: true })
  await until('a word about it', () => said.some((line) => line.startsWith('The folder is gone')))
  await folder.close()
})

test('a folder that could not be read at first is watched once it can be', async () => {
  const { dir, folder, said } = watching()
  await folder.ready
  const isRoot = process.getuid?.() === 0
  const inbox = join(dir, 'live')
  try {
    // Root may read everything, so this process becomes nobody for a while.
    if (isRoot) {
      chownSync(dir, 65_534, 65_534)
      process.seteuid?.(65_534)
    }
    const late = join(dir, '.late')
    mkdirSync(late)
    writeFileSync(join(late, 'a.csv'), 'x')
    chmodSync(late, 0o300)
    renameSync(late, inbox)
    await until('the refusal', () => said.includes("live can't be read by this user: it waits until it can."))
    chmodSync(inbox, 0o700)
    await until('its import', () => has(inbox, 'imported', 'a.csv'))
    assert.ok(said.includes('live can be read now.'))
  } finally {
    await folder.close()
    if (isRoot) process.seteuid?.(0)
  }
})

test('a file whose name is not in UTF-8 is told of, once', async () => {
  // Other systems take no such name.
  if (process.platform !== 'linux') return
  const { dir, folder, said } = watching()
  await folder.ready
  mkdirSync(join(dir, 'live'))
  const name = Buffer.concat([Buffer.from(`${dir}/live/M`), Buffer.from([0xe4]), Buffer.from('rz.csv')])
  writeFileSync(name, 'text')
  writeFileSync(join(dir, 'Käse \ufffd.csv'), 'text')
  const lines = () => said.filter((line) => line.includes('not in UTF-8'))
  await until('a line', () => lines().length > 0)
  await until('the other file', () => has(dir, 'imported', 'Käse \ufffd.csv'))
  // Beyond the next look.
  await sleep(1_000)
  await folder.close()
  assert.equal(lines(), [
    "live/M\ufffdrz.csv has a name that is not in UTF-8, so that it can't be opened here: rename it.",
  ])
})

test('a file that another machine writes into a shared folder, of which no event tells, is imported', async () => {
  // Nothing is reported after the start.
  process.env.CHOKIDAR_USEPOLLING = 'true'
  process.env.CHOKIDAR_INTERVAL = '100000000'
  const { dir, folder, seen } = watching()
  try {
    await folder.ready
    mkdirSync(join(dir, 'live'))
    writeFileSync(join(dir, 'a.csv'), 'first')
    writeFileSync(join(dir, 'live', 'b.csv'), 'second')
    await until('both imports', () => has(dir, 'imported', 'a.csv') && has(dir, 'live', 'imported', 'b.csv'))
    writeFileSync(join(dir, 'a.csv'), 'third')
    await until('another of its name', () => has(dir, 'imported', 'a-2.csv') || seen.length > 2)
    assert.equal(seen.map(({ text }) => text).sort(), ['first', 'second', 'third'])
  } finally {
    await folder.close()
    delete process.env.CHOKIDAR_USEPOLLING
    delete process.env.CHOKIDAR_INTERVAL
  }
})

test('a file that came just before the clock was set back by an hour does not wait for that hour', async () => {
  const { dir, folder, said } = watching()
  const RealDate = Date
  try {
    await folder.ready
    writeFileSync(join(dir, 'a.csv'), 'x')
    await sleep(75)
    const SetBack = class extends RealDate {
      constructor(...[given]: [] | [number]) {
        super(given ?? RealDate.now() - 3_600_000)
      }
    }
    Reflect.set(globalThis, 'Date', SetBack)
    await until('the import', () => has(dir, 'imported', 'a.csv'))
  } finally {
    globalThis.Date = RealDate
    await folder.close()
  }
  assert.equal(said, ['a.csv: 1 inserted, 0 updated, 0 skipped.'])
})

test('of a file that is taken away during its import is said what became of it', async () => {
  const { dir, folder, said, events } = watching((name) => rmSync(join(dir, name)))
  writeFileSync(join(dir, 'a.csv'), 'x')
  await until('the account', () => events.length > 0)
  assert.equal(said, ['a.csv: 1 inserted, 0 updated, 0 skipped.'])
  assert.equal(readdirSync(join(dir, 'imported')), [])
  await folder.close()
})

test.run()
