import { mock } from 'node:test'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { ApiError, Cancelled, ConnectionFailed, OutcomeUnknown } from '../../src/client/errors.ts'
import { createOperator } from '../../src/client/operator.ts'
import type { Wait } from '../../src/client/retry.ts'
import { createTransport } from '../../src/client/transport.ts'
import { suite } from '../suite.ts'
import { exampleCreatedKey, exampleProject } from './example-answers.ts'

const test = suite('the client sends requests and retries')

function envelope(status: number, code: string, retryAfter?: number): Response {
  const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) }
  return Response.json(
    { error: { code, message: 'no.', request_id: 'r-1' } },
    { status, ...(headers ? { headers } : {}) },
  )
}

/** A caller whose answers come from a list and whose waits take no time. */
function caller(answers: (Response | Error)[], longestWaitSeconds = 90) {
  const requests: Request[] = []
  const waits: Wait[] = []
  const { call } = createTransport({
    baseUrl: 'http://host/',
    bearer: 'secret',
    retry: { attempts: 4, longestWaitSeconds, onWait: (wait) => waits.push(wait), sleep: async () => {} },
    async fetch(request) {
      requests.push(request)
      const next = answers.shift()
      if (next instanceof Response) return next
      throw next ?? new Error('no more answers')
    },
  })
  const get = () => call({ method: 'GET', path: '/thing', schema: v.object({ a: v.number() }) })
  return { get, requests, waits }
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error) => error,
  )
}

test('an answer is parsed, and the bearer and the path are what they should be', async () => {
  const { get, requests } = caller([Response.json({ a: 1 })])
  assert.equal(await get(), { a: 1 })
  assert.is(requests[0]?.url, 'http://host/thing')
  assert.is(requests[0]?.headers.get('authorization'), 'Bearer secret')
})

test('a rate limit is waited for by its Retry-After', async () => {
  const { get, waits } = caller([envelope(429, 'rate_limited', 37), Response.json({ a: 1 })])
  await get()
  assert.equal(waits, [{ reason: 'rate_limited', seconds: 37, attempt: 1, attempts: 4, message: 'no.' }])
})

test('a 503 without Retry-After is tried after 1, 2 and 4 seconds, then given up', async () => {
  const { get, waits } = caller(Array.from({ length: 4 }, () => envelope(503, 'embedding_unavailable')))
  const error = await failureOf(get())
  assert.instance(error, ApiError)
  assert.equal(
    waits.map(({ seconds }) => seconds),
    [1, 2, 4],
  )
})

test('a Retry-After that is no number of seconds is none', async () => {
  for (const written of ['Wed, 21 Oct 2026 07:28:00 GMT', '30 s', 'after 30']) {
    const busy = Response.json(
      { error: { code: 'rate_limited', message: 'no.', request_id: 'r-1' } },
      { status: 429, headers: { 'retry-after': written } },
    )
    const { get, waits } = caller([busy, Response.json({ a: 1 })])
    await get()
    assert.equal(
      waits.map(({ seconds }) => seconds),
      [1],
    )
  }
})

test('a Retry-After above the limit is not waited for', async () => {
  const { get, waits, requests } = caller([envelope(429, 'rate_limited', 91)])
  assert.instance(await failureOf(get()), ApiError)
  assert.is(waits.length, 0)
  assert.is(requests.length, 1)
})

test('a used-up quota is not waited for', async () => {
  const { get, requests } = caller([envelope(429, 'query_quota_exceeded', 5)])
  const error = await failureOf(get())
  assert.is(error instanceof ApiError && error.code, 'query_quota_exceeded')
  assert.is(requests.length, 1)
})

test('a broken connection is tried again', async () => {
  const { get, waits } = caller([new TypeError('fetch failed'), Response.json({ a: 1 })])
  await get()
  assert.equal(
    waits.map(({ reason }) => reason),
    ['connection_failed'],
  )
})

test('a connection that stays broken says why', async () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' })
  const { get } = caller(Array.from({ length: 4 }, () => new TypeError('fetch failed', { cause })))
  const error = await failureOf(get())
  assert.instance(error, ConnectionFailed)
  assert.match(String(error), /ECONNREFUSED/)
})

test('a server without a trusted certificate, or without TLS, is not asked again: nothing would have changed', async () => {
  for (const code of ['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_SSL_WRONG_VERSION_NUMBER']) {
    const failed = () => new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) })
    const { get, requests } = caller([failed(), failed()])
    const error = await failureOf(get())
    assert.is(error instanceof ConnectionFailed && error.code, 'connection_untrusted')
    assert.is(requests.length, 1)
    const { operator } = operatorWith([failed()])
    assert.instance(await failureOf(operator.createProject({ name: 'hotel' })), ConnectionFailed)
  }
})

