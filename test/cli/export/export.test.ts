import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { exportFormat } from '../../../src/cli/export/export-files.ts'
import { exampleReview } from '../../client/example-answers.ts'
import { suite } from '../../suite.ts'
import { type Canned, type Seen, startFakeServer } from '../fake-server.ts'
import { KEYS, noTerminal, runInTerminal } from '../in-terminal.ts'
import { newHome, runAgainst, runCli } from '../run-cli.ts'

const test = suite('pullquote reviews export')
const env = { PULLQUOTE_KEY: `svc_sk_live_${'0'.repeat(32)}` }
const home = newHome()

const review = (i: number) =>
  exampleReview({
    id: `3f0c9a4e-8f55-4d0b-9a54-${String(i).padStart(12, '0')}`,
    external_id: `g-${i}`,
    rating: 4,
    text: `Row ${i}: the sauna was hot and the lake was cold.`,
  })

const NONE_HIDDEN = { body: { reviews: [], next: null } }

/** What a server with `pages` pages of 100 reviews answers. */
function answerOf(pages = 1) {
  return ({ path, query }: Seen): Canned => {
    if (path === '/hidden-words') return NONE_HIDDEN
    const page = Number(query.get('cursor') ?? 0)
    const reviews = Array.from({ length: pages === 1 ? 2 : 100 }, (_, i) => review(page * 100 + i))
    return { body: { reviews, next_cursor: page + 1 < pages ? String(page + 1) : null } }
  }
}

async function run(args: string[], pages?: number) {
  const { seen, ...outcome } = await runAgainst(['reviews', 'export', ...args], { answer: answerOf(pages), home, env })
  return { ...outcome, requests: seen.length }
}

test('--json without a file prints the reviews', async () => {
  const { code, stdout, stderr } = await run(['--json'])
  assert.is(code, 0, stderr)
  const { reviews } = JSON.parse(stdout)
  assert.equal(
    reviews.map(({ external_id }: { external_id: string }) => external_id),
    ['g-0', 'g-1'],
  )
  assert.match(reviews[0].text, /the sauna was hot/)
})

test('sentences that are hidden are in the export, however many pages of them, and an earlier server has none', async () => {
  const exported = async (hidden: (after: string | null) => Canned) => {
    const answer = (seen: Seen) => (seen.path === '/hidden-words' ? hidden(seen.query.get('after')) : answerOf()(seen))
    const { code, stdout, stderr } = await runAgainst(['reviews', 'export', '--format', 'jsonl'], { answer, home, env })
    assert.is(code, 0, stderr)
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).hidden_words)
  }
  const page = (i: number, next: string | null) => ({
    body: { reviews: [{ id: review(i).id, words: [`row${i}`, 'thelakewascold'] }], next },
  })
  const found = await exported((after) => (after === null ? page(0, review(0).id) : page(1, null)))
  assert.equal(found, ['row0 thelakewascold', 'row1 thelakewascold'])
  const error = { code: 'not_found', message: 'No such route.', doc_url: 'http://x/errors', request_id: 'r' }
  assert.equal(await exported(() => ({ status: 404, body: { error } })), [undefined, undefined])
})

const HOSTILE = 'Good \u202e\u009b31m\u007f\u2066 lake'
const withHostile = ({ path }: Seen): Canned =>
  path === '/hidden-words' ? NONE_HIDDEN : { body: { reviews: [{ ...review(1), text: HOSTILE }], next_cursor: null } }

test('what a terminal would obey is escaped by --json, and kept as it is in a file or a pipe', async () => {
  const printed = (args: string[]) => runAgainst(['reviews', 'export', ...args], { answer: withHostile, home, env })
  const { stdout } = await printed(['--json'])
  assert.not.match(stdout, /[\u007f-\u009f\u202e\u2066]/)
  assert.is(JSON.parse(stdout).reviews[0].text, HOSTILE)
  assert.ok((await printed([])).stdout.includes(HOSTILE))
})

test('--json with a format has two meanings, and is refused', async () => {
  const { code, requests } = await run(['--json', '--format', 'csv'])
  assert.equal([code, requests], [2, 0])
})

test('the format is that of the ending, and a name that says none is refused before anything is read', async () => {
  assert.is(exportFormat('a.CSV', undefined), 'csv')
  assert.is(exportFormat('a.ndjson', undefined), 'jsonl')
  assert.is(exportFormat('rt.xml', 'csv'), 'csv')
  assert.is(exportFormat(undefined, undefined), 'csv')
  for (const [name, chosen] of [
    ['a.jsonl', 'csv'],
    ['a.csv', 'jsonl'],
    ['a.csv.gz', 'csv'],
    ['a.json', undefined],
    ['reviews', undefined],
  ] as const)
    assert.throws(() => exportFormat(name, chosen), name)
  const path = join(home, 'rt.xml')
  const { code, requests, stderr } = await run([path])
  assert.equal([code, requests, existsSync(path)], [2, 0, false])
  assert.match(stderr, /does not say in which format/)
})

