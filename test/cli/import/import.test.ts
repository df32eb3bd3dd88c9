/** `reviews import` and `reviews export` against a real server on a socket. */
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { openService, type TestService } from '../../http/service.ts'
import { openTransport, type Transport } from '../../http/transport.ts'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { type CliOptions, newHome, runCli } from '../run-cli.ts'

const test = suite('pullquote reviews import and export')
const samples = join(import.meta.dirname, '../../../templates/import/samples')
const home = newHome()
const folder = mkdtempSync(join(tmpdir(), 'pullquote-import-'))
let service: TestService
let server: Transport
let projects = 0

test.before(async () => {
  service = await openService()
  server = await openTransport('socket', service.deps)
})
test.after(async () => {
  await server.close()
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const freshKey = async () =>
  service.makeKey(await service.makeProject(`cli-${projects++}`, { plan: 'free' }), 'secret', 'live')

async function run(key: string, args: string[], options: CliOptions = {}) {
  return runCli(home, ['reviews', ...args, '--url', server.url], {
    ...options,
    env: { PULLQUOTE_KEY: key, ...options.env },
  })
}
async function json(key: string, args: string[]) {
  const { code, stdout, stderr } = await run(key, [...args, '--json'])
  assert.is(code, 0, stderr)
  return JSON.parse(stdout)
}
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('a file goes in with counts, its skipped rows beside it, and again without doubling', async () => {
  const key = await freshKey()
  const path = join(folder, 'trustpilot.csv')
  cpSync(join(samples, 'trustpilot.csv'), path)
  const first = await json(key, ['import', path])
  assert.equal([first.inserted, first.updated, first.unchanged, first.skipped], [2, 0, 0, 1])
  assert.equal(first.reasons, { rating_only: 1 })
  // A rating without a text is nothing to mend: its file is only written when it is asked for.
  assert.is(first.errors_csv, null)
  assert.not.ok(existsSync(join(folder, 'trustpilot.errors.csv')))
  assert.match(first.imports[0].project, /^cli-/)
  assert.is(first.imports[0].env, 'live')
  const errors = join(folder, 'all.csv')
  assert.is((await json(key, ['import', path, '--errors', errors, '--strict'])).errors_csv, errors)
  assert.match(readFileSync(errors, 'utf8'), /^\ufeffline,reason,Domain Url,[\s\S]*\(nothing to mend\)/)
  assert.type(first.seconds, 'number')
  const again = await json(key, ['import', path])
  assert.equal([again.inserted, again.updated, again.unchanged], [0, 2, 2])
  const shown = await run(key, ['import', path])
  assert.match(shown.stdout, /trustpilot\.csv → project cli-\d+, live: 0 inserted/)
  assert.match(shown.stdout, /1 × a rating without a text \(nothing to mend\)/)
})

test('skipped rows are exit 1 only under --strict, and mended they go in', async () => {
  const key = await freshKey()
  const path = file('strict.csv', 'date,text\n2026-01-05,Good.\nnever,Bad day.\n')
  const strict = await run(key, ['import', path, '--strict'])
  assert.is(strict.code, 1)
  assert.match(strict.stdout, /1 inserted, 0 updated .*1 skipped/)
  assert.is((await run(key, ['import', path])).code, 0)
  const errors = join(folder, 'strict.errors.csv')
  writeFileSync(errors, readFileSync(errors, 'utf8').replace(',never,', ',2026-01-06,'))
  const mended = await json(key, ['import', errors, '--strict'])
  assert.equal([mended.inserted, mended.skipped], [1, 0])
})

test('an errors.csv that somebody has begun to mend is kept beside the new one', async () => {
  const key = await freshKey()
  const path = file('mending.csv', 'date,text\nnever,Bad.\n')
  await json(key, ['import', path])
  const errors = join(folder, 'mending.errors.csv')
  writeFileSync(errors, 'half mended')
  await json(key, ['import', path])
  assert.is(readFileSync(`${errors}.bak`, 'utf8'), 'half mended')
})

test('a dry run shows new, changed, unchanged and skipped rows, and writes nothing', async () => {
  const key = await freshKey()
  await json(key, ['import', file('dry.csv', 'id,date,text\n1,2026-01-05,One.\n2,2026-01-05,Two.\n')])
  const path = file('dry2.csv', 'id,date,text\n1,2026-01-05,One.\n2,2026-01-05,Changed.\n3,2026-01-05,New.\n4,x,Bad.\n')
  const dry = await run(key, ['import', path, '--dry-run'])
  assert.match(dry.stdout, /1 new, 1 changed, 1 unchanged, 1 skipped .*Nothing was written/)
  assert.match(dry.stdout, /changed: .*Changed\./)
  assert.match(dry.stdout, /skipped: line 5 /)
  assert.not.ok(existsSync(join(folder, 'dry2.errors.csv')))
  assert.is((await json(key, ['list', '--all'])).reviews.length, 2)
})

test('a folder and a zip of a Takeout are each one import', async () => {
  const takeout = join(folder, 'Takeout')
  mkdirSync(join(takeout, 'account-1', 'location-2'), { recursive: true })
  cpSync(join(samples, 'google-takeout.json'), join(takeout, 'account-1', 'location-2', 'reviews.json'))
  cpSync(join(samples, 'google-takeout.json'), join(takeout, 'account-1', 'location-2', 'reviews-abc.json'))
  writeFileSync(join(takeout, 'notes.json'), '{"a":1}')
  writeFileSync(join(takeout, 'more.zip'), 'PK')
  const key = await freshKey()
  const merged = await json(key, ['import', takeout])
  assert.equal([merged.inserted, merged.updated, merged.skipped], [2, 2, 2])
  assert.equal(
    merged.imports[0].passed_over.map((one: { file: string; code: string }) => [one.file, one.code]),
    [
      ['Takeout/more.zip', 'nested_archive'],
      ['Takeout/notes.json', 'beside_takeout'],
    ],
  )
  const shown = await run(key, ['import', takeout])
  assert.match(
    shown.stdout,
    /Not imported: Takeout\/more\.zip: an archive inside, which is not read: import it by itself\./,
  )
  assert.match(shown.stdout, /Read Takeout\.zip\/account-1\/|Read Takeout\/account-1\//)
  const zip = file(
    'takeout.zip',
    zipSync({ 'Takeout/reviews.json': strToU8(readFileSync(join(samples, 'google-takeout.json'), 'utf8')) }),
  )
  assert.is((await json(key, ['import', zip])).unchanged, 2)
})

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
    /headings\.csv: has headings and no rows/,
    /broken\.json: breaks off in line 1: it is not whole/,
    /notes\.txt: no CSV/,
  ])
    assert.match(stdout, line)
  assert.is((await run(key, ['import', path, '--strict'])).code, 1)
  rmSync(join(path, 'good.csv'))
  const nothing = await run(key, ['import', path])
  assert.is(nothing.code, 1)
  assert.match(nothing.stderr, /could be imported|no rows/)
})