test('a redirect is named and not followed, which would leave the key behind, and make a question of a push', async () => {
  const redirect = (status: number) => new Response('', { status, headers: { location: 'https://host/thing' } })
  for (const status of [301, 302, 307, 308]) {
    const { get, requests } = caller([redirect(status)])
    const error = await failureOf(get())
    assert.instance(error, ApiError)
    assert.match(String(error), 'https://host/thing')
    assert.is(requests[0]?.redirect, 'manual')
  }
})

test('a server that says nothing for ten seconds is told of, and waited for', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    let silences = 0
    let answer = (_: Response) => {}
    const { call } = createTransport({
      baseUrl: 'http://host',
      bearer: 'secret',
      retry: { attempts: 1, longestWaitSeconds: 1, onSilence: () => silences++ },
      fetch: () => new Promise((resolve) => (answer = resolve)),
    })
    const called = call({ method: 'GET', path: '/', schema: v.unknown() })
    mock.timers.tick(9_999)
    assert.is(silences, 0)
    mock.timers.tick(1)
    assert.is(silences, 1)
    answer(Response.json({}))
    await called
  } finally {
    mock.timers.reset()
  }
})

/** The operator's routes over a server whose answers come from a list. */
function operatorWith(answers: (Response | Error)[]) {
  let sent = 0
  const operator = createOperator({
    baseUrl: 'http://host',
    operatorToken: 'secret',
    retry: { attempts: 4, longestWaitSeconds: 90, sleep: async () => {} },
    async fetch() {
      sent++
      const next = answers.shift()
      if (next instanceof Response) return next
      throw next ?? new Error('no more answers')
    },
  })
  return { operator, sent: () => sent }
}

const HOTEL_KEY = { project: 'hotel', kind: 'secret', env: 'live' } as const
const hungUp = () => new TypeError('fetch failed', { cause: new Error('socket hang up') })

test('what would be made twice is not asked for again once it may have arrived, and the error says so', async () => {
  const unanswered = [
    hungUp,
    () => new Response('<h1>Bad gateway</h1>', { status: 503, headers: { 'retry-after': '1' } }),
  ]
  for (const fails of unanswered) {
    for (const [make, what] of [
      [(one) => one.createProject({ name: 'hotel' }), 'project'],
      [(one) => one.createKey(HOTEL_KEY), 'key'],
      [(one) => one.createConsoleLink({}), 'console link'],
    ] satisfies [(one: ReturnType<typeof createOperator>) => Promise<unknown>, string][]) {
      const { operator, sent } = operatorWith([fails(), Response.json({})])
      const error = await failureOf(make(operator))
      assert.instance(error, OutcomeUnknown, what)
      assert.match(String(error), `the ${what} may have been created all the same`)
      assert.is(sent(), 1)
    }
  }
})

test('it is asked for again where the server cannot have had it, or says that it did nothing', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const { operator, sent } = operatorWith([
    new TypeError('fetch failed', { cause: refused }),
    envelope(503, 'service_unavailable', 1),
    envelope(429, 'rate_limited', 1),
    Response.json(exampleProject()),
  ])
  assert.is((await operator.createProject({ name: 'hotel' })).name, 'hotel')
  assert.is(sent(), 4)
})

test('no server has had a request for which none was found or reached; one that refused it did nothing', async () => {
  const failed = (code: string, more: object = {}) => Object.assign(new Error('no'), { code, ...more })
  const refused = failed('ECONNREFUSED', { syscall: 'connect' })
  for (const cause of [
    failed('ENOTFOUND', { syscall: 'getaddrinfo' }),
    failed('UND_ERR_CONNECT_TIMEOUT'),
    new AggregateError([refused, refused]),
  ]) {
    const { operator, sent } = operatorWith([new TypeError('fetch failed', { cause }), Response.json(exampleProject())])
    await operator.createProject({ name: 'hotel' })
    assert.is(sent(), 2, String(cause))
  }
  const stranger = operatorWith([new Response('<h1>Not found</h1>', { status: 404 })]).operator
  assert.instance(await failureOf(stranger.createProject({ name: 'hotel' })), ApiError)
})

