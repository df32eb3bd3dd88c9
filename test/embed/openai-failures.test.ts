import * as assert from 'uvu/assert'
import { EmbeddingRefused, EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { passesOnSomeTry } from '../waiting.ts'
import { answer, madeUpVector, send, startEmbeddingsServer } from './embeddings-server.ts'
import { openAiSuite } from './openai-suite.ts'
import { assertVector, failure } from './vector-assertions.ts'

const { test, service } = openAiSuite('openai-compatible service that fails or refuses')

test('tries again after an overload, as late as it is asked to', async () => {
  const embedder = await service.open()
  const times: number[] = []
  service.server.instead = (_body, response) => {
    times.push(performance.now())
    if (times.length === 1) return send(response, 503, 'busy')
    if (times.length === 2) return send(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '1' })
    return false
  }
  const [vector] = await embedder.embed(['One.'], 'document')
  assertVector(vector, 'One.')
  assert.is(times.length, 3)
  assert.ok((times[2] ?? 0) - (times[1] ?? 0) >= 990)
})

test('does not sit out a long wait: it tells how long', async () => {
  const embedder = await service.open()
  service.server.instead = (_body, response) => send(response, 429, {}, { 'retry-after': '120' })
  const error = await failure(embedder.embed(['One.'], 'document'))
  assert.instance(error, EmbeddingUnavailable)
  assert.is((error as EmbeddingUnavailable).retryAfterSeconds, 120)
  assert.is(service.server.requests.length, 1)
  service.server.instead = (_body, response) =>
    send(response, 503, {}, { 'retry-after': new Date(Date.now() + 600_000).toUTCString() })
  const dated = await failure(embedder.embed(['One.'], 'document'))
  const seconds = (dated as EmbeddingUnavailable).retryAfterSeconds ?? 0
  assert.ok(seconds > 500 && seconds <= 600)
})

test('a search waits for nobody: one quick second try, then it fails', async () => {
  const embedder = await service.open()
  service.server.instead = (_body, response) => send(response, 500, { error: 'boom' })
  await passesOnSomeTry(async () => {
    service.server.requests.length = 0
    const started = performance.now()
    assert.instance(await failure(embedder.embed(['quiet rooms'], 'query')), EmbeddingUnavailable)
    const took = performance.now() - started
    assert.is(service.server.requests.length, 2)
    return took < 1_500 ? undefined : `it took ${Math.round(took)} ms`
  })
})

test('does not repeat what cannot get better, and says what to check', async () => {
  const embedder = await service.open()
  const answers: [number, unknown, RegExp][] = [
    [401, { error: { message: 'Incorrect API key' } }, /401.*PULLQUOTE_EMBEDDING_KEY.*Incorrect API key/],
    [403, {}, /PULLQUOTE_EMBEDDING_KEY/],
    [404, { error: 'model "made-up" not found' }, /POST http.*\/v1\/embeddings .*PULLQUOTE_EMBEDDING_MODEL.*not found/],
    [429, { error: { message: 'no credit', code: 'insufficient_quota' } }, /429.*no credit/],
  ]
  for (const [status, body, message] of answers) {
    service.server.requests.length = 0
    service.server.instead = (_body, response) => send(response, status, body)
    const error = await failure(embedder.embed(['One.'], 'document'))
    assert.instance(error, EmbeddingUnavailable)
    assert.match(error.message, message)
    assert.is(service.server.requests.length, 1)
  }
})

test('texts and key go to no other address, and a redirect is told', async () => {
  const embedder = await service.open({ key: 'sk-made-up-0123456789' })
  const other = await startEmbeddingsServer()
  try {
    for (const [status, location] of [
      [307, `${other.url}/embeddings`],
      [301, '/v1/embeddings/'],
      [307, '/v1/embeddings'],
    ] as const) {
      service.server.instead = (_body, response) => send(response, status, '', { location })
      const error = await failure(embedder.embed(['One.'], 'document'))
      assert.instance(error, EmbeddingUnavailable)
      assert.match(error.message, /redirects to http.*\/v1\/embeddings.*PULLQUOTE_EMBEDDING_URL/)
      assert.is(other.requests.length, 0)
    }
  } finally {
    await other.close()
  }
})

test('a redirect within the service is followed', async () => {
  const embedder = await service.open({ key: 'sk-made-up-0123456789' })
  service.server.instead = (_body, response) =>
    service.server.requests.length === 1 ? send(response, 307, '', { location: '/v1/embeddings/' }) : false
  const [vector] = await embedder.embed(['One.'], 'document')
  assertVector(vector, 'One.')
  assert.equal(
    service.server.requests.map(({ path, headers }) => [path, headers.authorization]),
    [
      ['/v1/embeddings', 'Bearer sk-made-up-0123456789'],
      ['/v1/embeddings/', 'Bearer sk-made-up-0123456789'],
    ],
  )
})