test('a file of headings only is no success', async () => {
  const { code, stderr } = await run(await freshKey(), ['import', file('headings.csv', 'date,text\n')])
  assert.is(code, 1)
  assert.match(stderr, /headings\.csv has headings and no rows/)
})

test('the order of dates is decided for the file, told, and refused where rows prove both', async () => {
  const key = await freshKey()
  const dates = (...cells: string[]) => `date,text\n${cells.map((cell, index) => `${cell},Text ${index}.\n`).join('')}`
  const days = async () =>
    (await json(key, ['list', '--all'])).reviews
      .map((one: { occurred_at: string }) => one.occurred_at.slice(0, 10))
      .sort()
  const both = await run(key, ['import', file('both.csv', dates('01/02/2026', '23/04/2026', '04/23/2026'))])
  assert.is(both.code, 1)
  assert.match(both.stderr, /--day-first or --no-day-first/)
  assert.equal(await days(), [])
  const proven = await run(key, ['import', file('proven.csv', dates('01/02/2026', '23/04/2026'))])
  assert.match(proven.stdout, /dates read as day\/month: 2 rows, as "23\/04\/2026" in line 3/)
  assert.equal(await days(), ['2026-02-01', '2026-04-23'])
  const open = file('open.csv', dates('03/05/2026'))
  const dry = await run(key, ['import', open, '--dry-run', '--explain'])
  assert.match(
    dry.stdout + dry.stderr,
    /dates read as month\/day: 1 row; nothing in the file says which[\s\S]*dates read as month\/day/,
  )
  assert.match((await run(key, ['import', open])).stdout, /dates read as month\/day: 1 row/)
})

