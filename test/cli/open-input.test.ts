import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdtempSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { openInput } from '../../src/cli/open-input.ts'
import { suite } from '../suite.ts'

const test = suite('a named pipe as an input')

function pipe(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'pipe-')), 'pipe')
  spawnSync('mkfifo', [path])
  return path
}

test('one that nobody writes to is let go at once', async () => {
  const path = pipe()
  const stream = await openInput(path)
  const closed = once(stream, 'close').then(() => true)
  stream.destroy()
  const late = new Promise<false>((resolve) => setTimeout(resolve, 2_000, false).unref())
  const isClosed = await Promise.race([closed, late])
  // Whoever waits in the open still is let go.
  if (!isClosed) openSync(path, 'r+')
  assert.ok(isClosed)
})

test('what somebody writes to it later is read to its end', async () => {
  const path = pipe()
  const stream = await openInput(path)
  createWriteStream(path).end('date,text')
  assert.is(await text(stream), 'date,text')
})

test.run()
