import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { until } from '../../waiting.ts'
import { type Canned, refusal, type Seen, startFakeServer } from '../fake-server.ts'
import { newHome, runAgainst, runCli } from '../run-cli.ts'
import { answer, excerpt } from './canned-answer.ts'

const test = suite('pullquote query')
const env = { PULLQUOTE_KEY: `svc_sk_test_${'0'.repeat(32)}` }
const home = newHome()

const MISSED = '5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10'
const missed = {
  ...answer.results[0]?.review,
  id: MISSED,
  external_id: 'g-1',
  language: null,
  sentiment: 'positive',
  sentiment_source: 'rating',
  hidden: true,
  status: 'indexed',
  created_at: '2026-01-05T10:00:00.000Z',
  updated_at: '2026-01-05T10:00:00.000Z',
}

const query = (args: string[], canned = (_: Seen): Canned => ({ body: answer })) =>
  runAgainst(['query', ...args], { answer: canned, env, home })

test('every option of the API is sent', async () => {
  const { code, seen } = await query([
    'quiet room',
    ...['--limit', '7', '--mode', 'reviews', '--include', 'text', '--fallback', 'recent', '--min-rating', '3'],
    ...['--source', 'google', '--source', 'yelp', '--since', '2026-01-01', '--meta', 'room=12', '--meta', 'a.b=c=d'],
    ...['--no-cache', '--json'],
  ])
  assert.is(code, 0)
  assert.equal(seen[0]?.body, {
    q: 'quiet room',
    limit: 7,
    mode: 'reviews',
    include: ['text'],
    fallback: 'recent',
    filters: { min_rating: 3, source: ['google', 'yelp'], since: '2026-01-01', metadata: { room: '12', 'a.b': 'c=d' } },
  })
  assert.is(seen[0]?.headers['cache-control'], 'no-cache')
})

test('an origin is sent with a publishable key, and refused beside a secret one, which no origin binds', async () => {
  const origin = ['romantic', '--origin', 'https://shop.example', '--json']
  const { code, seen } = await query([...origin, '--key', `svc_pk_live_${'0'.repeat(32)}`])
  assert.equal([code, seen[0]?.headers.origin], [0, 'https://shop.example'])
  for (const args of [origin, [...origin, '--explain']]) {
    const refused = await query(args)
    assert.equal([refused.code, refused.stdout, refused.seen.filter(({ body }) => body !== undefined)], [2, '', []])
    assert.match(refused.stderr, /--origin/)
  }
})

test('--json is the answer and nothing else', async () => {
  const { stdout, stderr } = await query(['romantic', '--json'])
  assert.equal(JSON.parse(stdout), answer)
  assert.is(stderr, '')
})

test('for people the excerpt stands marked within its review, without escape sequences', async () => {
  const { stdout, stderr } = await query(['romantic'])
  assert.match(stdout, /★★★★☆ 0\.81 · Marta K\. · 5 Jan 2026 \(.* ago\) · Google\n/)
  assert.ok(stdout.includes(`We came late. [[${excerpt}]] [31m The bill was fair.`))
  assert.not.match(stdout, /\u001b|\u0007/)
  assert.match(stderr, /1 match for “romantic” \(12 ms\)/)
})

test('the id of each review is shown, and whole reviews where they are asked for', async () => {
  const long = `${'The lake was cold. '.repeat(20)}${excerpt} ${'The bill was fair. '.repeat(20)}`.trim()
  const at = long.indexOf(excerpt)
  const [result] = answer.results
  const whole = {
    ...answer,
    results: [
      { ...result, highlight: { start: at, end: at + excerpt.length }, review: { ...result?.review, text: long } },
    ],
  }
  const plain = await query(['romantic'], () => ({ body: whole }))
  assert.match(plain.stdout, /\n {4}id id-1 · https:\/\/google\.example\/1\n/)
  assert.ok(plain.stdout.includes('… ') && plain.stdout.length < 600)
  for (const flags of [
    ['--mode', 'reviews'],
    ['--include', 'text'],
  ]) {
    const { stdout } = await query(['romantic', ...flags], () => ({ body: whole }))
    assert.ok(stdout.includes(long.replace(excerpt, `[[${excerpt}]]`)), stdout)
  }
})

