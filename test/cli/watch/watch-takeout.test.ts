import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { ImporterError } from '../../../src/importer/importer-error.ts'
import { suite } from '../../suite.ts'
import { passesOnSomeTry, until } from '../../waiting.ts'
import { has, inPieces, watching } from './watching.ts'

const test = suite('Takeouts in a watched folder')

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
  await until('both', () => has(dir, 'imported', 'Takeout') && has(dir, 'test', 'imported', 'Second'))
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
  await passesOnSomeTry(async () => {
    const { dir, folder, seen } = watching(() => {}, undefined, 1_000)
    await folder.ready
    const location = takeoutIn(join(dir, 'Takeout'), 1)
    const longest = await inPieces(7, 200, (part) => writeFileSync(join(location, `reviews-${part + 2}.json`), '{}'))
    const early = [...seen]
    await until('import', () => has(dir, 'imported', 'Takeout'))
    await folder.close()
    if (longest > 600) return `it was left alone for ${longest} ms`
    assert.equal(early, [])
    assert.is(Object.keys(unzipSync(seen[0]?.bytes ?? new Uint8Array())).length, 8)
    assert.is(seen.length, 1)
    return undefined
  })
})

test('a Takeout with a link in it is left alone, and nothing behind the link is read', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'pullquote-outside-'))
  takeoutIn(outside)
  const { dir, folder, seen, said } = watching()
  const location = takeoutIn(join(dir, 'Takeout'))
  symlinkSync(join(outside, 'Google Business Profile'), join(location, 'more'))
  symlinkSync(outside, join(dir, 'Linked'))
  await until('told', () => said.some((line) => line.startsWith('Takeout contains') && line.includes('more')))
  writeFileSync(join(dir, 'later.csv'), 'x')
  await until('a later one', () => has(dir, 'imported', 'later.csv'))
  assert.equal(
    seen.map(({ name }) => name),
    ['later.csv'],
  )
  assert.ok(has(dir, 'Takeout'))
  await folder.close()
})

test.run()