test('a file that is there stays, unless --force; it can be read by its owner only', async () => {
  const path = join(home, 'kept.csv')
  writeFileSync(path, 'mine')
  const refused = await run([path])
  assert.equal([refused.code, refused.requests, readFileSync(path, 'utf8')], [2, 0, 'mine'])
  assert.match(refused.stderr, /the file .*kept\.csv already exists; nothing was written.*\n.*--force/)
  const second = join(home, 'kept.2.csv')
  writeFileSync(second, 'of a longer export')
  const replaced = await run([path, '--force'])
  assert.is(replaced.code, 0)
  assert.match(
    replaced.stderr,
    /Note: .*kept\.2\.csv is not part of this export; it is left from an earlier, longer one/,
  )
  assert.match(readFileSync(path, 'utf8'), /the sauna was hot/)
  if (process.platform !== 'win32') assert.is(statSync(path).mode & 0o777, 0o600)
})

test('a link is not followed', async () => {
  const target = join(home, 'target.csv')
  writeFileSync(target, 'not to be touched')
  symlinkSync(target, join(home, 'link.csv'))
  assert.is((await run([join(home, 'link.csv')])).code, 2)
  assert.is((await run([join(home, 'link.csv'), '--force'])).code, 0)
  assert.is(readFileSync(target, 'utf8'), 'not to be touched')
})

test('a folder that is missing is found out before anything is read', async () => {
  mkdirSync(join(home, 'folder.csv'))
  for (const [path, said] of [
    [join(home, 'no', 'such', 'a.csv'), /there is no folder .*no\/such/],
    [join(home, 'folder.csv'), /is a folder/],
  ] as const) {
    const { code, requests, stderr } = await run([path])
    assert.ok(code === 1 || code === 2)
    assert.is(requests, 0)
    assert.match(stderr, said)
  }
})

test('who stops reading, as head does, ends it quietly with 0', async () => {
  const server = await startFakeServer(answerOf(40))
  try {
    const { code, stderr } = await runCli(home, ['reviews', 'export', '--url', server.url], {
      env,
      onStart: (child) => child.stdout.once('data', () => child.stdout.destroy()),
    })
    assert.equal([code, stderr], [0, ''])
  } finally {
    await server.close()
  }
})

test('who stops reading what is said does not end the command', async () => {
  const path = join(home, 'unheard.csv')
  const server = await startFakeServer(answerOf(40))
  try {
    const { code, stdout } = await runCli(home, ['reviews', 'export', path, '--url', server.url, '--env', 'test'], {
      env: { PULLQUOTE_KEY: env.PULLQUOTE_KEY },
      onStart: (child) => child.stderr.destroy(),
    })
    assert.is(code, 2, 'the refusal is not heard, and its exit code is')
    const good = await runCli(home, ['reviews', 'export', path, '--url', server.url], {
      env,
      onStart: (child) => child.stderr.destroy(),
    })
    assert.equal([good.code, existsSync(path)], [0, true])
    assert.is(stdout, '')
  } finally {
    await server.close()
  }
})

if (noTerminal) test.skip('asks on a terminal', noTerminal)
else
  test('on a terminal the reviews are shown without what it would obey', async () => {
    const server = await startFakeServer(withHostile)
    try {
      for (const args of [[], ['--json']]) {
        const { code, shown } = await runInTerminal(home, ['reviews', 'export', ...args, '--url', server.url], [], {
          env,
        })
        assert.is(code, 0, shown)
        assert.match(shown, /Good .*lake/)
        assert.not.match(shown, /[\u007f-\u009f\u202e\u2066]/)
      }
    } finally {
      await server.close()
    }
  })

test('on a terminal it asks before it replaces a file', async () => {
  const path = join(home, 'asked.csv')
  writeFileSync(path, 'mine')
  const server = await startFakeServer(answerOf())
  const args = ['reviews', 'export', path, '--url', server.url]
  try {
    const no = await runInTerminal(home, args, [{ seen: /Replace [\s\S]*asked\.csv\?/, type: KEYS.enter }], { env })
    assert.equal([no.code, readFileSync(path, 'utf8')], [1, 'mine'], no.shown)
    const yes = await runInTerminal(home, args, [{ seen: /Replace [\s\S]*asked\.csv\?/, type: `y${KEYS.enter}` }], {
      env,
    })
    assert.is(yes.code, 0, yes.shown)
    assert.match(readFileSync(path, 'utf8'), /the sauna was hot/)
  } finally {
    await server.close()
  }
})

test.run()
