import { createServer } from 'node:net'
import * as assert from 'uvu/assert'
import type { Log } from '../../server/deps.ts'
import { cosineOf } from '../../server/embed/calibrate.ts'
import { type Embedder, EmbeddingRefused, EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import {
  createOpenAiEmbedder,
  DimensionsIgnored,
  embeddingsAddress,
  type OpenAiConfig,
  type OpenAiDeps,
} from '../../server/embed/openai-compatible.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'
import { onSomeTry } from '../waiting.ts'
import {
  answer,
  type EmbeddingsServer,
  madeUpVector,
  SERVER_DIMENSIONS,
  send,
  startEmbeddingsServer,
} from './embeddings-server.ts'

const test = suite('openai-compatible service')
let server: EmbeddingsServer

test.before.each(async () => {
  server = await startEmbeddingsServer()
})
test.after.each(() => server.close())

async function open(config: Partial<OpenAiConfig> = {}, deps: Partial<OpenAiDeps> = {}): Promise<Embedder> {
  const embedder = await createOpenAiEmbedder(
    { url: server.url, model: 'made-up', calibration: 0, ...config },
    { fetch, log: silent, ...deps },
  )
  server.requests.length = 0
  return embedder
}

async function failure(work: Promise<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
  throw new Error('it did not fail')
}

function direction(text: string): Float32Array {
  const raw = madeUpVector(text)
  const length = Math.hypot(...raw)
  return Float32Array.from([...raw.map((x) => x / length), 0])
}

function assertVector(vector: Float32Array | undefined, text: string): void {
  const expected = direction(text)
  assert.is(vector?.length, expected.length)
  assert.ok(cosineOf(vector ?? [], expected) > 0.9995, `the vector of "${text}"`)
}

test('asks as the API reference says', async () => {
  const embedder = await open({ key: 'sk-secret', dimensions: 12 })
  await embedder.embed(['One.', 'Two.'], 'document')
  const [request] = server.requests
  assert.is(request?.path, '/v1/embeddings')
  assert.equal(request?.body, { model: 'made-up', input: ['One.', 'Two.'], dimensions: 12 })
  assert.is(request?.headers.authorization, 'Bearer sk-secret')
  assert.match(request?.headers['content-type'] ?? '', /^application\/json/)
  assert.is(embedder.dimensions, 13)
})

test('sends neither a key nor dimensions that were not given', async () => {
  await (await open()).embed(['One.'], 'document')
  assert.is(server.requests[0]?.headers.authorization, undefined)
  assert.equal(server.requests[0]?.body, { model: 'made-up', input: ['One.'] })
})

test('finds the route from any usual form of the address', () => {
  const cases = {
    'https://api.openai.com/v1': 'https://api.openai.com/v1/embeddings',
    'https://api.openai.com/v1/': 'https://api.openai.com/v1/embeddings',
    'http://localhost:11434': 'http://localhost:11434/v1/embeddings',
    'http://localhost:8080/v1/embeddings': 'http://localhost:8080/v1/embeddings',
    'http://gateway/openai/v1?team=a': 'http://gateway/openai/v1/embeddings?team=a',
  }
  for (const [given, address] of Object.entries(cases)) assert.is(embeddingsAddress(given), address)
})

test('marks searches and documents as the model was trained, or as it is told', async () => {
  const known = await open({ model: 'intfloat/e5-small-v2' })
  await known.embed(['quiet rooms'], 'query')
  await known.embed(['The rooms are quiet.'], 'document')
  assert.equal(
    server.requests.map(({ body }) => body.input),
    [['query: quiet rooms'], ['passage: The rooms are quiet.']],
  )
  const told = await open({ model: 'intfloat/e5-small-v2', queryPrefix: 'Q: ', documentPrefix: '' })
  await told.embed(['quiet rooms'], 'query')
  assert.equal(server.requests[0]?.body.input, ['Q: quiet rooms'])
  assert.is.not(told.id, known.id)
})

test('another model, length or calibration is another vector space', async () => {
  const ids = [
    await open(),
    await open({ model: 'other' }),
    await open({ dimensions: 12 }),
    await open({ calibration: 0.5 }),
  ]
  assert.is(new Set(ids.map(({ id }) => id)).size, 4)
})

test('warns of a model that nothing is known of, or whose unrelated texts are above the floor', async () => {
  const warnings: string[] = []
  const log: Log = { ...silent, warn: (_fields, message) => warnings.push(message) }
  const url = server.url
  for (const model of ['made-up', 'text-embedding-ada-002', 'text-embedding-3-small']) {
    await createOpenAiEmbedder({ url, model }, { fetch, log })
  }
  assert.is(warnings.length, 2)
  assert.match(warnings[0] ?? '', /nothing is known/)
  assert.match(warnings[1] ?? '', /similarity_floor/)
})

test('reads vectors in any order, as numbers or as base64, with or without an index', async () => {
  const shapes: ((body: { input: string[] }) => unknown)[] = [
    ({ input }) => ({ ...answer(input), data: answer(input).data.reverse() }),
    ({ input }) => ({ data: answer(input).data.map(({ embedding }) => ({ embedding })) }),
    ({ input }) => ({
      data: answer(input).data.map(({ embedding, index }) => ({
        index,
        embedding: Buffer.from(Float32Array.from(embedding).buffer).toString('base64'),
      })),
    }),
  ]
  const embedder = await open()
  for (const shape of shapes) {
    server.instead = (body, response) => send(response, 200, shape(body))
    const vectors = await embedder.embed(['One.', 'Two.', 'Three.'], 'document')
    for (const [i, text] of ['One.', 'Two.', 'Three.'].entries()) assertVector(vectors[i], text)
  }
})

test('splits many texts by number and by length, and asks for some at a time only', async () => {
  const embedder = await open({ batch: 10, concurrency: 3 })
  server.instead = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return false
  }
  const texts = Array.from({ length: 95 }, (_, i) => `Text ${i}.`)
  const vectors = await embedder.embed(texts, 'document')
  for (const [i, text] of texts.entries()) assertVector(vectors[i], text)
  assert.is(server.requests.length, 10)
  assert.is(server.mostAtOnce, 3)
  server.requests.length = 0
  await embedder.embed([`${'a'.repeat(60_000)}`, `${'b'.repeat(60_000)}`, 'c'], 'document')
  assert.equal(server.requests.map(({ body }) => body.input.length).sort(), [1, 2])
})

