import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { compileKernel, KERNEL_FILE } from '../../../scripts/build-kernel.ts'
import { BLOCK_BYTES } from '../../../server/search/memory/block-allocator.ts'
import { ALIGNMENT, createScan, hasSimd, plainScan } from '../../../server/search/memory/kernel.ts'
import { suite } from '../../suite.ts'

const test = suite('the kernel')

test('the committed file is what the source compiles to', async () => {
  assert.equal(Buffer.from(await compileKernel()), readFileSync(KERNEL_FILE))
  assert.ok(readFileSync(KERNEL_FILE).length < 1_000)
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
  const [query, out, norms, rows] = [0, BLOCK_BYTES, 2 * BLOCK_BYTES, 3 * BLOCK_BYTES]
  let passed = 0
  for (const stride of [ALIGNMENT, 16, 264, 400, 3088]) {
    for (const fill of ['random', 'highest', 'lowest'] as const) {
      const count = 40
      const values = new Int16Array(memory.buffer, query, stride)
      for (let i = 0; i < stride; i++) {
        values[i] = fill === 'random' ? (random() % 8001) - 4000 : fill === 'highest' ? 32_767 : -32_768
      }
      for (let i = 0; i < count * stride; i++) {
        bytes[rows + i] = fill === 'random' ? (random() % 255) - 127 : fill === 'highest' ? 127 : -128
      }
      const squares = new Int32Array(memory.buffer, norms, count)
      for (let row = 0; row < count; row++) {
        squares[row] = bytes.subarray(rows + row * stride, rows + (row + 1) * stride).reduce((sum, x) => sum + x * x, 0)
      }
      for (const threshold of [-1e30, -3_000, -1, 0, 1, 2_500, 30_000, 1e30]) {
        const results = [createScan(memory), plainScan(memory)].map((scan) => {
          new Int32Array(memory.buffer, out, count * 2).fill(-1)
          const found = scan(rows, count, stride, norms, query, threshold, out)
          return [found, ...new Int32Array(memory.buffer, out, found * 2)]
        })
        assert.equal(results[0], results[1], `${stride} components, ${fill}, ${threshold}`)
        passed += results[0]?.[0] ?? 0
      }
    }
  }
  assert.ok(passed > 1_000)
})

test.run()