test('a key that the service quotes stands in no error, which the log has', async () => {
  const key = 'sk-made-up-0123456789'
  const embedder = await service.open({ key })
  service.server.instead = (_body, response) => send(response, 401, { error: { message: `Invalid key ${key}, sorry` } })
  const error = await failure(embedder.embed(['One.'], 'document'))
  assert.match(error.message, /Invalid key …, sorry/)
})

test('gives up on a service that is silent', async () => {
  const embedder = await service.open({ timeoutMs: 600 })
  service.server.instead = () => new Promise(() => {})
  const error = await failure(embedder.embed(['One.'], 'document'))
  assert.instance(error, EmbeddingUnavailable)
  assert.match(error.message, /no answer in 0.6 s/)
})

test('gives up on a service that dribbles', async () => {
  const embedder = await service.open({ timeoutMs: 600 })
  service.server.instead = (_body, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
    return true
  }
  assert.match((await failure(embedder.embed(['One.'], 'document'))).message, /no answer in 0.6 s/)
})

test('stops reading an answer without end', async () => {
  const embedder = await service.open({ timeoutMs: 120_000 })
  service.server.instead = (_body, response) => {
    const block = Buffer.alloc(1024 * 1024, 32)
    const more = () => {
      while (!response.destroyed && response.write(block));
    }
    response.on('drain', more)
    more()
    return true
  }
  assert.match((await failure(embedder.embed(['One.'], 'document'))).message, /without end/)
})

test('an answer is read no further than vectors of that many texts may reach, an error no further than a message', async () => {
  const embedder = await service.open()
  const brackets = '['.repeat(2 ** 20)
  service.server.instead = (_body, response) => send(response, 200, brackets)
  assert.match((await failure(embedder.embed(['One.'], 'document'))).message, /without end/)
  assert.match((await failure(embedder.embed(['1', '2', '3', '4'], 'document'))).message, /no JSON/)
  service.server.instead = (_body, response) => send(response, 404, { error: { message: `gone ${brackets}` } })
  const { message } = await failure(embedder.embed(['One.'], 'document'))
  assert.match(message, /answered 404/)
  assert.not.match(message, 'gone')
})

test('vectors of 4,096 numbers, each on a line of its own, are read', async () => {
  const embedder = await service.open({ dimensions: 4_096 })
  service.server.instead = ({ input }, response) => {
    const data = input.map((text, index) => ({ index, embedding: madeUpVector(text, 4_096) }))
    return send(response, 200, JSON.stringify({ data }, null, 10))
  }
  assert.is((await embedder.embed(['One.', 'Two.'], 'document')).length, 2)
})

test('a connection that breaks or is refused is tried again, then unavailable', async () => {
  const embedder = await service.open()
  let broken = 0
  service.server.instead = (_body, response) => {
    if (broken++ > 0) return false
    response.destroy()
    return true
  }
  assertVector((await embedder.embed(['One.'], 'document'))[0], 'One.')
  await service.server.close()
  const error = await failure(embedder.embed(['quiet rooms'], 'query'))
  assert.instance(error, EmbeddingUnavailable)
  assert.match(error.message, /cannot be reached: connect ECONNREFUSED/)
  service.server = await startEmbeddingsServer()
})

test('a certificate that is not trusted is asked once, and it is said what to do', async () => {
  let asked = 0
  const untrusted: typeof fetch = async () => {
    asked++
    const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    throw new TypeError('fetch failed', { cause })
  }
  const error = await failure(service.open({}, { fetch: untrusted }))
  assert.match(error.message, /self-signed certificate \(DEPTH_ZERO_SELF_SIGNED_CERT\).*NODE_EXTRA_CA_CERTS/)
  assert.is(asked, 1)
})

test('keeps what was embedded before the service wanted no more requests', async () => {
  const embedder = await service.open({ batch: 8, concurrency: 1 })
  let requests = 0
  service.server.instead = (_body, response) => ++requests > 2 && send(response, 429, {}, { 'retry-after': '60' })
  const texts = Array.from({ length: 30 }, (_, i) => `Text ${i}.`)
  const error = (await failure(embedder.embed(texts, 'document'))) as EmbeddingUnavailable
  assert.is(error.code, 'embedding_unavailable')
  assert.equal([error.status, error.retryAfterSeconds, requests], [429, 60, 3])
  assert.is(error.vectors?.length, 30)
  for (const [i, vector] of error.vectors?.entries() ?? []) {
    if (i < 16) assertVector(vector, `Text ${i}.`)
    else assert.is(vector, undefined)
  }
  const nothing = (await failure(embedder.embed(texts, 'document'))) as EmbeddingUnavailable
  assert.is(nothing.vectors, undefined)
})

