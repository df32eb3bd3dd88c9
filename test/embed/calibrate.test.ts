import * as assert from 'uvu/assert'
import { calibrate, calibrationFor, cosineOf, rawCosine } from '../../server/embed/calibrate.ts'
import { suite } from '../suite.ts'

const test = suite('calibration')

/** Two unit vectors with about this cosine, from a seed. */
function pair(seed: number, size: number, cosine: number): [Float64Array, Float64Array] {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state / 2 ** 31
  }
  const unit = (raw: Float64Array) => {
    const length = Math.sqrt(raw.reduce((sum, y) => sum + y * y, 0))
    return raw.map((x) => x / length)
  }
  const a = unit(Float64Array.from({ length: size }, random))
  const noise = unit(Float64Array.from({ length: size }, random))
  return [a, unit(a.map((x, i) => cosine * x + Math.sqrt(1 - cosine ** 2) * (noise[i] ?? 0)))]
}

test('moves a cosine c to (c + k) / (1 + |k|), to about .005 once rounded', () => {
  for (const size of [64, 258, 384, 1024, 3072]) {
    for (const k of [-0.2, calibrationFor(0.8, 0.66), 0, 0.03, 0.33, calibrationFor(0.42, 0.66), 1.06]) {
      for (let seed = 1; seed <= 40; seed++) {
        const [a, b] = pair(seed, size, (seed % 20) / 20)
        const expected = (cosineOf(a, b) + k) / (1 + Math.abs(k))
        const got = cosineOf(calibrate(a, k, 'query'), calibrate(b, k, 'document'))
        assert.ok(Math.abs(got - expected) < 0.0075, `${got} is not ${expected}: ${size} components, k = ${k}`)
      }
    }
  }
})

test('the constant for a threshold moves it to the floor, from below and from above', () => {
  for (const threshold of [-0.5, 0, 0.3, 0.66, 0.7, 0.8, 0.95]) {
    const k = calibrationFor(threshold, 0.66)
    assert.ok(Math.abs((threshold + k) / (1 + Math.abs(k)) - 0.66) < 1e-12, `${threshold}`)
    assert.ok(Math.abs(rawCosine(0.66, k) - threshold) < 1e-12, `${threshold}`)
  }
})

test('a document fits into int8 and uses all of it', () => {
  for (const k of [-0.2, 0, 0.7, 10]) {
    const [, document] = pair(3, 258, 0.5)
    const rounded = calibrate(document, k, 'document')
    assert.ok(rounded.every((x) => Number.isInteger(x)))
    assert.is(Math.max(...rounded.map(Math.abs)), 127)
  }
})

test('no sum of products leaves what a 32-bit float holds exactly, even of a flat vector', () => {
  const flat = new Float64Array(16_000).fill(1 / Math.sqrt(16_000))
  for (const k of [-0.2, 0, 0.001, 1]) {
    const sum = (a: Float32Array, b: Float32Array) => a.reduce((total, x, i) => total + Math.abs(x * (b[i] ?? 0)), 0)
    const [query, document] = [calibrate(flat, k, 'query'), calibrate(flat, k, 'document')]
    for (const [a, b] of [
      [query, document],
      [query, query],
      [document, document],
    ] as const) {
      assert.ok(sum(a, b) < 2 ** 24)
    }
  }
})

test('a zero vector keeps the constant alone, or nothing', () => {
  assert.equal([...calibrate(new Float32Array(2), 1, 'document')], [0, 0, 127])
  assert.equal([...calibrate(new Float32Array(2), 0, 'document')], [0, 0, 0])
})

test.run()
