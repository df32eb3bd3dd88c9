import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenizer } from 'acorn'
import * as assert from 'uvu/assert'
import { buildSnippet } from '../../scripts/build-snippet.ts'
import { gzipSize, withLocalNames } from '../../scripts/local-names.ts'
import { suite } from '../suite.ts'

const test = suite('bundle of the snippet')
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bundle-'))
const file = join(folder, 'snippet.js')
let gzip: number
let script: string
test.before(async () => {
  gzip = (await buildSnippet(file)).gzip
  script = readFileSync(file, 'utf8')
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('at most 6 KB with gzip; after a change of snippet/ run `npx tsx scripts/build-snippet.ts --names` and commit what it writes', () => {
  assert.ok(gzip <= 6 * 1024, `${gzip} bytes`)
})

test('the same source gives the same bytes, which the content hash relies on', async () => {
  const again = join(folder, 'again.js')
  await buildSnippet(again)
  assert.is(readFileSync(again, 'utf8'), script)
})

test('after a small change the names that were found still fit', () => {
  const { code } = JSON.parse(readFileSync(join(import.meta.dirname, '../../snippet/local-names.json'), 'utf8'))
  const changed = String(code).replace('render:', 'again:()=>1,render:')
  assert.ok(gzipSize(withLocalNames(changed)) < gzip + 40, `${gzipSize(withLocalNames(changed))} bytes`)
})

test('shorter names change no text, number or pattern of the code', () => {
  const { code } = JSON.parse(readFileSync(join(import.meta.dirname, '../../snippet/local-names.json'), 'utf8'))
  const literals = (source: string) =>
    [...tokenizer(source, { ecmaVersion: 2022 })].flatMap(({ type: { label }, start, end }) =>
      ['string', 'num', 'regexp', 'template'].includes(label) ? [source.slice(start, end)] : [],
    )
  assert.equal(literals(withLocalNames(code)).sort(), literals(code).sort())
})

test('no markup is ever parsed from text', () => {
  assert.not.match(script, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function/)
})

test.run()