test('a service that embeds one text after another is sent one request at a time', async () => {
  const embedder = await service.open()
  let last = Promise.resolve()
  service.server.instead = async ({ input }) => {
    last = last.then(() => new Promise((resolve) => setTimeout(resolve, 20 * input.length)))
    await last
    return false
  }
  await embedder.embed(['quiet rooms'], 'query')
  await embedder.embed(
    Array.from({ length: 120 }, (_, i) => `Text ${i}.`),
    'document',
  )
  assert.is(service.server.mostAtOnce, 1)
})

test('an abort ends the waiting with its own reason', async () => {
  const embedder = await service.open()
  service.server.instead = () => new Promise(() => {})
  const controller = new AbortController()
  const pending = failure(embedder.embed(['One.'], 'document', controller.signal))
  setTimeout(() => controller.abort(new Error('stopped')), 30)
  assert.is((await pending).message, 'stopped')
})

test('finds the one text that is refused, and embeds the others', async () => {
  const embedder = await service.open({ batch: 64 })
  service.server.instead = ({ input }, response) =>
    input.some((text) => text.includes('poison')) && send(response, 400, { error: { message: 'bad input' } })
  const texts = Array.from({ length: 64 }, (_, i) => (i === 37 ? 'poison' : `Text ${i}.`))
  const error = await failure(embedder.embed(texts, 'document'))
  assert.instance(error, EmbeddingRefused)
  assert.match(error.message, /400: bad input/)
  const { vectors } = error as EmbeddingRefused
  for (const [i, text] of texts.entries()) {
    if (i === 37) assert.is(vectors[i], undefined)
    else assertVector(vectors[i], text)
  }
  assert.ok(service.server.requests.length < 20, `${service.server.requests.length} requests`)
})

test('says what services say in shapes of their own', async () => {
  const embedder = await service.open()
  const bodies = [
    [{ error: { code: 400, message: 'what is wrong', status: 'INVALID_ARGUMENT' } }],
    { object: 'error', message: 'what is wrong', type: 'invalid_request_error', code: '1800' },
    { detail: 'what is wrong' },
    { detail: [{ loc: ['body', 'dimensions'], msg: 'what is wrong' }] },
    { errors: [{ code: 5007, message: 'what is wrong' }], success: false },
    { object: 'error', message: 'what is wrong', detail: {} },
    { error: { code: 500, message: 'what is wrong', type: 'server_error' } },
  ]
  for (const body of bodies) {
    service.server.instead = (_body, response) => send(response, 403, body)
    assert.match((await failure(embedder.embed(['One.'], 'document'))).message, /403.*: what is wrong$/)
  }
})

test('tells a text that is refused from a service that refuses everything', async () => {
  const embedder = await service.open()
  service.server.instead = (_body, response) => send(response, 422, { error: 'dimensions are not supported' })
  const error = await failure(
    embedder.embed(
      Array.from({ length: 30 }, (_, i) => `Text ${i}.`),
      'document',
    ),
  )
  assert.instance(error, EmbeddingUnavailable)
  assert.not.instance(error, EmbeddingRefused)
  assert.match(error.message, /refuses every text.*dimensions are not supported/)
  assert.is(service.server.requests.length, 2)
})

test('zeros are no vector: a text that has nothing else is refused, a service that answers nothing else is unavailable', async () => {
  const embedder = await service.open()
  const zeros = (input: string[], isZero: (text: string) => boolean) => ({
    data: answer(input).data.map((one, i) =>
      isZero(input[i] ?? '') ? { ...one, embedding: one.embedding.map(() => 0) } : one,
    ),
  })
  service.server.instead = ({ input }, response) =>
    send(
      response,
      200,
      zeros(input, (text) => text === '…'),
    )
  assert.instance(await failure(embedder.embed(['…'], 'query')), EmbeddingRefused)
  assert.is((await embedder.embed(['One.', '…'], 'document')).length, 2)
  service.server.instead = ({ input }, response) =>
    send(
      response,
      200,
      zeros(input, () => true),
    )
  for (const kind of ['query', 'document'] as const) {
    const error = await failure(embedder.embed(['One.', 'Two.'], kind))
    assert.not.instance(error, EmbeddingRefused)
    assert.match(error.message, /refuses every text; it answered with zeros only/)
  }
  assert.match((await failure(service.open())).message, /zeros only/)
})

test('learns how many texts a request may have', async () => {
  const embedder = await service.open({ batch: 32 })
  service.server.instead = ({ input }, response) =>
    input.length > 8 &&
    send(response, 413, { error: 'batch size > maximum allowed batch size 8', error_type: 'Validation' })
  const texts = Array.from({ length: 32 }, (_, i) => `Text ${i}.`)
  assert.is((await embedder.embed(texts, 'document')).length, 32)
  service.server.requests.length = 0
  const vectors = await embedder.embed(texts, 'document')
  for (const [i, text] of texts.entries()) assertVector(vectors[i], text)
  assert.equal(
    service.server.requests.map(({ body }) => body.input.length),
    [8, 8, 8, 8],
  )
})

test.run()
