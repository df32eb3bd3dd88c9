import { closeSync, mkdtempSync, openSync, utimesSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { passesOnSomeTry, until } from '../../waiting.ts'
import { has, inPieces, watching } from './watching.ts'

const test = suite('settling of watched files')

/** Nobody waits for that long here. */
const LONG_MS = 600_000

test('a copy that is under way at the start is waited for, and --once ends after it', async () => {
  await passesOnSomeTry(async () => {
    const dir = mkdtempSync(join(tmpdir(), 'pullquote-watch-'))
    const copy = openSync(join(dir, 'slow.csv'), 'w')
    let ended = false
    let watch: ReturnType<typeof watching> | undefined
    const longest = await inPieces(10, 100, (part) => {
      writeSync(copy, `${part}\n`)
      watch ??= watching(() => assert.ok(ended), dir, 1_000)
    })
    ended = true
    closeSync(copy)
    const { folder, seen } = watch as ReturnType<typeof watching>
    if (longest < 500) {
      await folder.ready.then(() => folder.idle())
      assert.equal(
        seen.map(({ text }) => text),
        ['0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n'],
      )
    }
    await folder.close()
    return longest < 500 ? undefined : `it was left alone for ${longest} ms`
  })
})

test('a file that ends in the middle of a line is waited for longer, and imported as soon as it goes on to the end', async () => {
  const { dir, folder, seen, said } = watching(undefined, undefined, undefined, undefined, LONG_MS)
  await folder.ready
  const copy = openSync(join(dir, 'stalled.csv'), 'w')
  writeSync(copy, 'text\nfir')
  writeFileSync(join(dir, 'empty.csv'), '')
  writeFileSync(join(dir, 'allotted.csv'), 'text\nfir\0\0\0\0')
  await sleep(1_500)
  assert.equal(seen, [])
  const told = said.filter((line) => line.startsWith('stalled.csv'))
  assert.is(told.length, 1, 'once, not at each look')
  assert.match(told[0] ?? '', /without a line break.* it is imported when it has not changed for/)
  writeSync(copy, 'st\n')
  closeSync(copy)
  writeFileSync(join(dir, 'empty.csv'), 'no longer\n')
  writeFileSync(join(dir, 'allotted.csv'), 'text\nfirst\n')
  await until('all', () => seen.length === 3)
  assert.equal(seen.map(({ text }) => text).sort(), ['no longer\n', 'text\nfirst\n', 'text\nfirst\n'])
  await folder.close()
})

test('a file without a line break at its end is imported when nothing more comes, or has been there for long', async () => {
  const once = watching(undefined, undefined, undefined, undefined, 1_000)
  writeFileSync(join(once.dir, 'a.csv'), 'text\nall')
  await until('the file', () => has(once.dir, 'imported', 'a.csv'))
  await once.folder.close()
  const { dir, folder } = watching(undefined, undefined, undefined, undefined, LONG_MS)
  await folder.ready
  writeFileSync(join(dir, 'old.csv'), 'text\nall')
  utimesSync(join(dir, 'old.csv'), 1_700_000_000, 1_700_000_000)
  await until('the old file', () => has(dir, 'imported', 'old.csv'))
  await folder.close()
})

test('whole files of any kind are not waited for longer', async () => {
  const { dir, folder } = watching(undefined, undefined, undefined, undefined, LONG_MS)
  await folder.ready
  const files = {
    'a.csv': 'text\r\n',
    'utf-16.csv': Buffer.from('\ufefftext\n', 'utf16le'),
    'a.json': '[{}]',
    'a.jsonl': '{}\n{}',
    'a.xml': '<a></a>',
    'a.xlsx': zipSync({ a: Buffer.from('text') }),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  for (const name of Object.keys(files)) await until(name, () => has(dir, 'imported', name))
  await folder.close()
})

test('a newer file does not overtake one that is still waited for', async () => {
  const { dir, folder, seen } = watching(undefined, undefined, undefined, undefined, 1_500)
  await folder.ready
  writeFileSync(join(dir, 'a-older.csv'), 'text\nno line break')
  await sleep(50)
  writeFileSync(join(dir, 'newer.csv'), 'text\n')
  await until('both', () => seen.length === 2)
  assert.equal(
    seen.map(({ name }) => name),
    ['a-older.csv', 'newer.csv'],
  )
  await folder.close()
})

test.run()
