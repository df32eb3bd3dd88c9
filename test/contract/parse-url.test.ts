import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { parseUrl } from '../../src/contract/parse-url.ts'
import { suite } from '../suite.ts'

const test = suite('addresses')

test('one with an umlaut is an address, however many were read before', () => {
  for (let i = 0; i < 100_000; i++) parseUrl(`https://a${i % 10}.example/`)
  assert.is(parseUrl('https://münchen.example/über')?.href, 'https://xn--mnchen-3ya.example/%C3%BCber')
  assert.is(parseUrl('ü', 'https://a.example/b')?.pathname, '/%C3%BC')
  assert.is(parseUrl('hotel'), undefined)
})

test('nothing asks URL.canParse', () => {
  const root = join(import.meta.dirname, '../..')
  const files = ['src', 'server', 'console'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const sources = files.filter((name) => name.endsWith('.ts'))
  assert.ok(sources.length > 500, `${sources.length} files`)
  assert.equal(
    sources.filter((name) => readFileSync(join(root, name), 'utf8').includes('canParse(')),
    [],
  )
})

test.run()
