import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../suite.ts'

const test = suite('the packages that an installation gets')
const root = join(import.meta.dirname, '..', '..')
const read = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path, 'package.json'), 'utf8'))
const { dependencies } = read()
const installed = (name: string) => read('node_modules', name)

// What server/db/embedded and resilient-pool.ts know of these is no promise of theirs: PGlite 0.5.16 no longer shows the
// file system that flush.js teaches, and everyone who did not install with npm got it.
for (const name of [
  '@electric-sql/pglite',
  '@electric-sql/pglite-pgvector',
  '@electric-sql/pglite-socket',
  'postgres',
]) {
  test(`${name} comes in the very version that was tested`, () => {
    assert.is(dependencies[name], installed(name).version)
  })
}

// A minor version of @oclif/plugin-autocomplete dropped Node 20: Yarn 1 refused the whole installation on it, others warned.
for (const name of Object.keys(dependencies).filter((name) => name.startsWith('@oclif/'))) {
  test(`${name} comes in no later minor version than the one that was tested`, () => {
    assert.is(dependencies[name], `~${installed(name).version}`)
  })
}

test("the embedded database's packages are those that were made for each other", () => {
  const names = Object.keys(dependencies).filter((name) => name.startsWith('@electric-sql/'))
  for (const name of names) {
    for (const [peer, version] of Object.entries(installed(name).peerDependencies ?? {})) {
      if (names.includes(peer)) assert.is(dependencies[peer], version, `${peer}, as ${name} wants it`)
    }
  }
})

test.run()
