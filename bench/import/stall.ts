/**
 * How long other requests wait while a server reads files of 10 MiB that were made to be a burden. A server of its own
 * with the embedded database takes each file as a dry run, while this process asks `/healthz` every 20 ms; the same is
 * measured before, with nothing to do. Exits with 1 when a request waited longer than its target and than before.
 * Needs the built package: `npm run build`.
 *
 *   npx tsx bench/import/stall.ts
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { zipSync } from 'fflate'
import * as v from 'valibot'
import { IMPORT_FILE_BYTES } from '../../src/contract/limits.ts'
import { flags, report } from '../measure.ts'
import { commandsIn } from './commands.ts'
import { sheet } from './sheet.ts'

const TARGET_MS = 200
const options = flags({ port: '18797', bytes: String(IMPORT_FILE_BYTES) })
const size = Number(options.bytes) - 1_000
const url = `http://127.0.0.1:${options.port}`
const home = mkdtempSync(join(tmpdir(), 'pullquote-bench-'))
const { start, outputOf } = commandsIn({ ...process.env, PULLQUOTE_HOME: home })

const fill = (piece: string, above = '') => piece.repeat(Math.floor((size - above.length) / piece.length))
const ALIKE = `${Array.from({ length: 1_000 }, (_, index) => `${' '.repeat(index)}text`).join()}\n`
const SKIPPED = `line,reason,${Array.from({ length: 900 }, (_, index) => `c${index}`).join()},text\n`
const row = (cell: string) => `date,text,rating\n2026-01-05,"${cell}",5\n`
const nine = Buffer.from(sheet(9_000_000, { ids: false }).csv)
const FILES: Record<string, string | Buffer> = {
  'a sheet of reviews': Buffer.from(sheet(size, { ids: false }).csv),
  'line breaks': `a,b\n${fill('\n')}`,
  'short lines': `a,b\n${fill('x\n')}`,
  'open quotes': `date,text\n${fill('"x\n')}`,
  'one cell of blanks': row(`a${fill(' ')}b`),
  'dates of blanks': `date,text\n${fill(`2026-01-05${' '.repeat(3_000)}10:00,x\n`)}`,
  'ratings of blanks': `date,text,rating\n${fill(`2026-01-05,x,4${' '.repeat(3_000)}stars\n`)}`,
  'HTML codes': row(fill('&amp;')),
  'double-encoded': row(fill('Ã©').slice(0, size / 2)),
  'Windows-1252': Buffer.concat([Buffer.from('date,text\n2026-01-05,"'), Buffer.alloc(size, 0x93), Buffer.from('"\n')]),
  'lines of two encodings': Buffer.concat([
    Buffer.from('date,text\n'),
    Buffer.from(fill('é\n').slice(0, size / 2)),
    Buffer.from([0xe9]),
  ]),
  'empty objects': `[${fill('{},')}{}]`,
  numbers: `[${fill('0,')}0]`,
  'JSON lines': fill('{"date":"2026-01-05","text":"x"}\n'),
  'lines that are no JSON': `{"a":1}\n${fill('{x\n')}`,
  'nested lists': fill('['),
  'a string without an end': `[{"text":"${fill('a')}`,
  'a heading of 10 MiB': `date,text,${fill('h')}\n2026-01-05,Good.,x\n`,
  'a thousand columns called alike': ALIKE + fill(`${'01/02/2026,'.repeat(999)}x\n`, ALIKE),
  'backslashes before quotes': `date,text\n${fill('2026-01-05,"She said \\"wow\\" twice."\n')}`,
  'backslashes without an end': `date,text\n2026-01-05,"${fill('\\"')}`,
  'skipped rows': `line,reason,date,text\n${fill('1,unreadable date,2026-01-05,Good.\n')}`,
  'skipped rows without cells': SKIPPED + fill('1,short row of three more words\n', SKIPPED),
  'skipped rows that say how they are read': `line,reason,read_as,date,text\n${fill('1,x,"{""day_first"":true}",05/01/2026,Good.\n')}`,
  'an archive of 36 MB': Buffer.from(zipSync({ 'a.csv': nine, 'b.csv': nine, 'c.csv': nine, 'd.csv': nine })),
}

/** The longest wait of requests that were sent while something went on, in milliseconds. */
async function longestWait(during: Promise<unknown>): Promise<number> {
  let longest = 0
  let over = false
  const ended = during.finally(() => {
    over = true
  })
  while (!over) {
    const from = performance.now()
    await fetch(`${url}/healthz`).then((response) => response.arrayBuffer())
    longest = Math.max(longest, performance.now() - from)
    await sleep(20)
  }
  await ended
  return Math.round(longest)
}

const isReady = () =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
await outputOf(['projects', 'create', 'bench', '--plan', 'paid'])
const server = start(['serve', '--port', options.port])
process.once('exit', () => server.kill())
while (!(await isReady())) await sleep(200)
const made = v.parse(
  v.object({ key: v.string() }),
  JSON.parse(await outputOf(['keys', 'create', '--kind', 'secret', '--env', 'test'])),
)

const idle = await longestWait(sleep(5_000))
const waits: Record<string, number> = { 'nothing to do': idle }
let failed = false
for (const [name, content] of Object.entries(FILES)) {
  const from = performance.now()
  const upload = fetch(`${url}/imports?file_name=x&dry_run=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/octet-stream' },
    body: content,
  }).then(async (response) => `${response.status} ${(await response.text()).slice(0, 120)}`)
  const wait = await longestWait(upload)
  waits[`${name} (${(await upload).slice(0, 3)}, ${Math.round((performance.now() - from) / 100) / 10} s)`] = wait
  if (wait > TARGET_MS && wait > 2 * idle) failed = true
}
const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
report(`longest wait of another request, ms (target ${TARGET_MS})`, waits)
report('the server', { 'peak memory, MB': Math.round((Number(peak ?? 0) * 1024) / 1e6) })
server.kill()
rmSync(home, { recursive: true, force: true })
if (failed) process.exitCode = 1
