import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { compileKernel, KERNEL_FILE } from '../../../scripts/build-kernel.ts'
import { ALIGNMENT, createScan, hasSimd, PAGE, plainScan } from '../../../server/search/memory/kernel.ts'
import { suite } from '../../suite.ts'

const test = suite('the kernel')

test('the committed file is what the source compiles to', async () => {
  assert.equal(Buffer.from(await compileKernel()), readFileSync(KERNEL_FILE))
  assert.ok(readFileSync(KERNEL_FILE).length < 1_000)
})

test('this machine has SIMD, so that the other tests compare two things', () => {
  assert.ok(hasSimd())
})

test('gives the same sums as plain TypeScript, to the bit, at every length and at the extremes', () => {
  const memory = new WebAssembly.Memory({ initial: 64 })
  const bytes = new Int8Array(memory.buffer)
  let state = 7
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state >>> 8
  }
  const [query, out, rows] = [0, PAGE, 2 * PAGE]
  for (const stride of [ALIGNMENT, 32, 272, 400, 3088]) {
    for (const fill of ['random', 'highest', 'lowest'] as const) {
      const count = 37
      const values = new Int16Array(memory.buffer, query, stride)
      for (let i = 0; i < stride; i++) {
        values[i] = fill === 'random' ? (random() % 8001) - 4000 : fill === 'highest' ? 32_767 : -32_768
      }
      for (let i = 0; i < count * stride; i++) {
        bytes[rows + i] = fill === 'random' ? (random() % 255) - 127 : fill === 'highest' ? 127 : -128
      }
      const results = [createScan(memory), plainScan(memory)].map((scan) => {
        new Int32Array(memory.buffer, out, count).fill(-1)
        scan(rows, count, stride, query, out)
        return [...new Int32Array(memory.buffer, out, count)]
      })
      assert.equal(results[0], results[1], `${stride} components, ${fill}`)
    }
  }
})

test.run()