test('standard input is imported as -, under a name', async () => {
  const key = await freshKey()
  const input = 'date,text\n2026-01-05,Good.\nnever,Bad.\n'
  const errors = join(folder, 'piped.errors.csv')
  const piped = await run(key, ['import', '-', '--file-name', join(folder, 'piped.csv')], { stdin: input })
  assert.is(piped.code, 0, piped.stderr)
  assert.match(piped.stdout, /piped\.csv → .*1 inserted/)
  assert.match(readFileSync(errors, 'utf8'), /Bad\./)
  const empty = await run(key, ['import', '-'], { stdin: '' })
  assert.is(empty.code, 1)
  assert.match(empty.stderr, /standard input is empty/)
  const large = await run(key, ['import', '-'], { stdin: 'x'.repeat(11 * 1024 * 1024) })
  assert.match(large.stderr, /may have at most/)
  assert.is((await run(key, ['import', open0(), '--file-name', 'x'])).code, 2)
})
const open0 = () => file('one.csv', 'date,text\n2026-01-05,Good.\n')

test('several files and patterns at once, added up', async () => {
  const key = await freshKey()
  const answer = await json(key, [
    'import',
    join(samples, 'shopify.csv'),
    join(samples, 'p*.json'),
    '--errors',
    join(folder, 'e.csv'),
  ]).catch(() => undefined)
  assert.is(answer, undefined)
  const both = await json(key, ['import', join(samples, 'shopify.csv'), join(samples, 'p*.json')])
  assert.is(both.inserted, 4)
  assert.is(both.imports.length, 2)
  assert.equal(
    (await json(key, ['list', '--hidden', 'true'])).reviews.map((review: { text: string }) => review.text),
    ['Arrived with a hole.'],
  )
})

test('columns are mapped, the mapping is saved, and used by its name', async () => {
  const key = await freshKey()
  const path = file('odd.csv', 'wann,was,wer\n5/1/2026,Gut und günstig und schnell.,Ute\n')
  const asked = await run(key, ['import', path])
  assert.is(asked.code, 1)
  assert.match(asked.stderr, /--map text="was" --map date="wann"/)
  const maps = ['--map', 'text=was', '--map', 'date=wann', '--map', 'author=wer']
  const saved = await json(key, ['import', path, ...maps, '--day-first', '--source', 'yelp', '--save-mapping', 'odd'])
  assert.is(saved.inserted, 1)
  assert.is((await json(key, ['import', path, '--mapping', 'odd'])).unchanged, 1)
  const [review] = (await json(key, ['list'])).reviews
  assert.equal([review.author_name, review.source, review.occurred_at.slice(0, 10)], ['Ute', 'yelp', '2026-01-05'])
  const again = ['import', path, ...maps, '--day-first', '--source', 'yelp', '--save-mapping', 'odd']
  assert.is((await run(key, again)).code, 0, 'the same mapping again replaces nothing')
  const other = ['import', path, ...maps, '--day-first', '--source', 'google', '--save-mapping', 'odd']
  const refused = await run(key, other)
  assert.is(refused.code, 2)
  assert.match(refused.stderr, /another mapping odd already; nothing was saved and nothing imported/)
  assert.is((await json(key, ['list'])).reviews[0].source, 'yelp')
  assert.is((await run(key, [...other, '--yes'])).code, 0)
  const near = await run(key, ['import', path, '--mapping', 'od'])
  assert.match(near.stderr, /did you mean "odd"\?/)
})

