import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { importSuite, SAMPLES } from './import-suite.ts'

const { test, file, freshKey, json, run } = importSuite('pullquote reviews import: how a file is read')

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
  assert.match(proven.stdout, /dates read as day\/month: 2 rows, because "23\/04\/2026" in line 3/)
  assert.equal(await days(), ['2026-02-01', '2026-04-23'])
  const open = file('open.csv', dates('03/05/2026'))
  const dry = await run(key, ['import', open, '--dry-run', '--explain'])
  assert.match(
    dry.stdout + dry.stderr,
    /dates read as month\/day: 1 row; nothing in the file says which[\s\S]*dates read as month\/day/,
  )
  assert.match((await run(key, ['import', open])).stdout, /dates read as month\/day: 1 row/)
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
  assert.match(refused.stderr, /already another mapping named odd; nothing was saved and nothing imported/)
  assert.is((await json(key, ['list'])).reviews[0].source, 'yelp')
  assert.is((await run(key, [...other, '--yes'])).code, 0)
  const near = await run(key, ['import', path, '--mapping', 'od'])
  assert.match(near.stderr, /did you mean "odd"\?/)
})

test('the day of a file counts its dates back, and is not saved with the mapping', async () => {
  const key = await freshKey()
  const path = file('ago.csv', 'date,author,text\n3 months ago,Ute,The soup was warm and good.\n')
  const first = await run(key, ['import', path, '--as-of', '2026-05-31', '--save-mapping', 'ago'])
  assert.match(first.stdout, /1 row has a day counted back from 2026-05-31/)
  assert.match(first.stderr, /without the day, which belongs to this file only/)
  const without = await run(key, ['import', path, '--mapping', 'ago'])
  assert.match(without.stdout, /does not name a day: skipped; .*--as-of/)
  const [review] = (await json(key, ['list'])).reviews
  assert.equal([review.occurred_at.slice(0, 10), review.metadata], ['2026-02-28', { date_as_written: '3 months ago' }])
})

test('a dry run saves no mapping and says so', async () => {
  const key = await freshKey()
  const path = file('tried.csv', 'date,author,text\n2026-01-05,Ute,Good bread.\n')
  const tried = await run(key, ['import', path, '--dry-run', '--save-mapping', 'tried'])
  assert.match(tried.stderr, /the mapping tried is not saved/)
  const { code, stderr } = await run(key, ['import', path, '--mapping', 'tried'])
  assert.is(code, 1)
  assert.match(stderr, /tried/)
})

test('a file of one location is given it by hand: in place of its own column, in a mapping, and for rows that are mended', async () => {
  const key = await freshKey()
  const path = file('leeds.csv', 'date,author,text,location\n2026-01-05,Ute,Good bread.,Mill St\nsoon,Jo,Warm soup.,\n')
  const errors = file('leeds.errors.csv', '')
  const set = ['--set-metadata', 'location=leeds', '--set-metadata', 'city=Leeds, UK']
  const first = await run(key, [
    'import',
    path,
    ...set,
    '--metadata',
    'location',
    '--explain',
    '--save-mapping',
    'leeds',
    '--errors',
    errors,
  ])
  assert.match(first.stderr, /metadata {2}location always leeds, city always Leeds, UK/)
  assert.match(first.stderr, /left out {2}"location"/)
  const stored = async () => (await json(key, ['list'])).reviews.map((one: { metadata: object }) => one.metadata)
  const leeds = { location: 'leeds', city: 'Leeds, UK' }
  assert.equal(await stored(), [leeds])
  writeFileSync(errors, readFileSync(errors, 'utf8').replace(',soon,', ',2026-01-06,'))
  assert.is((await json(key, ['import', errors])).inserted, 1, 'without the flag')
  assert.is((await json(key, ['import', path, '--mapping', 'leeds'])).unchanged, 1)
  assert.equal(await stored(), [leeds, leeds])
  const wrong = await run(key, ['import', path, '--set-metadata', 'leeds'])
  assert.is(wrong.code, 2)
  assert.match(wrong.stderr, /--set-metadata leeds is not KEY=VALUE/)
})

test('--explain says how a file is understood, --profile decides it', async () => {
  const key = await freshKey()
  const explained = await run(key, ['import', join(SAMPLES, 'yotpo.csv'), '--explain', '--dry-run'])
  assert.match(explained.stderr, /profile\s+yotpo .*Review Content/)
  assert.match(explained.stderr, /delimiter ";"/)
  const generic = await json(key, [
    'import',
    join(SAMPLES, 'yotpo.csv'),
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
  const path = file('explained.csv', 'date,text,source,\u001b[2Jx\n2026-01-05,Good bread.,Yelp,1\n')
  const chosen = await run(key, ['import', path, '--source', 'google', '--explain', '--dry-run'])
  assert.match(chosen.stderr, /source {4}always google/)
  assert.match(chosen.stderr, /left out {2}"\[2Jx"/, 'what moves the cursor stays in the file')
  assert.match((await run(key, ['import', path, '--explain', '--dry-run'])).stderr, /source {4}"source"/)
  const part = await run(key, ['import', path, '--profile', 'yelp'])
  assert.is(part.code, 2)
  assert.match(part.stderr, /did you mean yelp-dataset or yelp-fusion or yelp-csv\?/)
  assert.match((await run(key, ['import', path, '--profile', 'shopfy'])).stderr, /did you mean shopify\?/)
})

test('a --map or --metadata that does not fit is a wrong use of the command: exit 2', async () => {
  const key = `svc_sk_live_${'0'.repeat(32)}`
  const path = file('map.csv', 'date,text\n2026-01-02,Clean rooms\n')
  for (const [flag, value, said] of [
    ['--map', 'x', /"x" is not a mapping: write FIELD=COLUMN/],
    ['--map', 'text=Nope', /"Nope" is not a column of map\.csv\. Its columns: date, text/],
    ['--metadata', 'Nope', /"Nope" is not a column of map\.csv/],
  ] as const) {
    const { code, stderr } = await run(key, ['import', path, flag, value])
    assert.is(code, 2, stderr)
    assert.match(stderr, said)
  }
})

test.run()
