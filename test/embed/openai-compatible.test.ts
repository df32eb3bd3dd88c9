import { createServer } from 'node:net'
import * as assert from 'uvu/assert'
import type { Log } from '../../server/deps.ts'
import { cosineOf } from '../../server/embed/calibrate.ts'
import { EmbeddingRefused, EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { createOpenAiEmbedder, DimensionsIgnored } from '../../server/embed/openai-compatible.ts'
import { embeddingsAddress } from '../../server/embed/openai-request.ts'
import { silent } from '../database.ts'
import { answer, SERVER_DIMENSIONS, send } from './embeddings-server.ts'
import { openAiSuite } from './openai-suite.ts'
import { assertVector, failure } from './vector-assertions.ts'

const { test, service } = openAiSuite('openai-compatible service')

test('asks as the API reference says', async () => {
  const embedder = await service.open({ key: 'sk-secret', dimensions: 12 })
  await embedder.embed(['One.', 'Two.'], 'document')
  const [request] = service.server.requests
  assert.is(request?.path, '/v1/embeddings')
  assert.equal(request?.body, { model: 'made-up', input: ['One.', 'Two.'], dimensions: 12 })
  assert.is(request?.headers.authorization, 'Bearer sk-secret')
  assert.match(request?.headers['content-type'] ?? '', /^application\/json/)
  assert.is(embedder.dimensions, 13)
})

test('sends neither a key nor dimensions that were not given', async () => {
  await (await service.open()).embed(['One.'], 'document')
  assert.is(service.server.requests[0]?.headers.authorization, undefined)
  assert.equal(service.server.requests[0]?.body, { model: 'made-up', input: ['One.'] })
})

test('sends the fields that a service wants besides, of each kind its own, and they make another vector space', async () => {
  const embedder = await service.open({
    queryFields: { input_type: 'query' },
    documentFields: { input_type: 'passage', truncate: 'END' },
  })
  await embedder.embed(['quiet rooms'], 'query')
  await embedder.embed(['One.'], 'document')
  const [query, document] = service.server.requests.map(({ body }) => body)
  assert.equal(query, { input_type: 'query', model: 'made-up', input: ['quiet rooms'] })
  assert.equal(document, { input_type: 'passage', truncate: 'END', model: 'made-up', input: ['One.'] })
  assert.is.not(embedder.id, (await service.open()).id)
  assert.is.not(embedder.id, (await service.open({ queryFields: { input_type: 'query' } })).id)
})

test("Azure's addresses with a version take the key in their own header", async () => {
  const embedder = await service.open({ url: `${service.server.url}/openai/deployments/small?api-version=1`, key: 'k' })
  await embedder.embed(['One.'], 'document')
  const [request] = service.server.requests
  assert.is(request?.path, '/v1/openai/deployments/small/embeddings?api-version=1')
  assert.equal([request?.headers['api-key'], request?.headers.authorization], ['k', undefined])
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
  const known = await service.open({ model: 'intfloat/e5-small-v2' })
  await known.embed(['quiet rooms'], 'query')
  await known.embed(['The rooms are quiet.'], 'document')
  assert.equal(
    service.server.requests.map(({ body }) => body.input),
    [['query: quiet rooms'], ['passage: The rooms are quiet.']],
  )
  const told = await service.open({ model: 'intfloat/e5-small-v2', queryPrefix: 'Q: ', documentPrefix: '' })
  await told.embed(['quiet rooms'], 'query')
  assert.equal(service.server.requests[0]?.body.input, ['Q: quiet rooms'])
  assert.is.not(told.id, known.id)
})

test('another model, length or calibration is another vector space', async () => {
  const ids = [
    await service.open(),
    await service.open({ model: 'other' }),
    await service.open({ dimensions: 12 }),
    await service.open({ calibration: 0.5 }),
  ]
  assert.is(new Set(ids.map(({ id }) => id)).size, 4)
})

test('warns of a model that nothing is known of, or that was indexed with unrelated texts above the floor', async () => {
  const warnings: string[] = []
  const log: Log = { ...silent, warn: (_fields, message) => warnings.push(message) }
  const url = service.server.url
  const activeName = 'openai/text-embedding-ada-002/k0.000/i8'
  for (const model of ['made-up', 'text-embedding-ada-002', 'text-embedding-3-small']) {
    await createOpenAiEmbedder({ url, model }, { fetch, log, activeName })
  }
  assert.is(warnings.length, 2)
  assert.match(warnings[0] ?? '', /nothing is known/)
  assert.match(warnings[1] ?? '', /similarity_floor/)
})

test('lowers the cosines of a model whose unrelated texts have high ones, unless it was indexed without', async () => {
  const settings = { url: service.server.url, model: 'thenlper/gte-small' }
  const open = (more: object, activeName?: string) =>
    createOpenAiEmbedder({ ...settings, ...more }, { fetch, log: silent, activeName })
  const lowered = await open({})
  assert.ok(Math.abs((0.8 + (lowered.calibration ?? 0)) / (1 - (lowered.calibration ?? 0)) - 0.66) < 1e-9)
  assert.match(lowered.id, /\/k-0\.084\/i8$/)
  const before = lowered.id.replace('k-0.084', 'k0.000')
  assert.is((await open({}, before)).id, before)
  assert.is((await open({ calibration: -0.1 }, before)).calibration, -0.1)
  assert.is((await open({}, lowered.id)).id, lowered.id)
  const [a, b] = [await lowered.embed(['Warm bread.'], 'query'), await lowered.embed(['Warm bread.'], 'document')]
  assert.ok(Math.abs(cosineOf(a[0] ?? [], b[0] ?? []) - (1 - 0.0843) / 1.0843) < 0.02)
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
  const embedder = await service.open()
  for (const shape of shapes) {
    service.server.instead = (body, response) => send(response, 200, shape(body))
    const vectors = await embedder.embed(['One.', 'Two.', 'Three.'], 'document')
    for (const [i, text] of ['One.', 'Two.', 'Three.'].entries()) assertVector(vectors[i], text)
  }
})

test('splits many texts by number and by length, and asks for some at a time only', async () => {
  const embedder = await service.open({ batch: 10, concurrency: 3 })
  service.server.instead = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return false
  }
  const texts = Array.from({ length: 95 }, (_, i) => `Text ${i}.`)
  const vectors = await embedder.embed(texts, 'document')
  for (const [i, text] of texts.entries()) assertVector(vectors[i], text)
  assert.is(service.server.requests.length, 10)
  assert.is(service.server.mostAtOnce, 3)
  service.server.requests.length = 0
  await embedder.embed([`${'a'.repeat(60_000)}`, `${'b'.repeat(60_000)}`, 'c'], 'document')
  assert.equal(service.server.requests.map(({ body }) => body.input.length).sort(), [1, 2])
})