test('refuses nonsense: nothing that is no vector gets in', async () => {
  const embedder = await open()
  const good = (input: string[]) => answer(input).data
  const nonsense: Record<string, (input: string[]) => unknown> = {
    'no JSON': () => '<html>welcome</html>',
    'JSON that breaks off': () => '{"data": [',
    null: () => 'null',
    'an error with 200': () => ({ error: { message: 'no' } }),
    'too few vectors': (input) => ({ data: good(input).slice(1) }),
    'too many vectors': (input) => ({ data: [...good(input), ...good(input)] }),
    'an index twice': (input) => ({ data: good(input).map((item) => ({ ...item, index: 0 })) }),
    'an index of nothing': (input) => ({ data: good(input).map((item) => ({ ...item, index: item.index + 1 })) }),
    'half an index': (input) => ({ data: good(input).map((item) => ({ ...item, index: 0.5 })) }),
    'null for a number': (input) => ({ data: good(input).map((item) => ({ ...item, embedding: [1, null] })) }),
    'an empty vector': (input) => ({ data: good(input).map((item) => ({ ...item, embedding: [] })) }),
    'a number beyond floats': (input) => ({ data: good(input).map((item) => ({ ...item, embedding: [1e300, 1] })) }),
    'vectors of different lengths': (input) => ({
      data: good(input).map((item, i) => ({ ...item, embedding: item.embedding.slice(i) })),
    }),
    'vectors of another length than before': (input) => answer(input, 7),
    'broken base64': (input) => ({ data: good(input).map((item) => ({ ...item, embedding: 'AAA=' })) }),
    'NaN in base64': (input) => ({
      data: good(input).map((item) => ({
        ...item,
        embedding: Buffer.alloc(SERVER_DIMENSIONS * 4, 0xff).toString('base64'),
      })),
    }),
  }
  for (const [what, body] of Object.entries(nonsense)) {
    server.instead = ({ input }, response) => send(response, 200, body(input))
    const error = await failure(embedder.embed(['One.', 'Two.'], 'document'))
    assert.instance(error, EmbeddingUnavailable, what)
    assert.not.instance(error, EmbeddingRefused, what)
  }
})

