/** The fuzzing bench notices what it is for. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { readDescription } from '../../bench/fuzz/description.ts'
import { makeHeavy } from '../../bench/fuzz/heavy.ts'
import { type Answer, createSender } from '../../bench/fuzz/http.ts'
import { Journal } from '../../bench/fuzz/journal.ts'
import { judged } from '../../bench/fuzz/judge.ts'
import { Random } from '../../bench/fuzz/random.ts'
import { makeRaw, sendRaw } from '../../bench/fuzz/raw.ts'
import { ACCESSES, type Credentials, makeRequest } from '../../bench/fuzz/requests.ts'
import { openApiDocument } from '../../server/openapi/document.ts'
import { describedRoutes } from '../http/described-routes.ts'
import { suite } from '../suite.ts'

const test = suite('the fuzzing bench')

const keys: Credentials = { secret: ['s'], publishable: ['p'], revoked: ['r'], operator: 'o' }
const known = () => ({ ids: [], cursors: [], imports: [] })
const description = readDescription(JSON.parse(JSON.stringify(openApiDocument(describedRoutes(), 'http://x', '1'))))

function refusal(status: number, code: string, headers: Record<string, string> = {}): Answer {
  const error = { code, message: 'm', doc_url: 'http://x/errors', request_id: 'id-1' }
  return { status, headers: { 'x-request-id': 'id-1', ...headers }, body: Buffer.from(JSON.stringify({ error })) }
}

test('an answer that is not of the contract is a finding', () => {
  const described = new Set([200, 401])
  assert.is(judged(refusal(401, 'unauthorized'), 'GET', described), undefined)
  assert.is(judged({ ...refusal(401, 'unauthorized'), headers: {} }, 'GET'), '401 without x-request-id')
  assert.is(judged(refusal(401, 'forbidden'), 'GET'), '401 says forbidden')
  assert.is(judged(refusal(422, 'validation_failed'), 'GET', described), 'status 422 is not described')
  assert.is(
    judged({ ...refusal(413, 'payload_too_large'), body: Buffer.from('no') }, 'GET'),
    '413 without the envelope',
  )
  assert.is(judged(refusal(503, 'service_unavailable'), 'GET'), '503 without Retry-After')
  assert.is(judged(refusal(503, 'service_unavailable', { 'retry-after': '5' }), 'GET', described), undefined)
  assert.is(judged(refusal(500, 'internal'), 'GET', new Set([500])), '500')
  assert.is(judged({ ...refusal(500, 'internal'), body: Buffer.alloc(0) }, 'HEAD'), '500')
})

async function against<T>(listener: RequestListener, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const BYTES = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
const raw = { name: 'odd', access: 'none', parts: [BYTES], ending: 'waits', answered: true } as const

test('a 500 on a raw socket is one, whether its length is told or not', async () => {
  for (const headers of [{ 'content-length': '2' }, {}]) {
    const fault = await against(
      (_request, response) => response.writeHead(500, { 'x-request-id': 'a', ...headers }).end('{}'),
      (url) => sendRaw({ ...raw, parts: [BYTES] }, url),
    )
    assert.is(fault, '500')
  }
})

test('a connection that is cut before its answer is one', async () => {
  const cut: RequestListener = (_request, response) => response.destroy()
  assert.is(await against(cut, (url) => sendRaw({ ...raw, parts: [BYTES] }, url)), 'no answer')
  const sent = makeRequest(new Random(1), description, keys, known())
  const answer = await against(cut, async (url) => {
    const sender = createSender(url, 1)
    const got = await sender.send({ ...sent, headers: {} })
    sender.close()
    return got
  })
  assert.is(answer, 'broken off')
})

test('the same seed makes the same requests, of every operation and every kind of access', () => {
  const all = (seed: number) =>
    Array.from({ length: 3_000 }, (_, n) => makeRequest(new Random(seed + n), description, keys, known()))
  const [first, again] = [all(1), all(1)]
  assert.equal(
    first.map((one) => [one.method, one.target, one.body?.toString('latin1')]),
    again.map((one) => [one.method, one.target, one.body?.toString('latin1')]),
  )
  assert.equal(
    description.operations.map(({ name }) => name).filter((name) => !first.some((one) => one.operation === name)),
    [],
  )
  assert.equal(
    ACCESSES.filter((access) => !first.some((one) => one.access === access)),
    [],
  )
  assert.equal(makeRaw(new Random(3), keys), makeRaw(new Random(3), keys))
})

test('the largest requests come in turns and are as large as they may be', () => {
  const random = new Random(5)
  const made = Array.from({ length: 44 }, (_, turn) => makeHeavy(random, keys, turn))
  assert.ok(made.some(({ body }) => (body?.length ?? 0) > 9_000_000))
  assert.ok(made.some(({ target }) => target.length > 200_000))
  assert.ok(new Set(made.map(({ operation }) => operation)).size >= 7)
})

test('who was under way during a stall is suspected, the one under way before one that had ended', () => {
  const journal = new Journal<string>()
  const first = journal.begin(1, 'long ago')
  first.from = first.to = Date.now() - 60_000
  const ended = journal.begin(2, 'just before')
  const during = journal.begin(3, 'during')
  const now = Date.now()
  ended.to = now
  journal.suspect(now + 200, now + 700, 500)
  assert.equal(
    journal.suspects().map(({ entry }) => entry.what),
    ['during', 'just before'],
  )
  assert.is(during.to, undefined)
})

test.run()
