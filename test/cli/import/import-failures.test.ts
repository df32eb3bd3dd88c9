import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { until } from '../../waiting.ts'
import { runCli } from '../run-cli.ts'
import { importSuite, SAMPLES } from './import-suite.ts'

const stage = importSuite('pullquote reviews import: what does not go in')
const { test, file, folder, freshKey, home, json, run } = stage

test('a folder with an empty file, one of headings and a broken one imports the rest and names each', async () => {
  const path = join(folder, 'mixed')
  mkdirSync(path)
  writeFileSync(join(path, 'good.csv'), 'date,text\n2026-01-05,Good.\n')
  writeFileSync(join(path, 'empty.csv'), '')
  writeFileSync(join(path, 'headings.csv'), 'date,text\n')
  writeFileSync(join(path, 'broken.json'), '[{"date":')
  writeFileSync(join(path, 'notes.txt'), 'hello')
  const key = await freshKey()
  const { code, stdout } = await run(key, ['import', path])
  assert.is(code, 0)
  assert.match(stdout, /1 inserted/)
  for (const line of [
    /empty\.csv: is empty/,
    /headings\.csv: has headings but no rows/,
    /broken\.json: breaks off in line 1: it is incomplete/,
    /notes\.txt: not a CSV/,
  ])
    assert.match(stdout, line)
  assert.is((await run(key, ['import', path, '--strict'])).code, 1)
  rmSync(join(path, 'good.csv'))
  const nothing = await run(key, ['import', path])
  assert.is(nothing.code, 1)
  assert.match(nothing.stderr, /could be imported|no rows/)
})

test('a file or folder whose name is not in UTF-8 is told as such', async () => {
  // Others' file systems know no such names.
  if (process.platform !== 'linux') return
  const named = (name: Buffer) => Buffer.concat([Buffer.from(`${join(folder, 'old-names')}/`), name])
  mkdirSync(join(folder, 'old-names'))
  const key = await freshKey()
  for (const name of [Buffer.from('m\xe4rz.csv', 'latin1'), Buffer.from('m\xe4rz', 'latin1')]) {
    if (name.includes('.')) writeFileSync(named(name), 'date,text\n2026-01-05,Good.\n')
    else mkdirSync(named(name))
    const { code, stderr } = await run(key, ['import', join(folder, 'old-names')])
    assert.is(code, 1)
    assert.match(stderr, /m\ufffdrz.*its name is not in UTF-8.*rename it/s)
    rmSync(named(name), { recursive: true })
  }
  const { stderr } = await run(key, ['import', join(folder, 'm\ufffdrz.csv')])
  assert.match(stderr, /there is no file .*its name is not in UTF-8/s)
})

test('a file of headings only is no success', async () => {
  const { code, stderr } = await run(await freshKey(), ['import', file('headings.csv', 'date,text\n')])
  assert.is(code, 1)
  assert.match(stderr, /headings\.csv has headings but no rows/)
})

test('a file that is refused as a whole says why once', async () => {
  const days = ['25/12/2025', '12/25/2025'].map((day) => `${day},Text of ${day}.\n`).join('')
  const refused = await run(await freshKey(), ['import', file('days.csv', `date,text\n${days}`)])
  assert.is(refused.code, 1)
  assert.is(refused.stderr.split('its dates are in both orders').length, 2)
  assert.match(refused.stderr, /dates_both_orders/)
})

test('files that cannot be imported are refused before anything is sent, with what to do', async () => {
  const big = file('big.csv', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))
  const bigger = file('bigger.csv', Buffer.alloc(11 * 1024 * 1024, 'a'))
  const xlsx = file('book.xlsb', zipSync({ 'xl/workbook.bin': strToU8('x') }))
  const cases: [string, RegExp][] = [
    [big, /is 10,485,761 bytes; .*at most 10,485,760 bytes.*Split it/s],
    [bigger, /is 11\.0 MiB; .*at most 10\.0 MiB/s],
    [xlsx, /Excel workbook.*CSV UTF-8/s],
    [join(folder, 'nothing.csv'), /there is no file/],
    [join(folder, 'no*match.csv'), /no file matches/],
  ]
  for (const [path, message] of cases) {
    // Nothing listens there: a refusal that came from a server would say so.
    const { code, stderr } = await runCli(home, ['reviews', 'import', path, '--url', 'http://127.0.0.1:9'], {
      env: { PULLQUOTE_KEY: `svc_sk_live_${'0'.repeat(32)}` },
    })
    assert.is(code, 1)
    assert.match(stderr, message)
  }
})

test('the cap is checked before the first row, and says how many fit', async () => {
  const key = await freshKey()
  const rows = Array.from({ length: 5_001 }, (_, index) => `${index},2026-01-05,Text ${index}.`)
  const many = file('many.csv', `id,date,text\n${rows.join('\n')}\n`)
  const { code, stderr } = await run(key, ['import', many])
  assert.is(code, 1)
  assert.match(stderr, /5001 new reviews, .*room for 5000 more/)
  assert.is((await json(key, ['list'])).reviews.length, 0)
  const behind = await run(key, ['import', file('one.csv', 'date,text\n2026-01-05,Good.\n'), many])
  assert.match(behind.stderr, /many\.csv was not imported completely; 1 of 2 inputs were/)
})

test('Ctrl-C ends an import between two batches, and the same command finishes it', async () => {
  const key = await stage.service.makeKey(await stage.service.makeProject('ctrl-c', { plan: 'paid' }), 'secret', 'live')
  const rows = Array.from({ length: 3_000 }, (_, index) => `${index},2026-01-05,Text ${index}.`)
  const path = file('long.csv', `id,date,text\n${rows.join('\n')}\n`)
  const count = async () => {
    const [row] = await stage.service.deps.sql<{ count: number }[]>`
      select count(*)::int as count from reviews where project_id = (select id from projects where name = 'ctrl-c')`
    return row?.count ?? 0
  }
  const stopped = await run(key, ['import', path], {
    // One look after the other and one signal: a second one would end the command without its last words.
    onStart: async (child) => {
      const ended = once(child, 'exit')
      await until('something is stored', async () => child.exitCode !== null || (await count()) > 0)
      // Nothing more is stored until the command has ended: others wait for the end of a transaction.
      await stage.service.deps.sql.begin(async (tx) => {
        await tx`select 1`
        child.kill('SIGINT')
        await ended
      })
    },
  })
  assert.is(stopped.code, 130, stopped.stderr)
  assert.match(stopped.stderr, /run the same command again/)
  const stored = await count()
  assert.ok(stored > 0 && stored < 3_000, String(stored))
  const finished = await json(key, ['import', path])
  // The server may have stored the batch under way after the command had ended.
  assert.ok(finished.unchanged >= stored && finished.inserted > 0, JSON.stringify(finished))
  assert.is(finished.inserted + finished.unchanged, 3_000)
})

test('an answer that breaks off is an error that says how to go on', async () => {
  const fake = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      response.end('{"progress":{"done":100,"total":300,"inserted":100,"updated":0}}\n')
    })
  }).listen(0)
  await once(fake, 'listening')
  const { port } = fake.address() as AddressInfo
  const { code, stderr } = await runCli(
    home,
    ['reviews', 'import', join(SAMPLES, 'yotpo.csv'), '--url', `http://127.0.0.1:${port}`],
    { env: { PULLQUOTE_KEY: `svc_sk_live_${'0'.repeat(32)}` } },
  )
  fake.close()
  assert.is(code, 1)
  assert.match(stderr, /100 rows .*were stored before that; run the same command again/)
})

test.run()
