import * as assert from 'uvu/assert'
import { cosineOf } from '../../server/embed/calibrate.ts'
import type { Embedder } from '../../server/embed/embedder.ts'
import { suite } from '../suite.ts'

/** What a provider's test brings: a way to open it, and what must be shut afterwards. */
export interface OpenedProvider {
  embedder: Embedder
  close?(): Promise<void> | void
}

const TEXTS = [
  'The breakfast was generous and the coffee strong.',
  'Our room looked out on a noisy street.',
  'Das Personal war sehr freundlich.',
  '房间干净整洁，床也很舒服。',
  'الغرفة نظيفة والموظفون ودودون',
  '👨‍👩‍👧‍👦🏳️‍🌈',
  '...',
  'two\nlines\tand a tab',
  'long '.repeat(60).trim(),
]

/** Everything that every provider must do, run on each. */
export function providerContract(name: string, open: () => Promise<OpenedProvider>): void {
  const test = suite(`${name} provider`)
  let opened: OpenedProvider

  test.before(async () => {
    opened = await open()
  })
  test.after(async () => {
    await opened.embedder.close?.()
    await opened.close?.()
  })

  test('is named after its provider and says how long its vectors are', async () => {
    assert.match(opened.embedder.id, new RegExp(`^${name}/.+/k\\d+\\.\\d{3}/i8$`))
    assert.ok(Number.isInteger(opened.embedder.dimensions) && opened.embedder.dimensions > 1)
  })

  test('opens again under the same name, with the same vectors', async () => {
    const again = await open()
    assert.is(again.embedder.id, opened.embedder.id)
    assert.is(again.embedder.dimensions, opened.embedder.dimensions)
    const [first, second] = await Promise.all(
      [opened, again].map(({ embedder }) => embedder.embed(TEXTS.slice(0, 1), 'document')),
    )
    assert.equal(second, first)
    await again.embedder.close?.()
    await again.close?.()
  })

  for (const kind of ['document', 'query'] as const) {
    test(`gives one vector of whole numbers for each ${kind}, whatever stands in it`, async () => {
      const vectors = await opened.embedder.embed(TEXTS, kind)
      assert.is(vectors.length, TEXTS.length)
      for (const [i, vector] of vectors.entries()) {
        assert.instance(vector, Float32Array)
        assert.is(vector.length, opened.embedder.dimensions)
        const most = kind === 'document' ? 127 : 4000
        assert.ok(
          vector.every((x) => Number.isInteger(x) && Math.abs(x) <= most),
          TEXTS[i],
        )
      }
    })
  }

  test('gives nothing for nothing', async () => {
    assert.equal(await opened.embedder.embed([], 'document'), [])
  })

  test('keeps the order of many texts, and gives a text the same vector alone and among others', async () => {
    const many = Array.from({ length: 150 }, (_, i) => `Room ${i} has ${i * 7} windows and ${i % 5} beds.`)
    const together = await opened.embedder.embed(many, 'document')
    for (const i of [0, 1, 31, 32, 63, 64, 149]) {
      const [alone] = await opened.embedder.embed([many[i] ?? ''], 'document')
      assert.ok(alone && cosineOf(alone, together[i] ?? alone) > 0.9999, `text ${i} differs`)
      assert.ok(cosineOf(alone, together[(i + 1) % 150] ?? alone) < 0.9999, `text ${i} is like its neighbour`)
    }
  })

  test('does not mix up calls that run at once', async () => {
    const alone = await opened.embedder.embed(TEXTS, 'document')
    const results = await Promise.all(TEXTS.map((text) => opened.embedder.embed([text], 'document')))
    for (const [i, [vector]] of results.entries()) {
      assert.ok(vector && cosineOf(vector, alone[i] ?? vector) > 0.9999)
    }
  })

  test('holds cosines between the floor that its calibration sets and one', async () => {
    const k = Number(/k(\d+\.\d{3})\/i8$/.exec(opened.embedder.id)?.[1])
    const vectors = await opened.embedder.embed(TEXTS, 'document')
    for (const a of vectors) {
      for (const b of vectors) {
        const c = cosineOf(a, b)
        assert.ok(c <= 1 + 1e-5 && c >= (k - 1) / (k + 1) - 5e-3, `${c} for k = ${k}`)
      }
    }
  })

  test('rejects a call that was given up', async () => {
    const signal = AbortSignal.abort(new Error('given up'))
    const many = Array.from({ length: 400 }, (_, i) => `Text number ${i}.`)
    const outcome = await opened.embedder.embed(many, 'document', signal).then(
      () => 'answered',
      (error: Error) => error.message,
    )
    assert.is(outcome, 'given up')
  })

  test.run()
}
