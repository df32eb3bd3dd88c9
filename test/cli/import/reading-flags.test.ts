import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { resolveInputs } from '../../../src/cli/import/inputs.ts'
import { importOptions, parseFormat } from '../../../src/cli/import/reading-flags.ts'
import { loadMapping, saveMapping } from '../../../src/cli/import/saved-mappings.ts'
import { parseMapping } from '../../../src/importer/formats/mapping.ts'
import { suite } from '../../suite.ts'
import { runAgainst } from '../run-cli.ts'

const test = suite('flags that say how a file is read')

test('--profile is a stored profile, or a format where no profile is called so', () => {
  assert.equal(parseFormat({ profile: ['shop'] }, ['shop']), { connection: 'shop', format: undefined })
  assert.equal(parseFormat({ profile: ['Yotpo'] }, ['shop']), { connection: undefined, format: 'yotpo' })
  assert.equal(parseFormat({ profile: ['yotpo', 'shop'] }, ['shop']), { connection: 'shop', format: 'yotpo' })
})

test('beside --format it is always a stored profile, whatever its name', () => {
  assert.equal(parseFormat({ format: 'generic', profile: ['yotpo'] }, ['yotpo']), {
    connection: 'yotpo',
    format: 'generic',
  })
  assert.throws(() => parseFormat({ format: 'generic', profile: ['yotpo'] }, []), /there is no stored profile yotpo/)
})

test('a name of both, without --format, is refused in words', () => {
  for (const profile of [['yotpo'], ['yotpo', 'shop']])
    assert.throws(() => parseFormat({ profile }, ['yotpo', 'shop']), /may mean the stored profile or the format/)
})

test('two of a kind are refused', () => {
  assert.throws(() => parseFormat({ profile: ['yotpo', 'generic'] }, []), /is given twice/)
  assert.throws(() => parseFormat({ profile: ['a', 'b'] }, ['a', 'b']), /is given twice/)
})

test('a day that is none, or has not come, is refused before a file is looked at', async () => {
  const read = (flags: object) =>
    importOptions(flags as Parameters<typeof importOptions>[0], tmpdir()).catch((error: Error) => error.message)
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  for (const day of ['2026-02-30', '1 May 2026', '26-01-31', soon, '']) {
    assert.is(await read({ 'as-of': day }), `--as-of ${day} is not a day, or is in the future`)
    assert.is(await read({ date: day }), `--date ${day} is not a day, or is in the future`)
  }
  const read2 = await importOptions({ 'as-of': '2026-01-31' } as Parameters<typeof importOptions>[0], tmpdir())
  assert.is(read2.as_of, '2026-01-31')
  assert.throws(() => parseMapping({ as_of: soon }), /as_of must be a day that is not in the future/)
  assert.throws(() => parseMapping({ date: 20260131 }), /date must be a string/)
})

test('an encoding by any of its names is taken, and one that is none is refused, in a mapping too', async () => {
  const read = (encoding: string) =>
    importOptions({ encoding } as Parameters<typeof importOptions>[0], tmpdir()).catch((error: Error) => error.message)
  for (const name of ['windows-1250', 'CP852', 'MacCentEuro', 'shift_jis', 'iso-2022-jp', 'utf-16le'])
    assert.is(((await read(name)) as { encoding?: string }).encoding, name)
  for (const name of ['windows-12', 'base64', 'hex', '']) {
    assert.is(await read(name), `--encoding ${name} is not a known encoding`)
    assert.throws(() => parseMapping({ encoding: name }), /encoding must be an encoding, such as "windows-1250"/)
  }
})

if (process.platform !== 'win32')
  test('a folder of settings that a mapping makes is as private as one that a profile makes', async () => {
    const dir = join(mkdtempSync(join(tmpdir(), 'pullquote-config-')), 'pullquote')
    await saveMapping(dir, 'shop', { source: 'yelp' }, async () => {})
    assert.is(statSync(dir).mode & 0o777, 0o700)
  })

test('a saved mapping takes the place of another as a whole, so that who reads it has the one or the other', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pullquote-config-'))
  const path = await saveMapping(dir, 'shop', { source: 'yelp' }, async () => {})
  const reading = openSync(path, 'r')
  await saveMapping(dir, 'shop', { source: 'google', missing: 'hide' }, async () => {})
  assert.equal(JSON.parse(readFileSync(reading, 'utf8')), { source: 'yelp' })
  assert.equal(await loadMapping(dir, 'shop'), { source: 'google', missing: 'hide' })
  closeSync(reading)
})

test('a mapping that an editor on Windows saved is read', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pullquote-mapping-')), 'shop.json')
  writeFileSync(path, '\ufeff{"source":"yelp"}')
  assert.equal(await loadMapping('', path), { source: 'yelp' })
})

if (process.platform !== 'win32')
  test('a pipe that has a name is read once, by the import and by a push', async () => {
    const pipe = join(mkdtempSync(join(tmpdir(), 'pullquote-pipe-')), 'pipe')
    execFileSync('mkfifo', [pipe])
    const signal = new AbortController().signal
    const reporter = { info() {}, writeStderr() {}, progress: () => ({ update() {}, stop() {} }) }
    const writing = writeFile(pipe, 'date,text')
    const [input] = await resolveInputs([pipe], { fileName: undefined, keyStdin: false, signal, reporter })
    await writing
    assert.equal(
      [input?.path, input?.errorsPath, Buffer.from(input?.read?.bytes ?? []).toString()],
      [pipe, 'pipe.errors.csv', 'date,text'],
    )
    const review = { external_id: '1', source: 'custom', text: 'Warm bread.', author_name: 'Ana' }
    const pushing = writeFile(pipe, JSON.stringify({ ...review, occurred_at: '2026-01-01T00:00:00Z' }))
    const pushed = { id: '3f0c9a4e-8f55-4d0b-9a54-0f6f5b1f7f10', external_id: '1', source: 'custom', status: 'indexed' }
    const answer = () => ({ body: { reviews: [pushed] } })
    const { code, stdout } = await runAgainst(['reviews', 'push', pipe], { answer })
    await pushing
    assert.equal([code, stdout.slice(0, 15)], [0, 'Pushed 1 review'])
  })

test.run()
