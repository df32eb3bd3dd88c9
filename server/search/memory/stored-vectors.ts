/** A stored vector is none of ours: fractions, or beyond int8. The database alone can compare it. */
export class NotInt8 extends Error {
  readonly code = 'not_int8'
}

/** What `array_send` writes before the first element: dimensions, nulls, type, length, lower bound. */
const ARRAY_HEADER = 20
/** Length of an element; number of components, and one that is reserved. */
const VECTOR_HEADER = 4 + 4
const COMPONENT = 4
const NO_INT8 = 1_000

/** Of a float32's upper half the whole number that it is; of those up to 256 the lower half is zero. */
const WHOLE = new Int16Array(65_536).fill(NO_INT8)
{
  const view = new DataView(new ArrayBuffer(4))
  for (let value = -127; value <= 127; value++) {
    view.setFloat32(0, value)
    WHOLE[view.getUint16(0)] = value
  }
  view.setFloat32(0, -0)
  WHOLE[view.getUint16(0)] = 0
}

/**
 * Reads the vectors of an excerpt from what PostgreSQL's `array_send` makes of them: its own and its sentences'. `each` is
 * called when a vector's components are in `into`, with the square of its length.
 *
 * @throws {NotInt8} when one is of another length than `into`, or is not all whole numbers from -127 to 127
 */
export function readVectors(sent: Uint8Array, into: Int8Array, each: (square: number) => void): void {
  const size = VECTOR_HEADER + into.length * COMPONENT
  if (sent.length < ARRAY_HEADER + size || (sent.length - ARRAY_HEADER) % size !== 0) {
    throw new NotInt8('A stored vector has another length')
  }
  const view = new DataView(sent.buffer, sent.byteOffset, sent.length)
  for (let start = ARRAY_HEADER; start < sent.length; start += size) {
    if (view.getUint16(start + 4) !== into.length) {
      throw new NotInt8('A stored vector has another length')
    }
    let square = 0
    for (let i = 0, at = start + VECTOR_HEADER; i < into.length; i++, at += COMPONENT) {
      const bits = view.getUint32(at)
      const value = WHOLE[bits >>> 16] ?? NO_INT8
      if (value === NO_INT8 || (bits & 0xffff) !== 0) throw new NotInt8('A stored vector is not int8')
      into[i] = value
      square += value * value
    }
    each(square)
  }
}
