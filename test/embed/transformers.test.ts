import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'
import { EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import { createTransformersEmbedder } from '../../server/embed/transformers.ts'
import {
  ModelFolderMissing,
  ModelUnusable,
  openTransformersModel,
  TransformersMissing,
} from '../../server/embed/transformers-model.ts'
import { silent } from '../database.ts'
import { suite } from '../suite.ts'
import { fakeTransformers } from './fake-transformers.ts'

const test = suite('transformers provider, in detail')
let folder: string

test.before(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'pullquote-model-')), 'bge-small-en-v1.5')
  await mkdir(join(folder, 'onnx'), { recursive: true })
  await writeFile(join(folder, 'onnx', 'model_quantized.onnx'), '')
})
test.after(() => rm(dirname(folder), { recursive: true, force: true }))

const open = (model: string, fake = fakeTransformers(), more = {}) =>
  createTransformersEmbedder(
    { model, ...more },
    { log: silent, openModel: (name) => openTransformersModel(name, async () => fake.module) },
  )

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

test('says how to install the package when it is missing', async () => {
  const load = () => import(`@huggingface/${'not-installed'}`)
  const error = await failure(openTransformersModel('some/model', load))
  assert.instance(error, TransformersMissing)
  assert.match((error as Error).message, /npm install @huggingface\/transformers/)
})

test('says the same of a package that is not what it was', async () => {
  const load = async () => ({ env: {} })
  assert.instance(await failure(openTransformersModel('some/model', load)), TransformersMissing)
})

test('opens a model of the hub by its name, in full precision, mean-pooled and normalised', async () => {
  const fake = fakeTransformers()
  await open('Xenova/all-MiniLM-L6-v2', fake)
  assert.equal(fake.opened, [
    { task: 'feature-extraction', model: 'Xenova/all-MiniLM-L6-v2', options: { dtype: 'fp32' } },
  ])
  assert.equal(fake.runs[0]?.options, { pooling: 'mean', normalize: true })
  assert.is(fake.module.env.allowRemoteModels, true)
})

test('opens a folder without asking the network, with the precision it has and the pooling it needs', async () => {
  const fake = fakeTransformers()
  const embedder = await open(folder, fake)
  assert.equal(fake.opened, [{ task: 'feature-extraction', model: 'bge-small-en-v1.5', options: { dtype: 'q8' } }])
  assert.is(fake.module.env.allowRemoteModels, false)
  assert.is(fake.module.env.localModelPath, dirname(folder))
  assert.equal(fake.runs[0]?.options, { pooling: 'cls', normalize: true })
  assert.not.match(embedder.id, new RegExp(tmpdir()), 'a folder that moves is the same model')
})

test('says so when the folder does not exist', async () => {
  assert.instance(await failure(open('./no/such/folder')), ModelFolderMissing)
})

test('says which model cannot be used, and what it has to be', async () => {
  const fake = fakeTransformers()
  fake.state.fails = () => true
  const error = await failure(open('some/model', fake))
  assert.instance(error, ModelUnusable)
  assert.match((error as Error).message, /"some\/model" cannot be used: the runtime failed\. .+last_hidden_state/)
})

test('says why the hub cannot be reached', async () => {
  const pipeline = async () => {
    throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND hub.example') })
  }
  const error = await failure(openTransformersModel('some/model', async () => ({ env: {}, pipeline })))
  assert.match((error as Error).message, 'cannot be used: fetch failed: getaddrinfo ENOTFOUND hub.example. It has')
})

test('marks searches and documents', async () => {
  const fake = fakeTransformers()
  const embedder = await open('intfloat/multilingual-e5-small', fake)
  fake.runs.length = 0
  await embedder.embed(['quiet rooms'], 'query')
  await embedder.embed(['The rooms are quiet.'], 'document')
  assert.equal(
    fake.runs.map(({ texts }) => texts),
    [['query: quiet rooms'], ['passage: The rooms are quiet.']],
  )
})

test('runs a few texts at a time and gives the memory of each run back', async () => {
  const fake = fakeTransformers()
  const embedder = await open('some/model', fake, { batch: 10 })
  fake.runs.length = 0
  fake.state.disposedTensors = 0
  await embedder.embed(
    Array.from({ length: 25 }, (_, i) => `Text ${i}.`),
    'document',
  )
  assert.equal(
    fake.runs.map(({ texts }) => texts.length),
    [10, 10, 5],
  )
  assert.is(fake.state.disposedTensors, 3)
  await embedder.close?.()
  assert.ok(fake.state.disposed)
})

test("a failing search is unavailable; a document's own error stays, so that its review can be found", async () => {
  const fake = fakeTransformers()
  const embedder = await open('some/model', fake)
  fake.state.fails = (text) => text.includes('poison')
  assert.instance(await failure(embedder.embed(['poison'], 'query')), EmbeddingUnavailable)
  const error = await failure(embedder.embed(['poison'], 'document'))
  assert.not.instance(error, EmbeddingUnavailable)
  assert.is((error as Error).message, 'the runtime failed')
})

test.run()