test('refuses nonsense: nothing that is no vector gets in', async () => {
  const embedder = await service.open()
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
    service.server.instead = ({ input }, response) => send(response, 200, body(input))
    const error = await failure(embedder.embed(['One.', 'Two.'], 'document'))
    assert.instance(error, EmbeddingUnavailable, what)
    assert.not.instance(error, EmbeddingRefused, what)
  }
})

test('says so when the service does not shorten its vectors as asked', async () => {
  service.server.instead = ({ input }, response) => send(response, 200, answer(input))
  const error = await failure(service.open({ dimensions: 12 }))
  assert.instance(error, DimensionsIgnored)
  assert.match(error.message, /is 12, but the model answers with 24/)
})

test('a first start waits for a service that loads its model when it is asked', async () => {
  let asked = 0
  service.server.instead = (_body, response) => asked++ < 2 && send(response, 503, { error: 'loading model' })
  await service.open()
  assert.is(asked, 3)
})

test('starts while the service is away when it is known how long its vectors are', async () => {
  const port = await unusedPort()
  const away = { url: `http://127.0.0.1:${port}/v1` }
  assert.instance(await failure(service.open(away)), EmbeddingUnavailable)
  assert.is((await service.open({ ...away, dimensions: 12 })).dimensions, 13)
  const asked: string[] = []
  const embedder = await service.open(away, {
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
