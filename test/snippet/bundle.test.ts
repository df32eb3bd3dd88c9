import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { buildSnippet } from '../../scripts/build-snippet.ts'
import { suite } from '../suite.ts'

const test = suite('bundle of the snippet')
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bundle-'))
const file = join(folder, 'snippet.js')
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('at most 6 KB with gzip; after a change of snippet/ run `npx tsx scripts/build-snippet.ts --names` and commit what it writes', async () => {
  const { gzip } = await buildSnippet(file)
  assert.ok(gzip <= 6 * 1024, `${gzip} bytes`)
})

test('the same source gives the same bytes, which the content hash relies on', async () => {
  await buildSnippet(file)
  const first = readFileSync(file, 'utf8')
  await buildSnippet(file)
  assert.is(readFileSync(file, 'utf8'), first)
})

test('no markup is ever parsed from text', async () => {
  await buildSnippet(file)
  assert.not.match(
    readFileSync(file, 'utf8'),
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/,
  )
})

test.run()
