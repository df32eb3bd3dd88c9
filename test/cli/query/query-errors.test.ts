import * as assert from 'uvu/assert'
import { suite } from '../../suite.ts'
import { type Canned, refusal, type Seen, startFakeServer } from '../fake-server.ts'
import { newHome, runAgainst, runCli } from '../run-cli.ts'
import { answer } from './canned-answer.ts'

const test = suite('errors of pullquote query')
const env = { PULLQUOTE_KEY: `svc_sk_test_${'0'.repeat(32)}` }
const home = newHome()

const query = (args: string[], canned = (_: Seen): Canned => ({ body: answer })) =>
  runAgainst(['query', ...args], { answer: canned, env, home })

test('a refused key is exit 4, with what to try and the request id', async () => {
  const { code, stderr, stdout } = await query(['x'], () => refusal(401, 'unauthorized'))
  assert.is(code, 4)
  assert.is(stdout, '')
  assert.match(stderr, /refused: unauthorized/)
  assert.match(stderr, /check the key/)
  assert.match(stderr, /Request id: req-of-envelope/)
})

test('findings of the server are listed', async () => {
  const details = [{ path: 'filters.since', message: 'must be YYYY-MM-DD' }]
  const { code, stderr } = await query(['x', '--since', 'monday'], () => refusal(422, 'validation_failed', { details }))
  assert.is(code, 2)
  assert.match(stderr, /--since must be YYYY-MM-DD/)
  assert.not.match(stderr, /filters/)
})

test('a finding that the message tells already is not told twice', async () => {
  const message = 'The request is not valid: that is too long.'
  const error = { code: 'validation_failed', message, details: [{ path: 'that', message: 'is too long' }] }
  const { stderr } = await query(['x'], () => ({
    status: 422,
    body: { error: { ...error, doc_url: 'http://fake/docs', request_id: 'req-1' } },
  }))
  assert.is(stderr.match(/that is too long/g)?.length, 1)
})

test('with --json an error is JSON on stderr', async () => {
  const { code, stderr, stdout } = await query(['x', '--json'], () => refusal(401, 'unauthorized'))
  assert.is(code, 4)
  assert.is(stdout, '')
  assert.is(JSON.parse(stderr).error.code, 'unauthorized')
  assert.is(JSON.parse(stderr).error.request_id, 'req-of-envelope')
})

test('what is used wrongly is exit 2, before anything is sent', async () => {
  for (const args of [
    ['x', '--limit', '21'],
    ['x', '--mode', 'words'],
    ['x', '--meta', 'novalue'],
    ['x', '--nonsense'],
    ['x', 'y'],
  ]) {
    const { code, seen } = await query(args)
    assert.is(code, 2, args.join(' '))
    assert.is(seen.length, 0)
  }
})

test('a mistyped flag or command is told what was meant', async () => {
  assert.match((await query(['x', '--fallbck', 'recent'])).stderr, /did you mean --fallback\?/)
  const { code, stderr } = await runCli(home, ['revews', 'list'])
  assert.is(code, 2)
  assert.match(stderr, /did you mean "pullquote reviews list"\?/)
})

test('an address where nothing listens says so', async () => {
  const server = await startFakeServer(() => ({}))
  await server.close()
  const { code, stderr } = await runCli(home, ['status', '--url', server.url])
  assert.is(code, 1)
  assert.match(stderr, /no answer from http.*ECONNREFUSED/)
  assert.match(stderr, /pullquote serve/)
})

test.run()
