import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { accepted, refusal, type Seen, startFakeServer } from '../fake-server.ts'
import { newHome, runCli } from '../run-cli.ts'

const test = suite('pullquote reviews push')
const KEY = `svc_sk_live_${'0'.repeat(32)}`
const home = newHome()

function review(i: number, extra: object = {}) {
  return {
    external_id: `r-${i}`,
    source: 'google',
    rating: 5,
    text: `Review number ${i} is about breakfast.`,
    author_name: 'Ann',
    occurred_at: '2026-01-05T10:00:00Z',
    ...extra,
  }
}

function file(name: string, text: string): string {
  mkdirSync(home, { recursive: true })
  const path = join(home, name)
  writeFileSync(path, text)
  return path
}

const many = (count: number) => Array.from({ length: count }, (_, i) => review(i))
const lines = (reviews: object[]) => reviews.map((one) => JSON.stringify(one)).join('\n')
const sizes = (seen: Seen[]) => seen.map(({ body }) => (Array.isArray(body) ? body.length : 0))

async function push(args: string[], answer = accepted as Parameters<typeof startFakeServer>[0], stdin = '') {
  const server = await startFakeServer(answer)
  try {
    const result = await runCli(home, ['reviews', 'push', ...args, '--url', server.url], {
      env: { PULLQUOTE_KEY: KEY },
      stdin,
    })
    return { ...result, seen: server.seen }
  } finally {
    await server.close()
  }
}

test('--wait ends when all that is left is set aside, and says so', async () => {
  let looks = 0
  const { code, stderr } = await push([file('wait.json', JSON.stringify(many(1))), '--wait'], (request) => {
    if (request.method === 'POST') return accepted(request)
    if (request.path !== '/readyz') {
      return { body: { reviews: [stored], next_cursor: null } }
    }
    const queued = looks++ === 0 ? 1 : 0
    return {
      body: {
        ready: true,
        database: { ok: true },
        model: { name: 'm', active: true },
        queue: { queued, running: 0, failing: 0, set_aside: 2, oldest_seconds: 0 },
        worker: { status: 'idle' },
      },
    }
  })
  assert.is(code, 0)
  assert.match(stderr, /2 reviews on this server could not be indexed and are set aside/)
})

test('--wait waits for what was pushed, and not for what others have in the queue', async () => {
  let looks = 0
  const others = Array.from({ length: 3 }, (_, i) => ({ ...stored, id: `other-${i}` }))
  const { code, stderr } = await push([file('own.json', JSON.stringify(many(1))), '--wait'], (request) => {
    if (request.method === 'POST') return accepted(request)
    if (request.path === '/readyz') return { status: 503, body: {} }
    looks++
    return { body: { reviews: looks < 3 ? [...others, stored] : others, next_cursor: null } }
  })
  assert.is(code, 0)
  assert.is(looks, 3)
  assert.not.match(stderr, /set aside/)
})

test('an array goes up in batches of 100, in order, with the key', async () => {
  const path = file('array.json', JSON.stringify(many(250), null, 2))
  const { code, stdout, seen } = await push([path, '--json'])
  assert.is(code, 0)
  assert.equal(sizes(seen), [100, 100, 50])
  assert.equal(
    seen.flatMap(({ body }) => body),
    many(250),
  )
  assert.is(seen[0]?.headers.authorization, `Bearer ${KEY}`)
  const answer = JSON.parse(stdout)
  assert.equal([answer.pushed, answer.stored, answer.skipped, answer.deferred], [250, 250, 0, false])
})

test('JSON lines come through standard input', async () => {
  const { code, stdout, seen } = await push(['-'], undefined, lines(many(101)))
  assert.is(code, 0)
  assert.equal(sizes(seen), [100, 1])
  assert.match(stdout, /Pushed 101 reviews/)
})

test('a batch stays under 1 MiB', async () => {
  const long = Array.from({ length: 100 }, (_, i) => review(i, { text: 'ü'.repeat(19_000) }))
  const { code, seen } = await push([file('long.json', JSON.stringify(long))])
  assert.is(code, 0)
  assert.ok(seen.length > 1)
  for (const { headers } of seen) assert.ok(Number(headers['content-length']) <= 1024 * 1024)
})

test('one bad record keeps a file from being pushed, and all bad ones are named', async () => {
  const reviews = [...many(120), review(1, { rating: 7 }), review(2, { extra: 1 }), ...many(3)]
  const { code, stderr, stdout, seen } = await push([file('bad.jsonl', `${lines(reviews)}\n{"broken":\n`)])
  assert.is(code, 1)
  assert.is(stdout, '')
  assert.is(seen.length, 0)
  assert.match(stderr, /3 of 126 records are not valid; nothing was pushed/)
  assert.match(stderr, /line 121 \(record 121, external_id "r-1"\): rating must be at most 5/)
  assert.match(stderr, /line 122 .*extra is not a known field/)
  assert.match(stderr, /line 126 .*is not JSON/)
  assert.match(stderr, /--skip-invalid/)
})

test('--skip-invalid pushes the others', async () => {
  const reviews = [review(0), review(1, { rating: 7 }), review(2)]
  const { code, stderr, seen } = await push([file('skip.json', JSON.stringify(reviews)), '--skip-invalid'])
  assert.is(code, 0)
  assert.equal(seen[0]?.body, [review(0), review(2)])
  assert.match(stderr, /Left out line 1 \(record 2, external_id "r-1"\): rating must be at most 5/)
})

