import * as assert from 'uvu/assert'
import { NotInt8, StoredVectors } from '../../../server/search/memory/stored-vectors.ts'
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

test('every whole number from -127 to 127 is read as it is, vector by vector, its last components and the rest apart', () => {
  const first = Array.from({ length: 255 }, (_, i) => i - 127)
  const vectors = [first, [...first].reverse(), first.map(() => -0)]
  const stored = new StoredVectors(255, 100)
  // A short one behind a long one finds nothing of it.
  for (const some of [vectors, vectors.slice(1), vectors]) {
    const into = new Int8Array(1_000).fill(99)
    assert.is(stored.open(sent(some)), some.length)
    for (const [nth, values] of some.entries()) {
      const at = 1 + nth * 300
      const [square, restSquare] = [values, values.slice(0, 155)].map((some) => some.reduce((sum, x) => sum + x * x, 0))
      assert.equal(stored.read(nth, into, at + 156, at), { square, restSquare })
      assert.is(into[at + 155], 99)
      const read = [...into.subarray(at, at + 155), ...into.subarray(at + 156, at + 256)]
      assert.equal(
        read,
        values.map((value) => value + 0),
      )
      assert.equal([into[at - 1], into[at + 256]], [99, 99])
    }
  }
})

test('what is no such number, or of another length, is refused', () => {
  const read = (values: readonly number[], decisive = 3) => {
    const stored = new StoredVectors(3, decisive)
    return () => {
      for (let nth = stored.open(sent([values])) - 1; nth >= 0; nth--)
        stored.read(nth, new Int8Array(3), 3 - decisive, 0)
    }
  }
  const refused = (error: unknown) => error instanceof NotInt8
  for (const value of [0.5, 128, -128, 1.0000001, Number.NaN, Number.POSITIVE_INFINITY, 1e-40])
    for (const decisive of [1, 2, 3]) assert.throws(read([1, value, 2], decisive), refused, `${value}, ${decisive}`)
  for (const values of [[1, 2], [1, 2, 3, 4], [], [1, 2, 3, 4, 5, 6]]) assert.throws(read(values), refused)
  read([1, -0, 2])()
  for (const length of [0, 20, 22]) assert.throws(() => new StoredVectors(3, 3).open(new Uint8Array(length)), refused)
})

test.run()
