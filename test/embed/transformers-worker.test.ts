import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { EmbeddingUnavailable } from '../../server/embed/embedder.ts'
import type { OpenModel } from '../../server/embed/transformers-model.ts'
import { openModelInThread } from '../../server/embed/transformers-worker.ts'
import { codeOf } from '../../src/contract/code-of.ts'
import { suite } from '../suite.ts'
import { failure } from './vector-assertions.ts'

const test = suite('a model in a thread of its own')
const PACKAGE = new URL('./blocking-package.js', import.meta.url).href
let folder: string
let model: OpenModel

test.before.each(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pullquote-model-'))
  model = await openModelInThread(folder, PACKAGE)
})
test.after.each(async () => {
  await model.close()
  await rm(folder, { recursive: true, force: true })
})

/** Ends the wait of the run with this text. */
const release = (text: string) => writeFile(join(folder, text), '')

test('a run that blocks its thread does not block this one, which could not release it', async () => {
  const run = model.run(['wait 1', 'two'], false)
  await release('wait 1')
  assert.equal(await run, [Float32Array.of(1, 6), Float32Array.of(1, 3)])
  assert.is(model.dimensions, 2)
})

test('what somebody waits for goes before what waits, in the order of each', async () => {
  const order: string[] = []
  const run = (text: string, isUrgent: boolean) => model.run([text], isUrgent).then(() => order.push(text))
  const runs = [run('wait 1', false), run('document', false), run('another', false), run('search', true)]
  await release('wait 1')
  await Promise.all(runs)
  assert.equal(order, ['wait 1', 'search', 'document', 'another'])
})

test('a run that fails says why, and the next one succeeds', async () => {
  const [failed, next] = await Promise.all([failure(model.run(['fail'], false)), model.run(['fine'], false)])
  assert.is((failed as Error).message, 'the runtime failed')
  assert.is(next.length, 1)
})

test('a thread that ends fails the run that it had, and another one does the rest', async () => {
  const [lost, next] = await Promise.all([failure(model.run(['crash'], false)), model.run(['fine'], false)])
  assert.instance(lost, EmbeddingUnavailable)
  assert.equal(next, [Float32Array.of(1, 4)])
})

test('a model that cannot be opened again fails what waits, until it can', async () => {
  await release('gone')
  const texts = ['crash', 'one', 'two', 'three']
  const lost = await Promise.all(texts.map((text) => failure(model.run([text], false))))
  assert.ok(lost.every((error) => error instanceof EmbeddingUnavailable))
  assert.match(String(lost.at(-1)?.cause), /the model is gone/)
  await rm(join(folder, 'gone'))
  assert.equal(await model.run(['four'], false), [Float32Array.of(1, 4)])
})

test('once it is closed, what waits fails, and nothing starts another thread', async () => {
  const run = model.run(['last'], false)
  const waiting = failure(model.run(['document'], false))
  await model.close()
  assert.equal(await run, [Float32Array.of(1, 4)])
  assert.instance(await waiting, EmbeddingUnavailable)
  assert.instance(await failure(model.run(['another'], false)), EmbeddingUnavailable)
})

test('what the thread cannot open is refused with the same code as here', async () => {
  const missing = await failure(openModelInThread(folder, './no-such-package.js'))
  assert.is(codeOf(missing), 'transformers_missing')
  assert.match((missing as Error).message, /npm install @huggingface\/transformers/)
  assert.is(codeOf(await failure(openModelInThread('./no/such/folder', PACKAGE))), 'model_folder_missing')
})

test.run()
