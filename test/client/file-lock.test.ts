import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { lockFile } from '../../src/client/file-lock.ts'
import { codeOf } from '../../src/contract/code-of.ts'
import { suite } from '../suite.ts'

const test = suite('the lock of a small file')
const folder = mkdtempSync(join(tmpdir(), 'pullquote-lock-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('of two who wait for the lock of a command that was killed one has it at a time', async () => {
  const path = join(folder, 'profiles.json')
  writeFileSync(`${path}.lock`, '')
  const past = Date.now() / 1000 - 60
  utimesSync(`${path}.lock`, past, past)
  const events: string[] = []
  const change = async (name: string) => {
    const release = await lockFile(path)
    events.push(`${name} begins`)
    await sleep(5)
    events.push(`${name} ends`)
    await release()
  }
  await Promise.all([change('one'), change('other')])
  const [first = ''] = events
  const [a, b] = first.startsWith('one') ? ['one', 'other'] : ['other', 'one']
  assert.equal(events, [`${a} begins`, `${a} ends`, `${b} begins`, `${b} ends`])
  assert.equal(readdirSync(folder), [])
})

test('a lock that cannot be made is not waited for', async () => {
  const outcome = await lockFile(join(folder, 'missing', 'profiles.json')).catch(codeOf)
  assert.is(outcome, 'ENOENT')
})

test.run()
