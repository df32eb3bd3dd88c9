import * as assert from 'uvu/assert'
import { createClient } from '../../src/client/client.ts'
import { ApiError, ConnectionFailed } from '../../src/client/errors.ts'
import { PROGRESS_MEDIA_TYPE } from '../../src/contract/import.ts'
import { FILE_NAME_LENGTH } from '../../src/contract/limits.ts'
import { suite } from '../suite.ts'
import { importAnswer } from './import-answer.ts'

const test = suite('the client of uploads')

const result = importAnswer({ inserted: 2, updated: 1, unchanged: 1 })
const progress = { progress: { done: 1, total: 3, inserted: 1, updated: 0 } }
const headers = { 'content-type': PROGRESS_MEDIA_TYPE }
const lines = (...values: object[]) =>
  new Response(values.map((value) => `${JSON.stringify(value)}\n`).join(''), { headers })
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message: 'No.', doc_url: 'http://x', request_id: 'r' } }, { status, headers })

/** A client whose server gives these answers, one after the other; an error is a connection that fails. */
function client(answers: (Response | Error)[]) {
  const waits: number[] = []
  let calls = 0
  const { upload } = createClient({
    baseUrl: 'http://import.test',
    key: 'svc_sk_test_x',
    fetch: async () => {
      const answer = answers[calls++]
      if (answer instanceof Response) return answer
      throw answer ?? new Error('one call too many')
    },
    retry: {
      attempts: 3,
      longestWaitSeconds: 60,
      sleep: async (seconds) => {
        waits.push(seconds)
      },
    },
  })
  const sent = () =>
    upload({ fileName: 'a.csv', bytes: Buffer.from('x'), mapping: {}, dryRun: false }).catch((error: unknown) => error)
  return { sent, waits, calls: () => calls }
}

test('a file is read anew for each try, and sent whole', async () => {
  const bodies: string[] = []
  const { upload } = createClient({
    baseUrl: 'http://import.test',
    key: 'svc_sk_test_x',
    fetch: async (request) => {
      bodies.push(await request.text())
      return bodies.length === 1 ? refusal(503, 'service_unavailable') : lines({ result })
    },
    retry: { attempts: 3, longestWaitSeconds: 60, sleep: async () => {} },
  })
  let reads = 0
  const bytes = async () => Buffer.from(`read ${++reads}`)
  assert.equal(await upload({ fileName: 'a.csv', bytes, mapping: {}, dryRun: false }), result)
  assert.equal(bodies, ['read 1', 'read 2'])
})

test('its progress is told, and its name is sent as far as the server takes one', async () => {
  const asked: URLSearchParams[] = []
  const { upload } = createClient({
    baseUrl: 'http://import.test',
    key: 'svc_sk_test_x',
    fetch: async (request) => {
      asked.push(new URL(request.url).searchParams)
      return lines(progress, { result })
    },
  })
  const told: unknown[] = []
  const fileName = `${'a'.repeat(FILE_NAME_LENGTH)}.csv`
  const bytes = Buffer.from('x')
  await upload(
    { fileName, bytes, mapping: { text: 'Review' }, dryRun: true },
    { onProgress: (step) => told.push(step) },
  )
  assert.equal(told, [progress.progress])
  assert.equal(Object.fromEntries(asked[0] ?? []), {
    file_name: fileName.slice(4),
    mapping: '{"text":"Review"}',
    dry_run: 'true',
  })
})

test('an upload that was not begun is sent again: no connection, a server that starts or is busy, the rate limit', async () => {
  const { sent, waits, calls } = client([
    new Error('refused'),
    refusal(503, 'service_unavailable', { 'retry-after': '5' }),
    lines(progress, { result }),
  ])
  assert.equal(await sent(), result)
  assert.equal(waits, [1, 5])
  assert.is(calls(), 3)
  const limited = client([refusal(429, 'rate_limited', { 'retry-after': '30' }), lines({ result })])
  assert.equal(await limited.sent(), result)
  assert.equal(limited.waits, [30])
})

test('it gives up after its tries, and when the wait would be too long', async () => {
  const never = client([new Error('1'), new Error('2'), new Error('3'), lines({ result })])
  assert.instance(await never.sent(), ConnectionFailed)
  assert.is(never.calls(), 3)
  const long = client([refusal(429, 'rate_limited', { 'retry-after': '61' }), lines({ result })])
  assert.instance(await long.sent(), ApiError)
  assert.is(long.calls(), 1)
})

test('what the server refuses is not sent again, also when it says so at the end of the progress', async () => {
  for (const answer of [
    refusal(422, 'validation_failed'),
    lines(progress, { error: { code: 'review_limit_reached', message: 'Full.', request_id: 'r' } }),
    lines(progress, { error: { code: 'service_unavailable', message: 'Gone.', request_id: 'r' } }),
  ]) {
    const { sent, calls } = client([answer, lines({ result })])
    assert.instance(await sent(), ApiError)
    assert.is(calls(), 1)
  }
})

test('an answer that breaks off is a lost connection, never a result', async () => {
  for (const answer of [lines(progress), lines(), new Response('{"result":{"inserted":', { headers })]) {
    const { sent, calls } = client([answer])
    assert.instance(await sent(), ConnectionFailed)
    assert.is(calls(), 1)
  }
})

test('a page of another program is no import that broke off', async () => {
  for (const page of ['<html>Welcome</html>', '<html>\nWelcome\n</html>\n']) {
    const error = await client([new Response(page, { headers: { 'content-type': 'text/html' } })]).sent()
    assert.is(error instanceof ApiError && error.code, 'unexpected_answer')
  }
})

test.run()