test('--explain says how a file is understood, --profile decides it', async () => {
  const key = await freshKey()
  const explained = await run(key, ['import', join(samples, 'yotpo.csv'), '--explain', '--dry-run'])
  assert.match(explained.stderr, /profile\s+yotpo .*Review Content/)
  assert.match(explained.stderr, /delimiter ";"/)
  const generic = await json(key, [
    'import',
    join(samples, 'yotpo.csv'),
    '--profile',
    'generic',
    '--dry-run',
    '--day-first',
  ])
  assert.is(generic.imports[0].files[0].profile, 'generic')
})

test('--format decides the format too; --profile says that it is the older way', async () => {
  const key = await freshKey()
  const path = file('formatted.csv', 'date,text\n2026-01-05,Good bread.\n')
  const format = await run(key, ['import', path, '--format', 'Generic', '--explain', '--dry-run'])
  assert.match(format.stderr, /profile\s+generic .*chosen with --format/)
  assert.not.match(format.stderr, /--profile/)
  assert.match((await run(key, ['import', path, '--profile', 'generic', '--dry-run'])).stderr, /--format generic/)
  const wrong = await run(key, ['import', path, '--format', 'shopfy'])
  assert.is(wrong.code, 2)
  assert.match(wrong.stderr, /there is no format shopfy/)
})

test('--explain names the source that was chosen, and a profile that there is not says which formats it may mean', async () => {
  const key = await freshKey()
  const path = file('explained.csv', 'date,text,source\n2026-01-05,Good bread.,Yelp\n')
  const chosen = await run(key, ['import', path, '--source', 'google', '--explain', '--dry-run'])
  assert.match(chosen.stderr, /source {4}always google/)
  assert.match((await run(key, ['import', path, '--explain', '--dry-run'])).stderr, /source {4}"source"/)
  const part = await run(key, ['import', path, '--profile', 'yelp'])
  assert.is(part.code, 2)
  assert.match(part.stderr, /did you mean yelp-dataset or yelp-fusion or yelp-csv\?/)
  assert.match((await run(key, ['import', path, '--profile', 'shopfy'])).stderr, /did you mean shopify\?/)
})

test('a file that is refused as a whole says why once', async () => {
  const days = ['25/12/2025', '12/25/2025'].map((day) => `${day},Text of ${day}.\n`).join('')
  const refused = await run(await freshKey(), ['import', file('days.csv', `date,text\n${days}`)])
  assert.is(refused.code, 1)
  assert.is(refused.stderr.split('its dates are of both orders').length, 2)
  assert.match(refused.stderr, /dates_both_orders/)
})