test('from standard input a bad record stops the pushing at its batch', async () => {
  const reviews = [...many(150), review(7, { source: 'ebay' }), ...many(300)]
  const { code, stderr, seen } = await push(['-'], undefined, lines(reviews))
  assert.is(code, 1)
  assert.equal(sizes(seen), [100])
  assert.match(stderr, /1 record was not valid; 100 records were pushed before/)
})

test('a batch that the server finds fault with is reported by its lines', async () => {
  const answer = () => refusal(422, 'validation_failed', { details: [{ path: '1.text', message: 'must not be rude' }] })
  const { code, stderr } = await push([file('refused.jsonl', lines(many(3)))], answer)
  assert.is(code, 1)
  assert.match(stderr, /line 2 \(record 2, external_id "r-1"\): text must not be rude/)
})

test('429 and 503 are waited for and tried again', async () => {
  let calls = 0
  const { code, stderr, seen } = await push([file('few.json', JSON.stringify(many(2)))], (request) => {
    calls++
    if (calls === 1) return refusal(429, 'rate_limited', { retryAfter: 1 })
    if (calls === 2) return refusal(503, 'service_unavailable', { retryAfter: 1 })
    return accepted(request)
  })
  assert.is(code, 0)
  assert.is(seen.length, 3)
  assert.match(stderr, /rate limit of the key is reached; next try in 1 s \(2 of 6\)/)
})

test('a wait of a day is not waited for', async () => {
  const { code, stderr, seen } = await push([file('few.json', JSON.stringify(many(2)))], () =>
    refusal(503, 'service_unavailable', { retryAfter: 86_400 }),
  )
  assert.is(code, 1)
  assert.is(seen.length, 1)
  assert.match(stderr, /run the same command again in 24 h/)
})

test('the review cap says what is stored and what to do', async () => {
  let calls = 0
  const { code, stderr } = await push([file('cap.json', JSON.stringify(many(150)))], (request) =>
    ++calls === 1 ? accepted(request) : refusal(422, 'review_limit_reached'),
  )
  assert.is(code, 1)
  assert.match(stderr, /100 records were pushed before/)
  assert.match(stderr, /--plan paid/)
  assert.match(stderr, /Request id: req-of-envelope/)
})

test('a deferred push says that nothing is to be done', async () => {
  const { code, stderr, stdout } = await push([file('few.json', JSON.stringify(many(2)))], (request) => {
    const answer = accepted(request)
    return { ...answer, body: { ...(answer.body as object), indexing: 'deferred' } }
  })
  assert.is(code, 0)
  assert.match(stdout, /Pushed 2 reviews/)
  assert.match(stderr, /nothing is to be done/)
})

/** Until the process has had a processor for whatever it was told, and waits again; without Linux's /proc a while. */
async function untilItSleeps(pid: number): Promise<void> {
  if (process.platform !== 'linux') return pause(5_000)
  let looks = 0
  await until(
    'it sleeps',
    async () => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const isAsleep = /^State:\s*S/m.test(status) && /^ShdPnd:\s*0+$/m.test(status)
      looks = isAsleep ? looks + 1 : 0
      return looks === 10
    },
    100,
  )
}

test('Ctrl-C finishes the batch under way, says what is stored, and exits 130', async () => {
  let interrupt = () => {}
  let pid = 0
  const server = await startFakeServer(async (request) => {
    if (server.seen.length === 2) {
      interrupt()
      // The command must have taken the signal before the answer comes.
      await untilItSleeps(pid)
    }
    return accepted(request)
  })
  const result = await runCli(
    home,
    ['reviews', 'push', file('many.json', JSON.stringify(many(500))), '--url', server.url],
    {
      env: { PULLQUOTE_KEY: KEY },
      onStart: (child) => {
        pid = child.pid ?? 0
        interrupt = () => child.kill('SIGINT')
      },
    },
  )
  await server.close()
  assert.is(result.code, 130)
  assert.is(server.seen.length, 2)
  assert.match(result.stderr, /interrupted; 200 records were pushed before/)
  assert.match(result.stderr, /run the same command again/)
})

test('--wait ends when nothing is being indexed any more', async () => {
  let polls = 0
  const { code } = await push([file('few.json', JSON.stringify(many(2))), '--wait'], (request) => {
    if (request.method === 'POST') return accepted(request)
    // A proxy may keep it to itself.
    if (request.path === '/readyz') return { status: 404, body: {} }
    polls++
    assert.is(request.query.get('indexed'), 'false')
    return { body: { reviews: polls < 3 ? [stored] : [], next_cursor: null } }
  })
  assert.is(code, 0)
  assert.is(polls, 3)
})

test('a missing file, a folder and a file of something else are told apart', async () => {
  assert.match((await push([join(home, 'nowhere.json')])).stderr, /there is no file/)
  assert.match((await push([home])).stderr, /is a folder/)
  assert.match((await push([file('table.csv', 'id;text\n1;x\n')])).stderr, /table\.csv: the input is not JSON/)
})

const stored = {
  id: 'id-0',
  external_id: 'r-0',
  source: 'google',
  rating: 5,
  text: 'x',
  author_name: 'Ann',
  author_avatar_url: null,
  occurred_at: '2026-01-05T10:00:00.000Z',
  url: null,
  language: null,
  metadata: {},
  sentiment: null,
  sentiment_source: null,
  hidden: false,
  status: 'indexing',
  created_at: '2026-01-05T10:00:00.000Z',
  updated_at: '2026-01-05T10:00:00.000Z',
}

test.run()
