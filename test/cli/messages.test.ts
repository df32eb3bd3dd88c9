import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { toCliError, toUsageError } from '../../src/cli/errors/cli-error.ts'
import { ApiError, ConnectionFailed } from '../../src/client/errors.ts'
import { shellQuote } from '../../src/contract/shell-quote.ts'
import { exampleProject } from '../client/example-answers.ts'
import { suite } from '../suite.ts'
import { refusal } from './fake-server.ts'
import { CLI, environmentOf, newHome, runAgainst, runCli, SECRET_KEY } from './run-cli.ts'
import { serve } from './serve-process.ts'

const test = suite('messages name what was typed')
const TOKEN = 'operator-token-of-the-tests'

test('findings of the server become findings about flags, and exit 2', async () => {
  const cases: [args: string[], path: string, said: RegExp][] = [
    [['query', 'x', '--since', 'yesterday'], 'filters.since', /Error: --since must be a date\.\n/],
    [['query', ''], 'q', /Error: the text must be a date\.\n/],
    [['query', 'x', '--meta', 'a=b'], 'filters.metadata.a', /--meta a must be a date/],
    [['reviews', 'list', '--since', 'yesterday'], 'since', /--since must be a date/],
    [['projects', 'create', ''], 'name', /the name must be a date/],
  ]
  for (const [args, path, said] of cases) {
    const details = [{ path, message: 'must be a date' }]
    const { code, stderr } = await runAgainst(args, {
      answer: () => refusal(422, 'validation_failed', { details }),
      env: { PULLQUOTE_KEY: SECRET_KEY, PULLQUOTE_OPERATOR_TOKEN: TOKEN },
    })
    assert.is(code, 2, args.join(' '))
    assert.match(stderr, said)
  }
})

test('a field that a server of an earlier version does not know', async () => {
  const env = { PULLQUOTE_KEY: SECRET_KEY }
  for (const path of ['filters.since', 'of_no_flag']) {
    const details = [{ path, message: 'is not a known field' }]
    const answer = () => refusal(422, 'validation_failed', { details })
    const { stderr } = await runAgainst(['query', 'x', '--since', '2026-01-01'], { answer, env })
    assert.match(stderr, /Try: an older server does not know this setting: update the server, or leave it out/)
  }
})

test('a proxy that was not asked is named where no answer came', () => {
  const real = process.env
  const { NODE_USE_ENV_PROXY: _, ...before } = real
  const hints = () => toCliError(new ConnectionFailed('https://a.example', {})).hints.join()
  try {
    process.env = { ...before, HTTPS_PROXY: 'http://proxy.example:3128' }
    assert.match(hints(), /HTTPS_PROXY was not used: to use it, also set NODE_USE_ENV_PROXY=1/)
    process.env.NODE_USE_ENV_PROXY = '1'
    assert.not.match(hints(), /PROXY/)
  } finally {
    process.env = real
  }
})

test('what the file system refuses is said in words, with the place', () => {
  const said = (code: string, fields: object) =>
    toCliError(Object.assign(new Error(`${code}: no`), { code, ...fields })).message
  assert.is(said('EROFS', { path: 'a', dest: 'b' }), 'b: that disk is read-only')
  assert.is(said('ENOENT', { path: 'a/.config', syscall: 'mkdir' }), 'a/.config: that disk is read-only')
  const link = join(newHome(), 'inbox')
  symlinkSync(join(link, '..', 'not-mounted'), link)
  assert.is(said('ENOENT', { path: link, syscall: 'mkdir' }), `${link}: it is a link to a folder that does not exist`)
  assert.is(said('ENOSPC', {}), 'the disk is full')
  assert.is(said('EACCES', {}), 'EACCES: no')
})

if (existsSync('/dev/full'))
  test('a disk that is full under standard output is an error and no stack', () => {
    const toFull = (words: string) =>
      spawnSync('sh', ['-c', `exec "$0" '${CLI}' ${words} > /dev/full`, process.execPath], {
        encoding: 'utf8',
        env: environmentOf(newHome()),
      })
    const { status, stderr } = toFull('profiles --json')
    assert.equal([status, JSON.parse(stderr).error.message], [1, 'standard output: the disk is full'])
    // bin/dev.js has oclif's own entry.
    for (const words of CLI.endsWith('run.js') ? ['--help', 'query --help', '--version'] : []) {
      const written = toFull(words)
      assert.is(written.status, 1)
      assert.match(written.stderr, /^Error: standard output: the disk is full\.\n {2}Try: .*\n$/)
    }
  })