test('tries again after an overload, as late as it is asked to', async () => {
  const embedder = await open()
  const times: number[] = []
  server.instead = (_body, response) => {
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
  const embedder = await open()
  server.instead = (_body, response) => send(response, 429, {}, { 'retry-after': '120' })
  const error = await failure(embedder.embed(['One.'], 'document'))
  assert.instance(error, EmbeddingUnavailable)
  assert.is((error as EmbeddingUnavailable).retryAfterSeconds, 120)
  assert.is(server.requests.length, 1)
  server.instead = (_body, response) =>
    send(response, 503, {}, { 'retry-after': new Date(Date.now() + 600_000).toUTCString() })
  const dated = await failure(embedder.embed(['One.'], 'document'))
  const seconds = (dated as EmbeddingUnavailable).retryAfterSeconds ?? 0
  assert.ok(seconds > 500 && seconds <= 600)
})

test('a search waits for nobody: one quick second try, then it fails', async () => {
  const embedder = await open()
  server.instead = (_body, response) => send(response, 500, { error: 'boom' })
  await onSomeTry(async () => {
    server.requests.length = 0
    const started = performance.now()
    assert.instance(await failure(embedder.embed(['quiet rooms'], 'query')), EmbeddingUnavailable)
    const took = performance.now() - started
    assert.is(server.requests.length, 2)
    return took < 1_500 ? undefined : `it took ${Math.round(took)} ms`
  })
})

test('does not repeat what cannot get better, and says what to check', async () => {
  const embedder = await open()
  const answers: [number, unknown, RegExp][] = [
    [401, { error: { message: 'Incorrect API key' } }, /401.*PULLQUOTE_EMBEDDING_KEY.*Incorrect API key/],
    [403, {}, /PULLQUOTE_EMBEDDING_KEY/],
    [404, { error: 'model "made-up" not found' }, /PULLQUOTE_EMBEDDING_MODEL.*not found/],
    [429, { error: { message: 'no credit', code: 'insufficient_quota' } }, /429.*no credit/],
  ]
  for (const [status, body, message] of answers) {
    server.requests.length = 0
    server.instead = (_body, response) => send(response, status, body)
    const error = await failure(embedder.embed(['One.'], 'document'))
    assert.instance(error, EmbeddingUnavailable)
    assert.match(error.message, message)
    assert.is(server.requests.length, 1)
  }
})

test('gives up on a service that is silent', async () => {
  const embedder = await open({ timeoutMs: 600 })
  server.instead = () => new Promise(() => {})
  const error = await failure(embedder.embed(['One.'], 'document'))
  assert.instance(error, EmbeddingUnavailable)
  assert.match(error.message, /no answer in 0.6 s/)
})

test('gives up on a service that dribbles', async () => {
  const embedder = await open({ timeoutMs: 600 })
  server.instead = (_body, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
    return true
  }
  assert.match((await failure(embedder.embed(['One.'], 'document'))).message, /no answer in 0.6 s/)
})

test('stops reading an answer without end', async () => {
  const embedder = await open({ timeoutMs: 120_000 })
  server.instead = (_body, response) => {
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

test('a connection that breaks or is refused is tried again, then unavailable', async () => {
  const embedder = await open()
  let broken = 0
  server.instead = (_body, response) => {
    if (broken++ > 0) return false
    response.destroy()
    return true
  }
  assertVector((await embedder.embed(['One.'], 'document'))[0], 'One.')
  await server.close()
  const error = await failure(embedder.embed(['quiet rooms'], 'query'))
  assert.instance(error, EmbeddingUnavailable)
  assert.match(error.message, /cannot be reached/)
  server = await startEmbeddingsServer()
})

test('an abort ends the waiting with its own reason', async () => {
  const embedder = await open()
  server.instead = () => new Promise(() => {})
  const controller = new AbortController()
  const pending = failure(embedder.embed(['One.'], 'document', controller.signal))
  setTimeout(() => controller.abort(new Error('stopped')), 30)
  assert.is((await pending).message, 'stopped')
})

test('finds the one text that is refused, and embeds the others', async () => {
  const embedder = await open({ batch: 64 })
  server.instead = ({ input }, response) =>
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
  assert.ok(server.requests.length < 20, `${server.requests.length} requests`)
})

test('tells a text that is refused from a service that refuses everything', async () => {
  const embedder = await open()
  server.instead = (_body, response) => send(response, 422, { error: 'dimensions are not supported' })
  const error = await failure(
    embedder.embed(
      Array.from({ length: 30 }, (_, i) => `Text ${i}.`),
      'document',
    ),
  )
  assert.instance(error, EmbeddingUnavailable)
  assert.not.instance(error, EmbeddingRefused)
  assert.match(error.message, /refuses every text.*dimensions are not supported/)
  assert.is(server.requests.length, 2)
})

test('learns how many texts a request may have', async () => {
  const embedder = await open({ batch: 32 })
  server.instead = ({ input }, response) =>
    input.length > 8 &&
    send(response, 413, { error: 'batch size > maximum allowed batch size 8', error_type: 'Validation' })
  const texts = Array.from({ length: 32 }, (_, i) => `Text ${i}.`)
  assert.is((await embedder.embed(texts, 'document')).length, 32)
  server.requests.length = 0
  const vectors = await embedder.embed(texts, 'document')
  for (const [i, text] of texts.entries()) assertVector(vectors[i], text)
  assert.equal(
    server.requests.map(({ body }) => body.input.length),
    [8, 8, 8, 8],
  )
})

test('says so when the service does not shorten its vectors as asked', async () => {
  server.instead = ({ input }, response) => send(response, 200, answer(input))
  const error = await failure(open({ dimensions: 12 }))
  assert.instance(error, DimensionsIgnored)
  assert.match(error.message, /is 12, but the model answers with 24/)
})

test('starts while the service is away when it is known how long its vectors are', async () => {
  const port = await unusedPort()
  const away = { url: `http://127.0.0.1:${port}/v1` }
  assert.instance(await failure(open(away)), EmbeddingUnavailable)
  assert.is((await open({ ...away, dimensions: 12 })).dimensions, 13)
  const asked: string[] = []
  const embedder = await open(away, {
    async storedDimensions(id) {
      asked.push(id)
      return 25
    },
  })
  assert.is(embedder.dimensions, 25)
  assert.equal(asked, [embedder.id])
  assert.instance(await failure(embedder.embed(['quiet rooms'], 'query')), EmbeddingUnavailable)
})

async function unusedPort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

test.run()
