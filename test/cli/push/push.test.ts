import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { accepted, refusal, type Seen } from '../fake-server.ts'
import { SECRET_KEY } from '../run-cli.ts'
import { file, home, lines, many, push, review } from './pushing.ts'

const test = suite('pullquote reviews push')
const sizes = (seen: Seen[]) => seen.map(({ body }) => (Array.isArray(body) ? body.length : 0))

test('an array goes up in batches of 100, in order, with the key', async () => {
  const path = file('array.json', JSON.stringify(many(250), null, 2))
  const { code, stdout, seen } = await push([path, '--json'])
  assert.is(code, 0)
  assert.equal(sizes(seen), [100, 100, 50])
  assert.equal(
    seen.flatMap(({ body }) => body),
    many(250),
  )
  assert.is(seen[0]?.headers.authorization, `Bearer ${SECRET_KEY}`)
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
  assert.match(stderr, /3 of 126 records are invalid; nothing was pushed/)
  assert.match(stderr, /line 121 \(record 121, external_id "r-1"\): rating must be at most 5/)
  assert.match(stderr, /line 122 .*extra is not a known field/)
  assert.match(stderr, /line 126 .*is not JSON/)
  assert.match(stderr, /--skip-invalid/)
})

test('a file with other fields, as an export is, is one to import', async () => {
  const exported = await push([file('exported.jsonl', lines([{ ...review(1), hidden: false }]))])
  assert.match(exported.stderr, /hidden is not a known field/)
  assert.match(exported.stderr, /pullquote reviews import FILE/)
  const wrong = await push([file('wrong.jsonl', lines([review(1, { rating: 7 })]))])
  assert.match(wrong.stderr, /1 of 1 record is invalid; nothing was pushed/)
  assert.not.match(wrong.stderr, /reviews import/)
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
  assert.match(stderr, /1 record was invalid; 100 records were pushed before/)
})

test('a batch that the server finds fault with is reported by its lines', async () => {
  const answer = () => refusal(422, 'validation_failed', { details: [{ path: '1.text', message: 'must not be rude' }] })
  const { code, stderr } = await push([file('refused.jsonl', lines(many(3)))], answer)
  assert.is(code, 1)
  assert.match(stderr, /line 2 \(record 2, external_id "r-1"\): text must not be rude/)
})

test('with --skip-invalid the rest of a batch that the server finds fault with is pushed without it', async () => {
  const isRude = (record: unknown) => JSON.stringify(record).includes('rude')
  const reviews = [review(0), review(1, { text: 'How rude.' }), review(2)]
  const { code, stdout, stderr, seen } = await push(
    [file('rude.json', JSON.stringify(reviews)), '--skip-invalid'],
    (request) => {
      const at = (request.body as unknown[]).findIndex(isRude)
      if (at < 0) return accepted(request)
      return refusal(422, 'validation_failed', { details: [{ path: `${at}.text`, message: 'must not be rude' }] })
    },
  )
  assert.is(code, 0)
  assert.equal(seen.at(-1)?.body, [review(0), review(2)])
  assert.match(stdout, /Pushed 2 reviews/)
  assert.match(stderr, /Left out line 1 \(record 2, external_id "r-1"\): text must not be rude/)
})

test('nothing is pushed after a batch that the server finds fault with', async () => {
  const answer = () => refusal(422, 'validation_failed', { details: [{ path: '1.text', message: 'must not be rude' }] })
  const { code, seen } = await push([file('two.jsonl', lines(many(150)))], answer)
  assert.equal([code, sizes(seen)], [1, [100]])
})

test('an input that ends in the middle says how much of it is stored', async () => {
  const { code, stderr, seen } = await push(['-'], undefined, JSON.stringify(many(150)).slice(0, -20))
  assert.equal([code, sizes(seen)], [1, [100]])
  assert.match(stderr, /100 records were pushed before this error:/)
  assert.match(stderr, /the input ends inside the value/)
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
  assert.match(stderr, /its allowance of today is used up, or many are waiting\. You do not need to do anything/)
})

test('a missing file, a folder and a file of something else are told apart', async () => {
  assert.match((await push([join(home, 'nowhere.json')])).stderr, /there is no file/)
  assert.match((await push([home])).stderr, /is a folder/)
  assert.match((await push([file('table.csv', 'id;text\n1;x\n')])).stderr, /table\.csv: the input is not JSON/)
})

test.run()