test('an empty value, as of a variable that is not set, is refused before anything is read or moved', async () => {
  const home = newHome()
  for (const [args, name] of [
    [['watch', '', '--once'], 'FOLDER'],
    [['reviews', 'import', ''], 'FILE'],
    [['reviews', 'import', 'README.md', ''], 'FILE'],
    [['backup', ''], 'FILE'],
    [['keys', 'revoke', ''], 'ID'],
    [['places', 'search', ''], 'TEXT'],
    [['init', 'docker', '--dir', ''], '--dir'],
    [['query', 'sea', '--project', ''], '--project'],
    [['keys', 'create', '--kind', 'secret', '--env', 'live', '--name', ''], '--name'],
    [['snippet', '--no-key', '--lang', ''], '--lang'],
  ] as const) {
    const { code, stderr } = await runCli(home, [...args])
    assert.equal([args.join(' '), code, stderr], [args.join(' '), 2, `Error: ${name} must not be empty.\n`])
  }
})

test('a switch takes no value, which would be an argument beside a switch that is on', async () => {
  for (const args of [
    ['backup', '--force=false'],
    ['query', '--explain=no', 'sea'],
    ['reviews', 'import', 'a.csv', '--no-day-first=1'],
    ['query', '--json=false'],
    ['query', 'sea', '--no-progress=true'],
  ]) {
    const { code, stderr } = await runCli(newHome(), args)
    assert.is(code, 2, stderr)
    assert.match(stderr, /^Error: --[a-z-]+ takes no value\.\n {2}Try: write --/)
  }
})

test('all origins, and one more or less of them, do not go together', async () => {
  for (const [whole, part] of [
    [['--origin', 'https://a.example'], '--add-origin'],
    [['--no-origins'], '--remove-origin'],
    [['--no-origins'], '--add-origin'],
  ] as const) {
    const args = ['projects', 'set', 'hotel', ...whole, part, 'https://b.example']
    const { code, stderr } = await runCli(newHome(), args)
    assert.is(code, 2, stderr)
    assert.match(stderr, `Error: ${whole[0]} cannot be used with ${part}.`)
  }
})

test('status says why reviews wait, also for a reason that only a later server knows', async () => {
  const status = (reason: string | null, queued: number, until?: string) =>
    runAgainst(['status'], {
      answer: () => ({
        body: {
          ...{ ready: true, database: { ok: true }, model: { name: 'm', active: true }, search_memory: null },
          queue: { queued, running: queued, failing: 0, set_aside: 0, oldest_seconds: 3 },
          worker: { status: 'waiting', waiting: reason === null ? null : { reason, until } },
        },
      }),
    })
  const { stdout } = await status('daily_allowance', 20)
  assert.match(
    stdout,
    /queue +20 waiting.*\nindexing +waits: the day's allowance \(PULLQUOTE_DAILY_EMBEDDINGS\) is used up/,
  )
  assert.match((await status('full_moon', 20)).stdout, /indexing +waits: full_moon\n/)
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  assert.match(
    (await status('embedding_unavailable', 20, inMinutes(50))).stdout,
    /waits: .+; next try in (49|50) min\n/,
  )
  assert.not.match((await status('embedding_unavailable', 20, inMinutes(0.5))).stdout, 'next try')
  for (const { stdout } of [await status('daily_allowance', 0), await status(null, 20)])
    assert.not.match(stdout, 'waits')
})

test('a plan that is smaller than the project says what that means', async () => {
  const env = { PULLQUOTE_OPERATOR_TOKEN: 't'.repeat(40) }
  const set = (live: number) => {
    const body = exampleProject({ reviews: { live, test: 1 } })
    return runAgainst(['projects', 'set', 'hotel', '--plan', 'free'], { env, answer: () => ({ body }) })
  }
  const { stderr } = await set(6_000)
  assert.match(stderr, 'It has 6,001 reviews, and its plan is for 5,000: they all stay, but no new ones are stored.')
  assert.not.match((await set(4_999)).stderr, /no new ones/)
})

test('several flags that are missing are named as flags', async () => {
  const { code, stderr } = await runCli(newHome(), ['keys', 'create'])
  assert.is(code, 2)
  assert.match(stderr, /Error: --env is missing, --kind is missing\.\n/)
})

