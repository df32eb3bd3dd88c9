import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { flushFolder } from '../../server/db/home/flush-folder.ts'
import { writeExport } from '../../src/cli/export/export-files.ts'
import { createPrivateFile, FileExists, writePrivateFile } from '../../src/client/private-file.ts'
import { suite } from '../suite.ts'

const test = suite('files with personal data')
const umask = process.umask(0o000)
const base = mkdtempSync(join(tmpdir(), 'pullquote-private-'))
const mode = (path: string) => lstatSync(path).mode & 0o777
let folder = base
let count = 0
test.before.each(() => {
  folder = join(base, String(count++))
  mkdirSync(folder)
})
test.after(() => {
  process.umask(umask)
  rmSync(base, { recursive: true, force: true })
})

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'it went well',
    (error) => (error instanceof FileExists ? error.code : String(error)),
  )
}

test('can be read by their owner only, whatever the umask, and stand there when they are whole', async () => {
  const path = join(folder, 'a.csv')
  const file = await createPrivateFile(path)
  await file.handle.writeFile('half')
  assert.not.ok(readdirSync(folder).includes('a.csv'))
  assert.is(mode(join(folder, readdirSync(folder)[0] ?? '')), 0o600)
  await file.commit()
  await file.discard()
  assert.equal(readdirSync(folder), ['a.csv'])
  assert.is(mode(path), 0o600)
})

test("it needs nothing of a file that Yarn's Plug'n'Play has not, nor does the flush of a folder", async () => {
  const handle = await open(join(folder, 'any'), 'w')
  const files = Object.getPrototypeOf(handle)
  const { sync } = files
  await handle.close()
  files.sync = () => {
    throw new Error('Method not implemented.')
  }
  try {
    await writePrivateFile(join(folder, 'a.csv'), 'whole')
    await flushFolder(folder)
  } finally {
    files.sync = sync
  }
  assert.is(readFileSync(join(folder, 'a.csv'), 'utf8'), 'whole')
})

test('one that is given up leaves nothing behind', async () => {
  const file = await createPrivateFile(join(folder, 'a.csv'))
  await file.handle.writeFile('half')
  await file.discard()
  assert.equal(readdirSync(folder), [])
})

test('an existing file is kept, at the beginning and at the end', async () => {
  const path = join(folder, 'a.csv')
  const early = await createPrivateFile(path)
  writeFileSync(path, 'mine')
  assert.is(await codeOf(early.commit()), 'file_exists')
  await early.discard()
  assert.is(await codeOf(createPrivateFile(path)), 'file_exists')
  assert.is(readFileSync(path, 'utf8'), 'mine')
  await writePrivateFile(path, 'new', { replace: true })
  assert.is(readFileSync(path, 'utf8'), 'new')
  assert.is(mode(path), 0o600)
  assert.equal(readdirSync(folder), ['a.csv'])
})

test('links are not followed: what they lead to stays as it was', async () => {
  const victim = join(folder, 'victim')
  writeFileSync(victim, 'precious')
  const path = join(folder, 'a.csv')
  symlinkSync(victim, path)
  symlinkSync(victim, `${path}.part`)
  assert.is(await codeOf(writePrivateFile(path, 'new')), 'file_exists')
  await writePrivateFile(path, 'new', { replace: true })
  assert.is(readFileSync(victim, 'utf8'), 'precious')
  assert.ok(lstatSync(path).isFile())
})

// Not /dev/null: where the check fails, and root runs this, the machine would lose it.
test('a pipe or a folder is not replaced by a file', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  assert.is(await codeOf(writePrivateFile(pipe, 'x', { replace: true })), 'not_a_file')
  assert.is(await codeOf(writePrivateFile(folder, 'x', { replace: true })), 'not_a_file')
})

test('an export is such a file', async () => {
  const victim = join(folder, 'victim')
  writeFileSync(victim, 'precious')
  const path = join(folder, 'reviews.jsonl')
  symlinkSync(victim, `${path}.part`)
  symlinkSync(victim, path)
  assert.is(await codeOf(writeExport(path, [], 'jsonl', { replace: false })), 'file_exists')
  assert.equal(await writeExport(path, [], 'jsonl', { replace: true }), [path])
  assert.is(mode(path), 0o600)
  assert.is(readFileSync(victim, 'utf8'), 'precious')
})

test.run()