test('files that cannot be imported are refused before anything is sent, with what to do', async () => {
  const big = file('big.csv', Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))
  const xlsx = file('book.xlsx', zipSync({ 'xl/workbook.xml': strToU8('<x/>') }))
  const cases: [string, RegExp][] = [
    [big, /at most 10\.0 MiB.*Split it/s],
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

test('a --map or --metadata that does not fit is a wrong use of the command: exit 2', async () => {
  const key = `svc_sk_live_${'0'.repeat(32)}`
  const path = file('map.csv', 'date,text\n2026-01-02,Clean rooms\n')
  for (const [flag, value, said] of [
    ['--map', 'x', /"x" is no mapping: write FIELD=COLUMN/],
    ['--map', 'text=Nope', /"Nope" is not a column of map\.csv\. Its columns: date, text/],
    ['--metadata', 'Nope', /"Nope" is not a column of map\.csv/],
  ] as const) {
    const { code, stderr } = await run(key, ['import', path, flag, value])
    assert.is(code, 2, stderr)
    assert.match(stderr, said)
  }
})

test('the cap is checked before the first row, and says how many fit', async () => {
  const key = await freshKey()
  const rows = Array.from({ length: 5_001 }, (_, index) => `${index},2026-01-05,Text ${index}.`)
  const { code, stderr } = await run(key, ['import', file('many.csv', `id,date,text\n${rows.join('\n')}\n`)])
  assert.is(code, 1)
  assert.match(stderr, /5001 new reviews .*room for 5000 more/)
  assert.is((await json(key, ['list'])).reviews.length, 0)
})

test('Ctrl-C ends an import between two batches, and the same command finishes it', async () => {
  const key = await service.makeKey(await service.makeProject('ctrl-c', { plan: 'paid' }), 'secret', 'live')
  const rows = Array.from({ length: 6_000 }, (_, index) => `${index},2026-01-05,Text ${index}.`)
  const path = file('long.csv', `id,date,text\n${rows.join('\n')}\n`)
  const count = async () => {
    const [row] = await service.deps.sql<{ count: number }[]>`
      select count(*)::int as count from reviews where project_id = (select id from projects where name = 'ctrl-c')`
    return row?.count ?? 0
  }
  const stopped = await run(key, ['import', path], {
    // One look after the other and one signal: a second one would end the command without its last words.
    onStart: async (child) => {
      const ended = once(child, 'exit')
      await until('something is stored', async () => child.exitCode !== null || (await count()) > 0)
      // Nothing more is stored until the command has ended: others wait for the end of a transaction.
      await service.deps.sql.begin(async (tx) => {
        await tx`select 1`
        child.kill('SIGINT')
        await ended
      })
    },
  })
  assert.is(stopped.code, 130, stopped.stderr)
  assert.match(stopped.stderr, /run the same command again/)
  const stored = await count()
  assert.ok(stored > 0 && stored < 6_000, String(stored))
  const finished = await json(key, ['import', path])
  // The server may have stored the batch under way after the command had ended.
  assert.ok(finished.unchanged >= stored && finished.inserted > 0, JSON.stringify(finished))
  assert.is(finished.inserted + finished.unchanged, 6_000)
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
    ['reviews', 'import', join(samples, 'yotpo.csv'), '--url', `http://127.0.0.1:${port}`],
    { env: { PULLQUOTE_KEY: `svc_sk_live_${'0'.repeat(32)}` } },
  )
  fake.close()
  assert.is(code, 1)
  assert.match(stderr, /100 rows .*were stored before this; run the same command again/)
})

test('what is exported as CSV or JSON lines goes in again to the same rows', async () => {
  const key = await freshKey()
  const names = ['shopify.csv', 'trustpilot.csv', 'google-apify.json']
  for (const name of names) cpSync(join(samples, name), join(folder, name))
  await json(key, ['import', ...names.map((name) => join(folder, name))])
  await json(key, ['import', file('formula.csv', 'id,date,text,title\n1,2026-01-05,=1+1 is two,+x\n')])
  for (const name of ['out.csv', 'out.jsonl']) {
    const path = join(folder, name)
    const exported = await json(key, ['export', path])
    assert.equal(exported, { reviews: 6, files: [path] })
    assert.equal([(await json(key, ['import', path])).unchanged], [6])
    const other = await freshKey()
    await json(other, ['import', path])
    const strip = (reviews: Record<string, unknown>[]) =>
      reviews
        .map(({ id, created_at, updated_at, status, ...rest }) => rest)
        .sort((a, b) => String(a.external_id).localeCompare(String(b.external_id)))
    assert.equal(
      strip((await json(other, ['list', '--all'])).reviews),
      strip((await json(key, ['list', '--all'])).reviews),
    )
  }
  assert.match(readFileSync(join(folder, 'out.csv'), 'utf8'), /,'=1\+1 is two,/)
  const piped = await run(key, ['export', '--format', 'jsonl', '--source', 'trustpilot'])
  assert.is(piped.stdout.trim().split('\n').length, 2)
})

test.run()
