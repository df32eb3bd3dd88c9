import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { compileKernel, KERNEL_FILE } from '../../../scripts/build-kernel.ts'
import { BLOCK_BYTES } from '../../../server/search/memory/block-allocator.ts'
import { ALIGNMENT, createScan, hasSimd, plainScan, rowOf } from '../../../server/search/memory/kernel.ts'
import { suite } from '../../suite.ts'

const test = suite('the kernel')

test('the committed file is what the source compiles to', async () => {
  assert.equal(Buffer.from(await compileKernel()), readFileSync(KERNEL_FILE))
  assert.ok(readFileSync(KERNEL_FILE).length < 1_100)
})

test('this machine has SIMD, so that the other tests compare two things', () => {
  assert.ok(hasSimd())
})

test('leaves the same rows and sums as plain TypeScript, to the bit, at every length, threshold and extreme', () => {
  const memory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true })
  const bytes = new Int8Array(memory.buffer)
  let state = 7
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state >>> 8
  }
  const [query, out, norms, at] = [0, BLOCK_BYTES, 2 * BLOCK_BYTES, 3 * BLOCK_BYTES]
  let passed = 0
  let unread = 0
  for (const [head, rest] of [
    [ALIGNMENT, 0],
    [32, 16],
    [272, 0],
    [112, 160],
    [16, 400],
    [1008, 2096],
  ] as const) {
    for (const fill of ['random', 'small rests', 'highest', 'lowest'] as const) {
      const count = 40
      const values = new Int16Array(memory.buffer, query, head + rest)
      const isSmall = (i: number) => fill === 'small rests' && i >= head
      for (let i = 0; i < head + rest; i++) {
        if (fill === 'highest') values[i] = 32_767
        else if (fill === 'lowest') values[i] = -32_768
        else values[i] = isSmall(i) ? (random() % 101) - 50 : (random() % 8001) - 4000
      }
      const squares = new Int32Array(memory.buffer, norms, count)
      const lengths = new Float32Array(memory.buffer, norms + count * 4, count)
      for (let place = 0; place < count; place++) {
        const row = rowOf(place, count)
        let [square, ofRest] = [0, 0]
        for (let i = 0; i < head + rest; i++) {
          const value = fill === 'highest' ? 127 : fill === 'lowest' ? -128 : (random() % 255) - 127
          const small = isSmall(i) ? value >> 5 : value
          bytes[i < head ? at + row * head + i : at + count * head + row * rest + i - head] = small
          square += small * small
          if (i >= head) ofRest += small * small
        }
        squares[place] = square
        lengths[place] = Math.sqrt(ofRest) * (1 + 2 ** -22)
      }
      const reach = 1 + Math.sqrt(values.subarray(head).reduce((sum, x) => sum + x * x, 0))
      const rows = { at, count, head, rest, norms }
      for (const threshold of [-1e30, -3_000, -1, 0, 1, 2_500, 30_000, 1e30]) {
        const results = [createScan(memory), plainScan(memory)].map((scan) => {
          new Int32Array(memory.buffer, out, count * 2 + 8).fill(-1)
          const found = scan(rows, query, threshold, reach, out)
          return [found, ...new Int32Array(memory.buffer, out, found * 2)]
        })
        assert.equal(results[0], results[1], `${head} and ${rest} components, ${fill}, ${threshold}`)
        passed += results[0]?.[0] ?? 0
        unread += rest > 0 && results[0]?.[0] === 0 ? 1 : 0
      }
    }
  }
  assert.ok(passed > 1_000 && unread > 20, `${passed}, ${unread}`)
})

test('a row whose rest alone decides is found, whatever is rounded on the way', () => {
  const memory = new WebAssembly.Memory({ initial: 4, maximum: 4, shared: true })
  const [head, rest, count] = [16, 160, 4]
  const [query, out, norms, at] = [0, BLOCK_BYTES, 2 * BLOCK_BYTES, 3 * BLOCK_BYTES]
  const bytes = new Int8Array(memory.buffer, at, count * (head + rest))
  const values = new Int16Array(memory.buffer, query, head + rest)
  const squares = new Int32Array(memory.buffer, norms, count)
  const lengths = new Float32Array(memory.buffer, norms + count * 4, count)
  // The rest of each row points where the query's does: the bound is then met with nothing to spare.
  for (let scale = 1; scale <= 127; scale++) {
    for (let i = 0; i < head + rest; i++) values[i] = i < head ? 3 : scale * ((i % 3) - 1)
    for (let row = 0; row < count; row++) {
      for (let i = 0; i < head; i++) bytes[row * head + i] = row
      for (let i = 0; i < rest; i++) bytes[count * head + row * rest + i] = scale * (((i + head) % 3) - 1)
      const ofRest = values.subarray(head).reduce((sum, x) => sum + x * x, 0)
      squares[row] = head * row * row + ofRest
      lengths[row] = Math.sqrt(ofRest) * (1 + 2 ** -22)
      const sum = head * row * 3 + ofRest
      const threshold = sum / Math.sqrt(squares[row] ?? 0)
      const reach = 1 + Math.sqrt(ofRest)
      const rows = { at, count, head, rest, norms }
      const [found, plain] = [createScan(memory), plainScan(memory)].map((scan) => {
        const some = scan(rows, query, threshold, reach, out)
        return [...new Int32Array(memory.buffer, out, some * 2)]
      })
      assert.equal(found, plain)
    }
  }
})

test.run()
