import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const FOLDERS = ['bin', 'src', 'server', 'snippet', 'console', 'scripts', 'training', 'bench', 'test']
const names = new Set(
  FOLDERS.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })).map((name) =>
    basename(name),
  ),
)

const test = suite('docs/architecture.md')

test('each file and folder that it names is there', () => {
  const named = [...page.matchAll(/`([\w./-]+(?:\.(?:ts|md|sql)|\/))`/g)].map(([, name = '']) => name)
  assert.ok(named.length > 20)
  // In the course of a text a file stands without its folder.
  const lost = named.filter(
    (name) =>
      !existsSync(join(root, name)) &&
      !existsSync(join(root, 'server', name)) &&
      !(!name.includes('/') && names.has(name)),
  )
  assert.equal(lost, [])
})

test('it names the file for each of ten changes', () => {
  const [, section = ''] = page.split(/^## Ten changes.*$/m)
  const rows = section.split(/^## /m)[0]?.match(/^\| .* \| `.+/gm) ?? []
  assert.is(rows.length, 10)
})

test.run()