test('nothing found is said on stderr, and stdout stays empty', async () => {
  const none = { ...answer, results: [], match: 'none' }
  const { code, stdout, stderr } = await query(['tax'], () => ({ body: none }))
  assert.is(code, 0)
  assert.is(stdout, '')
  assert.match(stderr, /Nothing fits “tax”/)
})

test('an answer is printed before anything else is asked about it, which is asked once', async () => {
  const excerptOfIt = 'The candles made it romantic.'
  const { code, stdout, stderr, seen } = await query(['candles'], ({ path }) =>
    path === '/v1/query' ? { body: answer } : refusal(503, 'service_unavailable', { retryAfter: 1 }),
  )
  assert.is(code, 0, stderr)
  assert.match(stdout, excerptOfIt)
  assert.not.match(stderr, /next try/)
  assert.equal(
    seen.map(({ path }) => path),
    ['/v1/query', '/v1/reviews'],
  )
})

test('an answer does not wait for a server that falls silent then', async () => {
  let printed = ''
  let asked = Number.POSITIVE_INFINITY
  let isPrintedBefore = false
  let hold = () => {}
  let resume = () => {}
  const server = await startFakeServer(async ({ path }) => {
    if (path === '/v1/query') return { body: answer }
    // What the command has printed so far arrives while it stands still.
    hold()
    isPrintedBefore = await until('the answer is printed', () => printed.includes(excerpt)).catch(() => false)
    resume()
    asked = Date.now()
    return new Promise(() => {})
  })
  const { code, stderr } = await runCli(home, ['query', 'candles', '--url', server.url], {
    env,
    onStart: (child) => {
      child.stdout.on('data', (chunk) => (printed += chunk))
      hold = () => child.kill('SIGSTOP')
      resume = () => child.kill('SIGCONT')
    },
  })
  const ended = Date.now()
  await server.close()
  assert.is(code, 0, stderr)
  assert.ok(isPrintedBefore, 'printed before the wait')
  assert.ok(ended - asked < 60_000, 'and the wait is short')
})

test('--explain tells the numbers of each result and what keeps a review away', async () => {
  const excerpt = {
    excerpt_id: 'e-1',
    review_id: 'id-1',
    excerpt: 'The candles made it romantic.',
    cosine: 0.61,
    sentence: null,
    words_matched: ['romantic'],
    words_needed: 1,
    text_rank: 0.06,
    passes_by: 'words',
    fused: 0.0328,
    place: 1,
  }
  const explained = {
    words: ['romantic'],
    floor: 0.66,
    word_tier: 0.53,
    min_rating: 4,
    limit: 5,
    results: [excerpt],
    review: {
      id: MISSED,
      appears: false,
      removed_by: [{ by: 'hidden', message: 'it is hidden' }],
      excerpts: [{ ...excerpt, passes_by: 'none', cosine: 0.2, place: null, fused: null }],
    },
  }
  const args = ['romantic', '--explain', '--review', '5f0c1f2e', '--min-rating', '5']
  const { code, stdout, stderr, seen } = await query(args, ({ path }) => {
    if (path === '/review-ids/5f0c1f2e') return { body: { ids: [MISSED] } }
    return { body: path === '/explain' ? explained : missed }
  })
  assert.is(code, 0, stderr)
  assert.equal(
    seen.map(({ path }) => path),
    ['/review-ids/5f0c1f2e', `/v1/reviews/${MISSED}`, '/explain'],
  )
  assert.equal(seen[2]?.body, { q: 'romantic', limit: 5, filters: { min_rating: 5 }, review: MISSED })
  assert.match(stdout, /passes by its words: cosine 0\.61 ≥ 0\.53 · romantic \(1 of 1 needed\)/)
  assert.match(
    stdout,
    /This review does not appear\n {2}5f0c1f2e\S+ {2}★★★★☆ Marta K\., 2026-01-05: “We came late.*”\n {2}because it is hidden/,
  )
  assert.is((await query(['romantic', '--review', MISSED])).code, 2)
})

test.run()
