import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { compileKernel, KERNEL_FILE } from '../../../scripts/build-kernel.ts'
import { BLOCK_BYTES } from '../../../server/search/memory/block-allocator.ts'
import {
  createScan,
  HEAD_ALIGNMENT,
  hasSimd,
  NUMBERS,
  plainScan,
  STREAMS,
} from '../../../server/search/memory/kernel.ts'
import { suite } from '../../suite.ts'

const test = suite('the kernel')

test('the committed file is what the source compiles to', async () => {
  assert.equal(Buffer.from(await compileKernel()), readFileSync(KERNEL_FILE))
  assert.ok(readFileSync(KERNEL_FILE).length < 1_200)
})

test('this machine has SIMD, so that the other tests compare two things', () => {
  assert.ok(hasSimd())
})

/** A memory with room for the streams of a scan, apart from each other and not in order. */
function streamsIn(memory: WebAssembly.Memory, { head, rest, count }: { head: number; rest: number; count: number }) {
  const [streams, query, out, from] = [BLOCK_BYTES - 64, 0, BLOCK_BYTES, 2 * BLOCK_BYTES]
  const space = count * (head + rest + NUMBERS * 4) + 24
  const heads = [2, 0, 3, 1].map((nth) => from + nth * space)
  const numbers = heads.map((at) => at + count * head)
  const rests = heads.map((at) => at + count * (head + NUMBERS * 4))
  new Int32Array(memory.buffer).set([...heads, ...numbers, ...rests], streams / 4)
  const placeOf = (stream: number, row: number) => ({
    head: (heads[stream] ?? 0) + row * head,
    rest: (rests[stream] ?? 0) + row * rest,
    square: (numbers[stream] ?? 0) / 4 + row * NUMBERS,
    length: (numbers[stream] ?? 0) / 4 + row * NUMBERS + 1,
  })
  return { rows: { streams, count, head, rest }, query, out, placeOf }
}

test('leaves the same rows and sums as plain TypeScript, to the bit, at every length, threshold and extreme', () => {
  const memory = new WebAssembly.Memory({ initial: 64, maximum: 64, shared: true })
  const bytes = new Int8Array(memory.buffer)
  let state = 7
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return state >>> 8
  }
  const [squares, lengths] = [new Int32Array(memory.buffer), new Float32Array(memory.buffer)]
  let passed = 0
  let unread = 0
  for (const [head, rest] of [
    [HEAD_ALIGNMENT, 0],
    [32, 16],
    [272, 0],
    [112, 152],
    [16, 400],
    [1008, 2096],
  ] as const) {
    for (const fill of ['random', 'small rests', 'highest', 'lowest'] as const) {
      const count = 10
      const { rows, query, out, placeOf } = streamsIn(memory, { head, rest, count })
      const values = new Int16Array(memory.buffer, query, head + rest)
      const isSmall = (i: number) => fill === 'small rests' && i >= head
      for (let i = 0; i < head + rest; i++) {
        if (fill === 'highest') values[i] = 32_767
        else if (fill === 'lowest') values[i] = -32_768
        else values[i] = isSmall(i) ? (random() % 101) - 50 : (random() % 8001) - 4000
      }
      for (let place = 0; place < count * STREAMS; place++) {
        const at = placeOf(place % STREAMS, Math.floor(place / STREAMS))
        let [square, ofRest] = [0, 0]
        for (let i = 0; i < head + rest; i++) {
          const value = fill === 'highest' ? 127 : fill === 'lowest' ? -128 : (random() % 255) - 127
          const small = isSmall(i) ? value >> 5 : value
          bytes[i < head ? at.head + i : at.rest + i - head] = small
          square += small * small
          if (i >= head) ofRest += small * small
        }
        squares[at.square] = square
        lengths[at.length] = Math.sqrt(ofRest) * (1 + 2 ** -22)
      }
      const reach = 1 + Math.sqrt(values.subarray(head).reduce((sum, x) => sum + x * x, 0))
      for (const threshold of [-1e30, -3_000, -1, 0, 1, 2_500, 30_000, 1e30]) {
        const results = [createScan(memory), plainScan(memory)].map((scan) => {
          new Int32Array(memory.buffer, out, count * STREAMS * 2 + 8).fill(-1)
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
  const [head, rest] = [16, 160]
  const { rows, query, out, placeOf } = streamsIn(memory, { head, rest, count: 1 })
  const bytes = new Int8Array(memory.buffer)
  const values = new Int16Array(memory.buffer, query, head + rest)
  const [squares, lengths] = [new Int32Array(memory.buffer), new Float32Array(memory.buffer)]
  let passed = 0
  // The rest of each row points where the query's does: the bound is then met with nothing to spare.
  for (let scale = 1; scale <= 127; scale++) {
    for (let i = 0; i < head + rest; i++) values[i] = i < head ? 3 : scale * ((i % 3) - 1)
    for (let stream = 0; stream < STREAMS; stream++) {
      const at = placeOf(stream, 0)
      for (let i = 0; i < head; i++) bytes[at.head + i] = stream
      for (let i = 0; i < rest; i++) bytes[at.rest + i] = scale * (((i + head) % 3) - 1)
      const ofRest = values.subarray(head).reduce((sum, x) => sum + x * x, 0)
      const square = head * stream * stream + ofRest
      squares[at.square] = square
      lengths[at.length] = Math.sqrt(ofRest) * (1 + 2 ** -22)
      const sum = head * stream * 3 + ofRest
      const threshold = sum / Math.sqrt(square)
      const reach = 1 + Math.sqrt(ofRest)
      const [found, plain] = [createScan(memory), plainScan(memory)].map((scan) => {
        const some = scan(rows, query, threshold, reach, out)
        return [...new Int32Array(memory.buffer, out, some * 2)]
      })
      assert.equal(found, plain)
      passed += (found?.length ?? 0) / 2
    }
  }
  assert.ok(passed > 100, `${passed}`)
})

test.run()