test('a name with a space is quoted in a command to copy', () => {
  assert.equal(['hotel-aurora', 'Hotel Aurora', "Joe's"].map(shellQuote), [
    'hotel-aurora',
    "'Hotel Aurora'",
    "'Joe'\\''s'",
  ])
})

test('a finding about something else than a flag stays as the server says it', () => {
  const names = { since: '--since' }
  const error = (path: string) =>
    new ApiError({ code: 'validation_failed', status: 422, message: 'm', details: [{ path, message: 'is bad' }] })
  assert.is(toUsageError(error('since'), names)?.message, '--since is bad')
  assert.is(toUsageError(error('(body)'), names), undefined)
  assert.is(toUsageError(new ApiError({ code: 'not_found', status: 404, message: 'm' }), names), undefined)
})

test('a failure on the server gets no hint of the command’s own, since the server says where its cause is', () => {
  const message = "The server's folder for temporary files, /tmp, has no room for the backup."
  assert.equal(toCliError(new ApiError({ code: 'internal', status: 500, message })).hints, [])
})

test('what the parser finds is said in words', async () => {
  const home = newHome()
  for (const [args, said] of [
    [['watch'], /Error: FOLDER is missing: folder to watch; created if it does not exist\./],
    [['query', 'sea', 'bass'], /unexpected argument "bass": put a text of several words in quotes/],
    [['query', '--limt', '3'], /there is no flag --limt\.\n {2}Try: did you mean --limit\?/],
    [['query', '--limt=3'], /there is no flag --limt=3\.\n {2}Try: did you mean --limit\?/],
    [['restore', '-old one.gz'], /Try: if it is a name .* begins with a dash: pullquote restore -- '-old one\.gz'/],
    [['restore', '--zzyzx'], /there is no flag --zzyzx\.\n {2}Try: pullquote restore --help/],
    [['query', '--limit', 'many'], /--limit must be a whole number, not "many"/],
    [['query', '--limit='], /--limit must be a whole number, not ""/],
    [['query', '--limit', '50'], /--limit must be a whole number less than or equal to 20, not 50/],
    [['query', '--mode', 'x'], /--mode=x is not one of: excerpts, reviews/],
    [['query', 'x', '--review', 'abcd'], /--review can only be used with --explain/],
    [['query', 'x', '--key', SECRET_KEY, '--key-stdin'], /--key(-stdin)? cannot be used with --key(-stdin)?/],
    [['keys', 'create', '--env', 'live'], /--kind is missing/],
    [['init', 'dockr'], /"dockr" is not one of: docker/],
  ] as const) {
    const { code, stderr } = await runCli(home, [...args])
    assert.is(code, 2, args.join(' '))
    assert.match(stderr, said)
    assert.not.match(stderr, /oclif|undefined|required arg/)
  }
})

test('an operator command that has a key only says what it needs, and how to store it', async () => {
  const home = newHome()
  const folder = join(home, 'config', 'pullquote')
  mkdirSync(folder, { recursive: true })
  const profiles = { default: 'shop', profiles: { shop: { url: 'https://shop.example', key: SECRET_KEY } } }
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify(profiles), { mode: 0o600 })
  const { code, stderr } = await runCli(home, ['projects', 'list'])
  assert.is(code, 4)
  assert.match(stderr, /needs the operator token of the server, and the profile "shop" only has a key/)
  assert.match(stderr, /pullquote login shop-operator --url https:\/\/shop\.example --operator-token-stdin/)
  assert.not.match(stderr, /on the machine where the server runs/)
})

test('a refused operator token is not called a key', async () => {
  for (const args of [
    ['projects', 'list'],
    ['backup', join(newHome(), 'b.gz')],
  ]) {
    const { code, stderr } = await runAgainst(args, {
      answer: () => refusal(401, 'unauthorized'),
      env: { PULLQUOTE_OPERATOR_TOKEN: TOKEN },
    })
    assert.is(code, 4)
    assert.match(stderr, /check PULLQUOTE_OPERATOR_TOKEN/)
    assert.not.match(stderr, /check the key/)
  }
})

test('a CSV that is pushed leads to import', async () => {
  const home = newHome()
  const file = join(home, 'reviews.csv')
  writeFileSync(file, 'text,date\nGood,2026-01-01\n')
  const { code, stderr, seen } = await runAgainst(['reviews', 'push', file], { home })
  assert.equal([code, seen.length], [1, 0])
  assert.match(stderr, /Try: to import CSV or an export from another service: pullquote reviews import .*reviews\.csv/)
})

