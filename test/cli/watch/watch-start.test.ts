import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { newHomeWithDatabase, runCli } from '../run-cli.ts'

const test = suite('what a watch says at its start')

/** Runs a command until it has said `expected` on stderr, half a minute at most, then ends it. */
function sayingUntil(home: string, args: string[], expected: RegExp) {
  let said = ''
  return runCli(home, args, {
    onStart: (child) => {
      const timer = setTimeout(() => child.kill('SIGTERM'), 30_000)
      child.on('exit', () => clearTimeout(timer))
      child.stderr.on('data', (chunk) => {
        // Once: a second signal ends a server that is stopping at once.
        if (!expected.test(said) && expected.test(said + chunk)) child.kill('SIGTERM')
        said += chunk
      })
    },
  })
}

test('that there is no project is said before the first file, with what to do; files are kept', async () => {
  const home = await newHomeWithDatabase()
  const inbox = join(home, 'inbox')
  mkdirSync(inbox)
  const expected =
    /Not ready; files are kept and tried again later: there is no project yet \(pullquote projects create NAME\)\./
  for (const args of [
    ['watch', inbox],
    ['serve', '--port', '0', '--watch', inbox],
  ]) {
    const { code, stderr } = await sayingUntil(home, args, expected)
    assert.match(stderr, expected)
    assert.is(code, 0, stderr)
  }
  writeFileSync(join(inbox, 'a.csv'), 'text,date\nGood,2026-01-01\n')
  const once = await runCli(home, ['watch', inbox, '--once'])
  assert.is(once.code, 1)
  assert.match(once.stderr, /a\.csv is tried again later: there is no project yet \(pullquote projects create NAME\)\./)
})

test('a file in the place of the folder is refused before anything is served', async () => {
  const home = await newHomeWithDatabase()
  writeFileSync(join(home, 'inbox'), '')
  for (const args of [['watch'], ['serve', '--port', '0', '--watch']]) {
    const { code, stdout, stderr } = await runCli(home, [...args, join(home, 'inbox')])
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, /inbox is not a folder\./)
  }
})

test.run()
