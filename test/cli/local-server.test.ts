import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { acquireHome } from '../../server/db/home/home-lock.ts'
import { suite } from '../suite.ts'
import { startFakeServer } from './fake-server.ts'
import { dataFolderOf, newHome, newHomeWithDatabase, runCli } from './run-cli.ts'
import { serve } from './serve-process.ts'

const test = suite('the command line beside a running server')
const sample = join(import.meta.dirname, '..', '..', 'templates', 'demo', 'reviews.json')
const home = await newHomeWithDatabase()

async function json(args: string[]) {
  const { code, stdout, stderr } = await runCli(home, [...args, '--json'])
  assert.is(code, 0, `${args.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

test('a running server is found by its lock file, and everything works against it', async () => {
  await json(['projects', 'create', 'hotel'])
  await json(['reviews', 'push', sample])
  const server = await serve(home)
  let ended: ReturnType<typeof runCli>
  try {
    const status = await json(['status'])
    assert.is(status.server, 'local-server')
    const elsewhere = await runCli(home, ['status'], { env: { DATABASE_URL: 'postgres://db.example/other' } })
    assert.is(elsewhere.code, 1)
    assert.match(elsewhere.stderr, /DATABASE_URL is not the address of the database .*unset DATABASE_URL/s)
    assert.match(status.url, /^http:\/\/127\.0\.0\.1:\d+$/)

    const { results, match } = await json(['query', 'romantic dinner by candlelight'])
    assert.is(match, 'query')
    for (const { excerpt, highlight, review } of results) {
      assert.is(review.text, undefined)
      assert.ok(excerpt.length > 0 && (highlight === null || highlight.end > highlight.start))
    }

    const explained = await json([
      'query',
      'romantic dinner by candlelight',
      '--explain',
      '--review',
      results[0].review.id,
    ])
    assert.is(explained.results[0].excerpt_id, results[0].excerpt_id)
    assert.is(explained.review.appears, true)

    const judged = join(home, 'judged.jsonl')
    const all = await json(['reviews', 'list', '--all'])
    const other = all.reviews.find(({ text }: { text: string }) => text.includes('two fast charging stations'))
    const lines = [
      { query: 'romantic dinner by candlelight', review: results[0].review.id, fits: true },
      { query: 'romantic dinner by candlelight', review: other.id, fits: false },
    ]
    writeFileSync(judged, lines.map((line) => JSON.stringify(line)).join('\n'))
    const tuned = await json(['projects', 'tune', 'hotel', judged])
    assert.equal([tuned.judgements, tuned.suggested.kept, tuned.suggested.wrong], [2, 1, 0])
    const applied = await runCli(home, ['projects', 'tune', 'hotel', judged, '--apply'])
    assert.is(applied.code, 1)
    assert.match(applied.stderr, /Too few judgements to change the floor: 28 judgements, .* needed. It stays 0\.66\./)
    assert.is((await json(['projects', 'show', 'hotel'])).similarity_floor, 0.66)

    // What is asked at the command line is no visitor's search.
    assert.is((await json(['insights'])).totals.searches, 0)

    const { findings } = await json(['doctor'])
    assert.ok(findings.some(({ check }: { check: string }) => check === 'embedding'))

    assert.is(all.reviews.length, 170)
    assert.is(all.next_cursor, null)
    const [first, second] = all.reviews
    assert.is((await json(['reviews', 'list', '--limit', '150'])).reviews.length, 150)
    assert.is((await json(['reviews', 'show', first.id])).text, first.text)
    for (const length of [8, 9, 13, 20, 35]) {
      assert.is((await json(['reviews', 'show', first.id.slice(0, length)])).id, first.id, `${length} letters`)
    }
    const unknown = await runCli(home, ['reviews', 'show', `${first.id.slice(0, -4)}zzzz`])
    assert.match(unknown.stderr, /is not the id of a review/)
    const several = await runCli(home, ['reviews', 'show', '0'])
    assert.match(several.stderr, /give at least four characters of the id/)

    assert.is((await json(['reviews', 'hide', first.id, second.id])).reviews.length, 2)
    assert.is((await json(['reviews', 'list', '--hidden', 'true'])).reviews.length, 2)
    assert.is((await json(['reviews', 'unhide', first.id])).reviews[0].hidden, false)
    assert.equal((await json(['reviews', 'delete', second.id, '--yes'])).deleted, [second.id])
    const gone = await runCli(home, ['reviews', 'show', second.id])
    assert.is(gone.code, 1)

    const made = await json([
      'keys',
      'create',
      '--project',
      'hotel',
      '--kind',
      'secret',
      '--env',
      'live',
      '--name',
      'backend',
    ])
    assert.equal(Object.keys(made).sort(), ['env', 'id', 'key', 'kind', 'project'])
    assert.equal([made.kind, made.env, made.project], ['secret', 'live', 'hotel'])
    assert.match(made.key, /^svc_sk_live_[0-9A-Za-z]{32}$/)
    const listed = await json(['keys', 'list'])
    assert.equal(
      listed.keys.map(({ id, name }: Record<string, string>) => [id === made.id, name]),
      // All commands so far, those before the server started among them, used one key between them.
      [
        [false, `commands on ${hostname()}`],
        [true, 'backend'],
      ],
    )
    assert.not.match(JSON.stringify(listed), new RegExp(made.key))
    // The successor of a key that expires does not last for ever.
    const next = await json(['keys', 'rotate', listed.keys[0].id])
    const { keys } = await json(['keys', 'list'])
    const { created_at, expires_at } = keys.find(({ id }: { id: string }) => id === next.id)
    assert.ok(Math.abs(Date.parse(expires_at) - Date.parse(created_at) - 12 * 3_600_000) < 60_000, expires_at)
    await json(['keys', 'revoke', next.id, '--yes'])

    const url = status.url
    const remote = await runCli(home, ['query', 'sauna', '--url', url, '--key-stdin', '--json'], { stdin: made.key })
    assert.is(remote.code, 0, remote.stderr)
    assert.is((await runCli(home, ['query', 'sauna', '--url', url])).code, 4)

    for (let visit = 0; visit < 2; visit++) {
      const headers = { authorization: `Bearer ${made.key}` }
      assert.is((await fetch(`${url}/v1/query?q=Candlelight%20dinner`, { headers })).status, 200)
    }

    const rotated = await json(['keys', 'rotate', made.id.slice(0, 13)])
    assert.is(rotated.replaces, made.id)
    assert.is((await json(['keys', 'revoke', made.id.slice(0, 8), '--yes'])).revoked, true)
    const refused = await runCli(home, ['query', 'sauna', '--url', url], { env: { PULLQUOTE_KEY: made.key } })
    assert.is(refused.code, 4)
    const kept = await runCli(home, ['query', 'sauna', '--url', url], { env: { PULLQUOTE_KEY: rotated.key } })
    assert.is(kept.code, 0)
  } finally {
    ended = server.stop()
  }
  const { code, stdout } = await ended
  assert.is(code, 0)
  assert.match(JSON.parse(stdout).url, /^http/)
})

test('in a copy of the folder of a running server, commands do not work on that server', async () => {
  const server = await serve(home)
  const copy = newHome()
  try {
    cpSync(dataFolderOf(home), dataFolderOf(copy), { recursive: true, filter: (path) => !path.endsWith('/run') })
    const { code, stderr } = await runCli(copy, ['reviews', 'wipe', '--env', 'live', '--yes'])
    assert.is(code, 1)
    assert.match(stderr, /is a copy of the folder on which the server at http.*delete server\.json in the copy/s)
    assert.ok((await json(['projects', 'show', 'hotel'])).reviews.live > 0)
    const second = await runCli(copy, ['serve', '--port', '0'])
    assert.match(second.stderr, /is a copy of the one that process \d+ uses, answering at http.* Delete server\.json/s)
    // Another name of the same folder is no copy.
    symlinkSync(dataFolderOf(home), join(copy, 'link'))
    const linked = await runCli(copy, ['status', '--json'], { env: { PULLQUOTE_HOME: join(copy, 'link') } })
    assert.is(JSON.parse(linked.stdout).server, 'local-server')
  } finally {
    await server.stop()
  }
  rmSync(join(dataFolderOf(copy), 'server.json'))
  const own = await runCli(copy, ['status', '--json'])
  assert.is(JSON.parse(own.stdout).server, 'in-process', own.stderr)
})

test('what was searched is counted, also when the server ended meanwhile', async () => {
  const { totals, top } = await json(['insights'])
  // Those of the command line are not among them.
  assert.is(totals.searches, 2)
  assert.equal(
    top.map(({ query }: { query: string }) => query),
    ['candlelight dinner'],
  )
  const ofTest = await runCli(home, ['insights', '--json'], { env: { PULLQUOTE_ENV: 'test' } })
  assert.is(JSON.parse(ofTest.stdout).totals.searches, 0, 'of the environment that is set')
})

test('a server that is started while a command has the database open waits for it', async () => {
  const lock = await acquireHome(join(home, 'data', 'pullquote'))
  const talk: string[] = []
  const starting = serve(home, {
    onTalk: (text) => {
      talk.push(text)
      if (talk.join('').includes('a command has the database open')) lock.release()
    },
  })
  const server = await starting.finally(() => lock.release())
  assert.match(talk.join(''), 'a command has the database open; waiting until it closes it')
  assert.is((await json(['status'])).url, server.url)
  assert.is((await server.stop()).code, 0)
})

test('after the server ended, commands open the database themselves again', async () => {
  const status = await json(['status'])
  assert.is(status.server, 'in-process')
  assert.is(status.url, null)
  assert.equal(status.projects[0].reviews, { live: 169, test: 0 })
})

test('a server that was killed is not taken for the one that answers at its address by now', async () => {
  const folder = join(home, 'data', 'pullquote')
  const lock = await acquireHome(folder)
  const file = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8'))
  await lock.release()
  const other = await startFakeServer(() => ({ body: { status: 'ok' } }))
  const { pid } = spawnSync(process.execPath, ['--version'])
  const left = { ...file, pid, started: '1', url: other.url, operatorToken: 'of-the-one-before' }
  writeFileSync(join(folder, 'server.json'), JSON.stringify(left))
  assert.is((await json(['status'])).server, 'in-process')
  assert.equal(other.seen, [])
  await other.close()
})

test.run()