test('a home that cannot be read is not said to be a configuration file that was named', async () => {
  const home = newHome()
  const file = join(home, 'file')
  writeFileSync(file, '')
  const { code, stderr } = await runCli(home, ['status'], { env: { PULLQUOTE_HOME: join(file, 'below') } })
  assert.is(code, 1)
  assert.match(stderr, /PULLQUOTE_HOME/)
  assert.not.match(stderr, /PULLQUOTE_CONFIG/)
})

test('watch --once is 1 when a file was not imported, and --json has a line for each', async () => {
  const home = newHome()
  const server = await serve(home)
  try {
    assert.is((await runCli(home, ['projects', 'create', 'hotel'])).code, 0)
    const inbox = join(home, 'inbox')
    mkdirSync(join(inbox, 'strange'), { recursive: true })
    writeFileSync(join(inbox, 'good.csv'), 'text,date,rating\nQuiet rooms and a good breakfast,2026-01-05,5\n')
    writeFileSync(join(inbox, 'bad.csv'), 'colour,size\nred,4\n')
    writeFileSync(join(inbox, 'strange', 'lost.csv'), 'text,date\nGood,2026-01-01\n')
    const { code, stdout, stderr } = await runCli(home, ['watch', inbox, '--once', '--json'])
    assert.is(code, 1, stderr)
    const events = stdout.trim().split('\n')
    const outcomes = Object.fromEntries(
      events.map((line) => JSON.parse(line)).map(({ file, outcome }) => [file, outcome]),
    )
    assert.equal([outcomes['good.csv'], outcomes['bad.csv'], outcomes.strange], ['imported', 'failed', 'left'])
    assert.match(stderr, /2 files not imported/)
    assert.match(stderr, /give --mapping NAME here or put the file into a folder of that name/)
    assert.ok(readdirSync(join(inbox, 'imported')).includes('good.csv'))
    const clean = join(home, 'clean')
    mkdirSync(clean)
    writeFileSync(join(clean, 'good.csv'), 'text,date,rating\nQuiet rooms and a good breakfast,2026-01-05,5\n')
    writeFileSync(join(clean, 'second.csv'), 'text,date,rating\nThe bread was still warm,2026-01-07,5\n')
    const made = await runCli(home, ['keys', 'create', '--kind', 'secret', '--env', 'live', '--json'])
    const { key } = JSON.parse(made.stdout)
    symlinkSync(clean, join(home, 'link'))
    const whole = await runCli(home, ['watch', join(home, 'link'), '--once', '--key-stdin'], { stdin: key })
    assert.is(whole.code, 0, whole.stderr)
    assert.ok(readdirSync(join(clean, 'imported')).includes('second.csv'), 'also by a link to the folder')
    const other = `${key.slice(0, -4)}0000`
    const refused = await runCli(home, ['watch', join(home, 'empty'), '--once', '--key-stdin'], { stdin: other })
    assert.is(refused.code, 4, 'before there is a file')
    // --save-mapping writes {} for a file that needs nothing said.
    const mappings = join(home, 'config', 'pullquote', 'mappings')
    mkdirSync(mappings, { recursive: true })
    writeFileSync(join(mappings, 'plain.json'), '{}')
    writeFileSync(join(mappings, 'odd.json'), '{"map":{"text":"Comment"}}')
    const plain = join(home, 'mapped', 'plain')
    mkdirSync(plain, { recursive: true })
    writeFileSync(join(plain, 'good.csv'), 'text,date,rating\nA warm welcome and quiet nights,2026-01-06,5\n')
    const mapped = await runCli(home, ['watch', join(home, 'mapped'), '--once', '--mapping', 'odd'])
    assert.is(mapped.code, 0, mapped.stderr)
    assert.ok(readdirSync(join(plain, 'imported')).includes('good.csv'), 'by the mapping of its own folder')
  } finally {
    await server.stop()
  }
})

test('a long error reaches the reader of a pipe whole, however late it reads', () => {
  const script = 'node "$0" projects list --json "$1" 2>&1 >/dev/null | (sleep 3; cat)'
  const { stdout } = spawnSync('bash', ['-c', script, CLI, 'x'.repeat(100_000)], {
    env: environmentOf(newHome()),
    encoding: 'utf8',
  })
  assert.match(JSON.parse(stdout).error.message, `unexpected argument "${'x'.repeat(100_000)}"`)
})

test.run()
