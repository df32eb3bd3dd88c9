import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { downloadBackup } from '../../src/client/backup.ts'
import { ApiError } from '../../src/client/errors.ts'
import { suite } from '../suite.ts'

const test = suite('downloading a backup')
const folder = mkdtempSync(join(tmpdir(), 'pullquote-download-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const X_BACKUP = JSON.stringify({ rows: { reviews: 1 }, created_at: '2026-01-05T10:00:00.000Z' })

/** Downloads an answer of ten bytes that comes with these headers. */
async function download(headers: Record<string, string>): Promise<string> {
  const stream = async () => new Response('0123456789', { headers: { 'x-backup': X_BACKUP, ...headers } })
  const options = { signal: new AbortController().signal, replace: true }
  return downloadBackup(stream, join(folder, 'backup.jsonl.gz'), options).then(
    ({ bytes }) => `${bytes} bytes`,
    (error: unknown) => (error instanceof ApiError ? `${error.code}: ${error.message}` : String(error)),
  )
}

test('what arrives whole is the file', async () => {
  assert.is(await download({ 'content-length': '10' }), '10 bytes')
  assert.is(readFileSync(join(folder, 'backup.jsonl.gz'), 'utf8'), '0123456789')
  rmSync(join(folder, 'backup.jsonl.gz'))
})

test('one that breaks off leaves nothing', async () => {
  assert.is(await download({ 'content-length': '12' }), 'unexpected_answer: the backup broke off after 10 of 12 bytes')
  assert.equal(readdirSync(folder), [])
})

test('where a proxy lost its length, or compressed it, that is said instead of a number of bytes', async () => {
  assert.match(await download({}), /^unexpected_answer: a proxy has .* ask the server itself, without the proxy$/)
  assert.match(await download({ 'content-length': '7', 'content-encoding': 'br' }), /a proxy has compressed the backup/)
  assert.equal(readdirSync(folder), [])
})

test.run()
