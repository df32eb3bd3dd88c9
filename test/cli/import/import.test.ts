/** `reviews import` and `reviews export` against a real server on a socket. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import * as assert from 'uvu/assert'
import { importSuite, SAMPLES } from './import-suite.ts'

const { test, file, folder, freshKey, json, run } = importSuite('pullquote reviews import and export')

test('a file goes in with counts, its skipped rows beside it, and again without doubling', async () => {
  const key = await freshKey()
  const path = join(folder, 'trustpilot.csv')
  cpSync(join(SAMPLES, 'trustpilot.csv'), path)
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
  assert.match(readFileSync(errors, 'utf8'), /^\ufeffline,reason,read_as,Domain Url,[\s\S]*\(nothing to correct\)/)
  assert.type(first.seconds, 'number')
  const again = await json(key, ['import', path])
  assert.equal([again.inserted, again.updated, again.unchanged], [0, 2, 2])
  const shown = await run(key, ['import', path])
  assert.match(shown.stdout, /trustpilot\.csv → project cli-\d+, live: 0 inserted/)
  assert.match(shown.stdout, /1 × a rating without text \(nothing to correct\)/)
})

test('skipped rows are exit 1 only under --strict, and mended they go in', async () => {
  const key = await freshKey()
  const path = file('strict.csv', 'date,text\n2026-01-05,Good.\nnever,Bad day.\n')
  const strict = await run(key, ['import', path, '--strict'])
  assert.is(strict.code, 1)
  assert.match(strict.stdout, /1 inserted, 0 updated .*1 skipped/)
  assert.match(strict.stdout, /1 × a date that could not be read, as in line 3: .*"never"/)
  assert.is((await run(key, ['import', path])).code, 0)
  const errors = join(folder, 'strict.errors.csv')
  writeFileSync(errors, readFileSync(errors, 'utf8').replace(',never,', ',2026-01-06,'))
  const mended = await json(key, ['import', errors, '--strict'])
  assert.equal([mended.inserted, mended.skipped], [1, 0])
})

test('ratings of another scale are told with the flag that reads them', async () => {
  const rows = [9, 10, 7].map((rating) => `2026-01-05,${rating},The walk to the lake of ${rating} minutes.\n`)
  const path = file('of-ten.csv', `date,rating,text\n${rows.join('')}2026-01-05,8,\n2026-01-05,,\n`)
  const { stdout } = await run(await freshKey(), ['import', path])
  assert.match(stdout, /3 × a rating that could not be read, as in line 2: the rating "9" .*--rating-scale 10/)
  assert.match(stdout, /1 × no text$/m)
})

test('an errors.csv that somebody has begun to mend is kept beside the new one, whatever comes after', async () => {
  const key = await freshKey()
  const path = file('mending.csv', 'date,text\nnever,Bad.\n')
  await json(key, ['import', path])
  const errors = join(folder, 'mending.errors.csv')
  writeFileSync(errors, 'half mended')
  await json(key, ['import', path])
  await json(key, ['import', file('mending.csv', 'date,text\nsoon,Worse.\n')])
  assert.is(readFileSync(`${errors}.bak`, 'utf8'), 'half mended')
  assert.match(readFileSync(`${errors} (2).bak`, 'utf8'), /,Bad\./)
})

test('files that differ in their endings have skipped rows of their own', async () => {
  const inputs = [file('twice.csv', 'date,text\nnever,Bad.\n'), file('twice.json', '[{"date":"soon","text":"Worse."}]')]
  const { imports } = await json(await freshKey(), ['import', ...inputs])
  const errors = imports.map(({ errors_csv }: { errors_csv: string }) => readFileSync(errors_csv, 'utf8'))
  assert.match(errors[0], /,Bad\./)
  assert.match(errors[1], /,Worse\./)
})

test('where the skipped rows cannot be written, what was imported is told all the same', async () => {
  const path = file('unwritable.csv', 'date,text\n2026-01-05,Good.\nnever,Bad.\n')
  const { code, stdout, stderr } = await run(await freshKey(), [
    'import',
    path,
    '--errors',
    join(folder, 'no', 'x.csv'),
  ])
  assert.is(code, 1)
  assert.match(stdout, /1 inserted, 0 updated .*1 skipped/)
  assert.match(stderr, /The skipped rows of .*unwritable\.csv could not be kept: there is no folder /)
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

test('skipped rows of several files are named with their file, and those of a JSON list as its items', async () => {
  const key = await freshKey()
  const several = join(folder, 'several')
  mkdirSync(several)
  writeFileSync(join(several, 'a.csv'), 'id,date,text\n1,2026-01-05,One.\n2,x,Bad.\n')
  writeFileSync(
    join(several, 'b.json'),
    '[\n{"id":"3","date":"2026-01-05","text":"New."},\n{"id":"4","date":"x","text":"Bad."}]',
  )
  const dry = await run(key, ['import', several, '--dry-run'])
  assert.match(dry.stdout, /skipped: several\/a\.csv, line 3 the date "x"/)
  assert.match(dry.stdout, /skipped: several\/b\.json, item 2 the date "x"/)
  const alone = await run(key, ['import', join(several, 'b.json')])
  assert.match(alone.stdout, /1 × a date that could not be read, as in item 2: the date "x"/)
})

test('a folder and a zip of a Takeout are each one import', async () => {
  const takeout = join(folder, 'Takeout')
  mkdirSync(join(takeout, 'account-1', 'location-2'), { recursive: true })
  cpSync(join(SAMPLES, 'google-takeout.json'), join(takeout, 'account-1', 'location-2', 'reviews.json'))
  cpSync(join(SAMPLES, 'google-takeout.json'), join(takeout, 'account-1', 'location-2', 'reviews-abc.json'))
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
    /Not imported: Takeout\/more\.zip: an archive, which is not read here: import it by itself\./,
  )
  assert.match(shown.stdout, /Read Takeout\.zip\/account-1\/|Read Takeout\/account-1\//)
  const zip = file(
    'takeout.zip',
    zipSync({ 'Takeout/reviews.json': strToU8(readFileSync(join(SAMPLES, 'google-takeout.json'), 'utf8')) }),
  )
  assert.is((await json(key, ['import', zip])).unchanged, 2)
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
  assert.match(large.stderr, /may be at most/)
  assert.is((await run(key, ['import', open0(), '--file-name', 'x'])).code, 2)
})
const open0 = () => file('one.csv', 'date,text\n2026-01-05,Good.\n')

test('several files and patterns at once, added up', async () => {
  const key = await freshKey()
  const answer = await json(key, [
    'import',
    join(SAMPLES, 'shopify.csv'),
    join(SAMPLES, 'p*.json'),
    '--errors',
    join(folder, 'e.csv'),
  ]).catch(() => undefined)
  assert.is(answer, undefined)
  const both = await json(key, ['import', join(SAMPLES, 'shopify.csv'), join(SAMPLES, 'p*.json')])
  assert.is(both.inserted, 4)
  assert.is(both.imports.length, 2)
  assert.equal(
    (await json(key, ['list', '--hidden', 'true'])).reviews.map((review: { text: string }) => review.text),
    ['Arrived with a hole.'],
  )
})

test('what is exported as CSV or JSON lines goes in again to the same rows', async () => {
  const key = await freshKey()
  const names = ['shopify.csv', 'trustpilot.csv', 'google-apify.json']
  for (const name of names) cpSync(join(SAMPLES, name), join(folder, name))
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

test('reviews that a newer export has no more are named, and hidden when that is asked for', async () => {
  const key = await freshKey()
  const month = (...left: number[]) =>
    `id,date,author,text\n${[1, 2, 3, 4, 5, 6].flatMap((day) => (left.includes(day) ? [] : [`${day},2026-01-0${day},Ada ${day},Text ${day} of a stay.\n`])).join('')}`
  await json(key, ['import', file('month.csv', month())])
  const path = file('month.csv', month(4))
  const told = await run(key, ['import', path, '--dry-run'])
  assert.match(told.stdout, /Note: 1 of 6 stored reviews .* is still shown: --missing hide /)
  assert.match(told.stdout, /Missing: [0-9a-f]{8} Ada 4, 2026-01-04: “Text 4 of a stay\.”/)
  assert.is((await run(key, ['import', path, '--missing', 'hide', '--strict'])).code, 0)
  const { reviews } = await json(key, ['list', '--all', '--hidden', 'true'])
  assert.equal(
    reviews.map(({ text }: { text: string }) => text),
    ['Text 4 of a stay.'],
  )
  const part = await run(key, ['import', file('month.csv', month(2, 3, 4)), '--missing', 'hide', '--strict'])
  assert.is(part.code, 1)
  assert.match(part.stdout, /more than a third.* nothing was hidden/)
})

test.run()
