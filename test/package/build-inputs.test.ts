import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { hashBuildInputs } from '../../scripts/build-inputs.ts'
import { suite } from '../suite.ts'

const test = suite('what the build reads')

test('a source that changes, comes or goes is noticed, a time is not, nor what is no source', () => {
  const root = mkdtempSync(join(tmpdir(), 'pullquote-sources-'))
  mkdirSync(join(root, 'src', 'cli'), { recursive: true })
  const file = join(root, 'src', 'cli', 'a.ts')
  writeFileSync(file, 'one')
  const first = hashBuildInputs(root)
  utimesSync(file, 0, 0)
  writeFileSync(join(root, 'README.md'), 'other')
  assert.is(hashBuildInputs(root), first)
  writeFileSync(file, 'two')
  assert.is.not(hashBuildInputs(root), first)
  writeFileSync(file, 'one')
  writeFileSync(join(root, 'package.json'), '{}')
  assert.is.not(hashBuildInputs(root), first)
  rmSync(join(root, 'package.json'))
  assert.is(hashBuildInputs(root), first)
})

test('a start does without it where a platform has removed the tools of the build', () => {
  const root = mkdtempSync(join(tmpdir(), 'pullquote-pruned-'))
  const script = join('scripts', 'prestart.js')
  cpSync(join(import.meta.dirname, '..', '..', script), join(root, script))
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script)], { encoding: 'utf8' })
  assert.equal({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' })
  rmSync(root, { recursive: true })
})

test.run()
