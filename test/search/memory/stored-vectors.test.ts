import * as assert from 'uvu/assert'
import { NotInt8, readVectors } from '../../../server/search/memory/stored-vectors.ts'
import { suite } from '../../suite.ts'

const test = suite('stored vectors')

/** What `array_send` makes of vectors. */
function sent(vectors: readonly (readonly number[])[]): Uint8Array {
  const parts = vectors.map((values) => {
    const bytes = Buffer.alloc(8 + values.length * 4)
    bytes.writeUInt32BE(4 + values.length * 4, 0)
    bytes.writeUInt16BE(values.length, 4)
    for (const [i, value] of values.entries()) bytes.writeFloatBE(value, 8 + i * 4)
    return bytes
  })
  // Somewhere in a larger buffer, at an odd place, as in what the socket gave.
  const bytes = Buffer.concat([Buffer.alloc(3), Buffer.alloc(20), ...parts, Buffer.alloc(2)])
  return bytes.subarray(3, bytes.length - 2)
}

test('every whole number from -127 to 127 is read as it is, vector by vector', () => {
  const first = Array.from({ length: 255 }, (_, i) => i - 127)
  const second = [...first].reverse()
  const into = new Int8Array(255)
  const found: number[][] = []
  const squares: number[] = []
  readVectors(sent([first, second]), into, (square) => {
    found.push([...into])
    squares.push(square)
  })
  assert.equal(found, [first, second])
  const square = first.reduce((sum, value) => sum + value * value, 0)
  assert.equal(squares, [square, square])
})

test('what is no such number, or of another length, is refused', () => {
  const read = (values: readonly number[]) => () => readVectors(sent([values]), new Int8Array(3), () => {})
  for (const value of [0.5, 128, -128, 1.0000001, Number.NaN, Number.POSITIVE_INFINITY, 1e-40]) {
    assert.throws(read([1, value, 2]), (error: unknown) => error instanceof NotInt8, String(value))
  }
  assert.throws(read([1, 2]), (error: unknown) => error instanceof NotInt8)
  assert.throws(read([1, 2, 3, 4]), (error: unknown) => error instanceof NotInt8)
  read([1, -0, 2])()
})

test.run()
