/** Uploads are read in a thread of their own: the same rows, and a server that keeps answering. */
import { gunzipSync } from 'node:zlib'
import * as assert from 'uvu/assert'
import { readImport } from '../../server/ingest/read-import.ts'
import { ImporterError } from '../../src/importer/importer-error.ts'
import type { ImportRow } from '../../src/importer/rows/row.ts'
import { prepare } from '../importer/prepared.ts'
import { suite } from '../suite.ts'

const test = suite('reading an upload')
const never = new AbortController().signal
const upload = (text: string) => ({
  ...{ name: 'x.csv', bytes: new Uint8Array(Buffer.from(text)), isZip: false, options: {} },
  now: new Date('2026-06-01T00:00:00Z'),
})
const large = `date,text,__proto__\n${'2026-01-05,Good bread.,x\n'.repeat(5_000)}1/2/2026,Café 🍞.,y\nnever,Bad.,z\n`

async function rowsOf(batches: AsyncIterable<readonly ImportRow[]>): Promise<ImportRow[]> {
  const rows: ImportRow[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

test('a thread gives what reading on the spot gives: rows, more than once, the account and errors.csv', async () => {
  const read = await readImport({ ...upload(large), options: { metadata: 'all' } }, never)
  const { rows, skipped } = await prepare(large, { metadata: 'all' }, 'x.csv')
  assert.equal(await rowsOf(read.batches(100)), rows)
  assert.is((await rowsOf(read.batches(1))).length, rows.length)
  assert.is(read.skipped, skipped.length)
  assert.equal(read.reasons, { bad_date: 1 })
  assert.match(gunzipSync(await read.errors()).toString(), /line,reason,read_as,date,text[\s\S]*never/)
  await read.close()
})

test('a refusal comes out of the thread as it went in', async () => {
  const refusal = await readImport(upload(`${'x'.repeat(1_001)},b\n${'a,b\n'.repeat(20_000)}`), never).catch(
    (error) => error,
  )
  assert.ok(refusal instanceof ImporterError)
  assert.is(refusal.code, 'header_too_long')
})

const columns = Array.from({ length: 900 }, (_, index) => `c${index}`).join(',')
const days = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2026, 0, index + 1)).toISOString().slice(0, 10))
const ways = days.map((day, index) => `${index + 2},,"{""as_of"":""${day}""}",${day},Good bread.`).join('\n')

for (const [what, text] of [
  ['a file of one long cell', `date,text\n2026-01-05,"${'&amp;é'.repeat(1_200_000)}"\n`],
  ['a small file whose rows are to be read in many ways', `line,reason,read_as,date,text,${columns}\n${ways}\n`],
] as const)
  test(`other work goes on while ${what} is read`, async () => {
    const from = performance.eventLoopUtilization()
    const read = await readImport(upload(text), never)
    const { utilization } = performance.eventLoopUtilization(from)
    await read.close()
    assert.ok(utilization < 0.5, `this thread was busy for ${Math.round(utilization * 100)} % of the time`)
  })

test('a file that takes more memory than it may is refused, and the server stays', async () => {
  const heap = { maxOldGenerationSizeMb: 28 }
  const refusal = await readImport(upload(`[${'{"a":1},'.repeat(450_000)}{"a":1}]`), never, heap).catch(
    (error) => error,
  )
  assert.ok(refusal instanceof ImporterError, String(refusal))
  assert.is(refusal.code, 'needs_memory')
})

test('a client that goes away ends the thread', async () => {
  const gone = new AbortController()
  const reading = readImport(upload(large), gone.signal)
  gone.abort()
  assert.is(
    await reading.then(
      () => 'read',
      (error: Error) => error.name,
    ),
    'AbortError',
  )
})

test.run()
