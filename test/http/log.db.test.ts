/** What the log tells of a request, and what it never tells. */
import { Writable } from 'node:stream'
import * as assert from 'uvu/assert'
import type { Log } from '../../server/deps.ts'
import { createLogger } from '../../server/logger.ts'
import { suite } from '../suite.ts'
import { ORIGIN, openService, review, type TestService } from './service.ts'
import { openTransport, type Sent, type Transport } from './transport.ts'

const test = suite('log')
const lines: { level: string; fields: object; message: string }[] = []
const keep = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message })
const log: Log = { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') }
let service: TestService
let transport: Transport
let failWith: unknown

test.before(async () => {
  service = await openService({
    log,
    search: async () => {
      if (failWith !== undefined) throw failWith
      return { ok: true, results: [], match: 'none', cache: 'MISS' }
    },
  })
  transport = await openTransport('socket', service.deps)
})
test.before.each(() => {
  lines.length = 0
  failWith = undefined
})
test.after(async () => {
  await transport.close()
  await service.close()
})

const secret = () => ({ authorization: `Bearer ${service.keys.secret}` })

test('a request is one line with id, route, status, time and project', async () => {
  const path = '/v1/reviews/5f0c1f2e-3f52-4b44-9d5e-8b4d0a7c2f10'
  await transport.send({ path, headers: { ...secret(), 'x-request-id': 'mine' } })
  assert.is(lines.length, 1)
  const [{ level, fields, message } = { level: '', fields: {}, message: '' }] = lines
  const { ms, ...rest } = fields as Record<string, unknown>
  assert.type(ms, 'number')
  assert.equal(
    { level, message, ...rest },
    {
      level: 'info',
      message: 'request',
      requestId: 'mine',
      method: 'GET',
      route: '/v1/reviews/:id',
      project: service.project.id,
      code: 'not_found',
      status: 404,
    },
  )
})

test('probes that are answered stand there at debug, those that are refused as all requests do', async () => {
  for (const path of ['/healthz', '/readyz']) await transport.send({ path })
  assert.equal(
    lines.map(({ level, fields }) => [level, Reflect.get(fields, 'route'), Reflect.get(fields, 'status')]),
    [
      ['debug', '/healthz', 200],
      ['info', '/readyz', 503],
    ],
  )
})

test('no key, search text or review text is logged, whatever happens', async () => {
  const words = 'unmistakable-words'
  const { secret: key, publishable } = service.keys
  const json = { 'content-type': 'application/json' }
  const requests: Sent[] = [
    { path: `/v1/query?q=${words}&key=${publishable}`, headers: { origin: ORIGIN } },
    { path: `/v1/query?q=${words}&limit=0`, headers: secret() },
    { path: `/v1/query?key=${key}`, headers: {} },
    { path: `/v1/${words}?key=${key}` },
    { path: `/v1/reviews/${words}`, headers: secret() },
    { method: 'POST', path: '/v1/query', headers: { ...secret(), ...json }, body: JSON.stringify({ q: words }) },
    { method: 'POST', path: '/v1/query', headers: { ...secret(), ...json }, body: `{"q": ${words}` },
    {
      method: 'POST',
      path: '/v1/reviews',
      headers: { ...secret(), ...json },
      body: JSON.stringify(review('a', { text: words })),
    },
    {
      method: 'POST',
      path: '/v1/reviews',
      headers: { ...secret(), ...json },
      body: JSON.stringify(review('a', { [words]: 1 })),
    },
  ]
  for (const failure of [
    undefined,
    Object.assign(new Error(`Key (external_id)=(${words}) already exists.`), {
      code: '23505',
      severity: 'ERROR',
      detail: words,
      query: `select '${words}'`,
      parameters: [words],
    }),
    Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
  ]) {
    failWith = failure
    for (const request of requests) await transport.send(request)
  }
  assert.is(lines.length, requests.length * 3)
  const everything = JSON.stringify(lines)
  for (const never of [words, key, publishable, key.slice(-20)]) assert.not.match(everything, never)
})

test('an unexpected failure is logged with its codes and where it happened', async () => {
  failWith = Object.assign(new Error('told to nobody'), {
    code: '23505',
    severity: 'ERROR',
    constraint_name: 'some_key',
  })
  await transport.send({ path: '/v1/query', headers: secret() })
  const text = JSON.stringify(lines)
  assert.is(lines[0]?.level, 'error')
  for (const part of ['23505', 'some_key', 'log.db.test.ts']) assert.match(text, part)
  assert.not.match(text, 'told to nobody')
})

test('a process writes JSON lines, and short ones for a terminal', () => {
  for (const isTTY of [false, true]) {
    let written = ''
    const stream = new Writable({
      write(chunk, _encoding, done) {
        written += chunk
        done()
      },
    })
    const logger = createLogger('info', Object.assign(stream, { isTTY }) as unknown as NodeJS.WriteStream)
    logger.debug({ hidden: true }, 'not at this level')
    logger.info({ status: 200, error: { code: 'x' } }, 'request')
    if (isTTY) assert.match(written, /^\d\d:\d\d:\d\d info request status=200 error=\{"code":"x"\}\n$/)
    else {
      const { time, ...line } = JSON.parse(written)
      assert.match(time, /^\d{4}-.*Z$/)
      assert.equal(line, { level: 'info', status: 200, error: { code: 'x' }, msg: 'request' })
    }
  }
})

test('whatever a message quotes, a line is one line, and nothing in it moves a terminal', () => {
  const hostile = 'it said \u001b]52;c;QQ==\u0007\n12:00:00 info request \u202e\u009d\u2066\r'
  for (const isTTY of [false, true]) {
    let written = ''
    const write = (chunk: string) => {
      written += chunk
      return true
    }
    createLogger('info', { write, isTTY } as unknown as NodeJS.WriteStream).warn({ reason: hostile }, hostile)
    assert.match(written, /^[^\u0000-\u001f\u007f-\u009f\u202e\u2066]+\n$/, `isTTY: ${isTTY}`)
    if (!isTTY) assert.is(JSON.parse(written).msg, hostile)
  }
})

test.run()
