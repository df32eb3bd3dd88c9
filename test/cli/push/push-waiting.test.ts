import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { accepted, refusal, startFakeServer } from '../fake-server.ts'
import { runCli, SECRET_KEY } from '../run-cli.ts'
import { file, home, many, push } from './pushing.ts'

const test = suite('pullquote reviews push: waiting')

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
  assert.match(stderr, /rate limit of the key was reached; next try in 1 s \(2 of 6\)/)
  const why = 'refused: service_unavailable'
  assert.match(stderr, `The service is not available (${why}); next try in 2 s (3 of 6).`)
})

test('a wait of a day is not waited for', async () => {
  const { code, stderr, seen } = await push([file('few.json', JSON.stringify(many(2)))], () =>
    refusal(503, 'service_unavailable', { retryAfter: 86_400 }),
  )
  assert.is(code, 1)
  assert.is(seen.length, 1)
  assert.match(stderr, /run the same command again in 24 h/)
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
      env: { PULLQUOTE_KEY: SECRET_KEY },
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
  sentiment_source: 'model',
  hidden: false,
  status: 'indexing',
  created_at: '2026-01-05T10:00:00.000Z',
  updated_at: '2026-01-05T10:00:00.000Z',
}

test.run()
