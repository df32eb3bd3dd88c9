import { randomUUID } from 'node:crypto'
import * as assert from 'uvu/assert'
import { NotInt8, readVectors } from '../../../server/search/memory/stored-vectors.ts'
import { uuidBytes, writeUuid } from '../../../server/sql/uuid.ts'
import { suite } from '../../suite.ts'

const test = suite('stored vectors and ids')

/** What `array_send` makes of vectors, as it comes over the wire. */
function sent(vectors: readonly (readonly number[])[]): Uint8Array {
  const parts = vectors.map((values) => {
    const bytes = Buffer.alloc(8 + values.length * 4)
    bytes.writeUInt32BE(4 + values.length * 4, 0)
    bytes.writeUInt16BE(values.length, 4)
    for (const [i, value] of values.entries()) bytes.writeFloatBE(value, 8 + i * 4)
    return bytes
  })
  // Somewhere in a larger buffer, at an odd place, as in what the socket gave.
  const hex = Buffer.from(`...\\x${Buffer.concat([Buffer.alloc(20), ...parts]).toString('hex')}..`)
  return hex.subarray(3, hex.length - 2)
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

test('an id is written as the bytes that it stands for', () => {
  for (let round = 0; round < 200; round++) {
    const id = round % 2 === 0 ? randomUUID() : randomUUID().toUpperCase()
    const into = new Uint8Array(20)
    writeUuid(id, into, 2)
    assert.equal(Buffer.from(into.subarray(2, 18)), uuidBytes(id))
    assert.equal([into[0], into[1], into[18], into[19]], [0, 0, 0, 0])
  }
})

test.run()