test('what is not there any more once the answer to its deletion was lost is deleted; what never was is not', async () => {
  const gone = () => envelope(404, 'not_found')
  const badGateway = new Response('<h1>Bad gateway</h1>', { status: 503, headers: { 'retry-after': '1' } })
  for (const lost of [hungUp(), badGateway]) {
    const { operator, sent } = operatorWith([lost, gone()])
    await operator.deleteProject('hotel')
    assert.is(sent(), 2)
  }
  const never = await failureOf(operatorWith([gone()]).operator.deleteProject('hotel'))
  assert.ok(never instanceof ApiError && never.code === 'not_found')
  const stranger = new Response('<h1>Not found</h1>', { status: 404 })
  assert.instance(await failureOf(operatorWith([hungUp(), stranger]).operator.deleteProject('hotel')), ApiError)
})

test('a key that ends by itself is asked for again: one too many does no harm', async () => {
  const { operator } = operatorWith([hungUp(), Response.json(exampleCreatedKey())])
  assert.is((await operator.createKey({ ...HOTEL_KEY, expires_in_seconds: 60 })).id, 'k-1')
})

test('an envelope keeps its code, request id and details', async () => {
  const body = {
    error: { code: 'validation_failed', message: 'no', request_id: 'r-9', details: [{ path: 'q', message: 'bad' }] },
  }
  const { get } = caller([Response.json(body, { status: 422 })])
  const error = await failureOf(get())
  assert.instance(error, ApiError)
  if (!(error instanceof ApiError)) return
  assert.equal(
    [error.code, error.status, error.requestId, error.details],
    ['validation_failed', 422, 'r-9', body.error.details],
  )
})

test('an answer of another program is not taken for one of ours', async () => {
  for (const response of [
    new Response('<html>hello</html>', { status: 200 }),
    new Response('<html>not found</html>', { status: 404 }),
    Response.json({ b: 1 }),
  ]) {
    const error = await failureOf(caller([response]).get())
    assert.is(error instanceof ApiError && error.code, 'unexpected_answer')
  }
})

const page = (status: number, title: string) =>
  new Response(`<html><head><title>\n${title}</title></head></html>`, {
    status,
    headers: { 'content-type': 'text/html' },
  })

test('a proxy that does not reach the server, as while that is restarted, is asked again', async () => {
  for (const status of [429, 502, 503, 504, 522]) {
    const { get, waits } = caller([page(status, 'Bad Gateway'), page(status, 'Bad Gateway'), Response.json({ a: 1 })])
    assert.equal(await get(), { a: 1 })
    assert.equal(
      waits.map(({ reason, seconds }) => [reason, seconds]),
      [
        ['service_unavailable', 1],
        ['service_unavailable', 2],
      ],
    )
  }
})

test('but not about what it may have passed on, when that makes something', async () => {
  const { operator } = operatorWith([page(504, 'Gateway Time-out')])
  assert.instance(await failureOf(operator.createProject({ name: 'hotel' })), OutcomeUnknown)
})

test('a web page that answers is called that, by its title', async () => {
  const found = await Promise.all([200, 403].map((status) => failureOf(caller([page(status, 'Hotel Wi-Fi')]).get())))
  assert.equal(
    found.map((error) => error instanceof ApiError && error.message),
    ['the answer to GET /thing is a web page, “Hotel Wi-Fi”', 'the answer was 403 with a web page, “Hotel Wi-Fi”'],
  )
})

test('what does not speak HTTP is not asked again', async () => {
  const { get, waits } = caller([
    new TypeError('fetch failed', {
      cause: Object.assign(new Error('Expected HTTP/'), { code: 'HPE_INVALID_CONSTANT' }),
    }),
  ])
  const error = await failureOf(get())
  assert.is(error instanceof ConnectionFailed && error.code, 'other_protocol')
  assert.equal(waits, [])
})

test('what was cancelled before is not sent', async () => {
  for (const signalEnds of ['request', 'waiting'] as const) {
    let sent = 0
    const fetch = async () => {
      sent++
      return Response.json({})
    }
    const { call } = createTransport({ baseUrl: 'http://host', bearer: 'secret', fetch })
    const signal = AbortSignal.abort()
    const error = await failureOf(call({ method: 'GET', path: '/', schema: v.unknown(), signal, signalEnds }))
    assert.instance(error, Cancelled)
    assert.is(sent, 0)
  }
})

test('a cancelled wait ends the call', async () => {
  const abort = new AbortController()
  const { call } = createTransport({
    baseUrl: 'http://host',
    bearer: 'secret',
    retry: { attempts: 3, longestWaitSeconds: 90, onWait: () => abort.abort() },
    fetch: async () => envelope(429, 'rate_limited', 60),
  })
  const started = Date.now()
  const error = await failureOf(call({ method: 'GET', path: '/', schema: v.unknown(), signal: abort.signal }))
  assert.instance(error, Cancelled)
  assert.ok(Date.now() - started < 30_000, 'the minute was not waited for')
})

test.run()
