/**
 * A stored vector is not one that Pullquote quantised: it has fractions or exceeds int8. Only the database can compare it.
 */
export class NotInt8 extends Error {
  readonly code = 'not_int8'
}

/** What `array_send` writes before the first element: dimensions, nulls, type, length, lower bound. */
const ARRAY_HEADER = 20
/** Element length, number of components, and a reserved field. */
const VECTOR_HEADER = 4 + 4
const COMPONENT = 4
const NO_INT8 = 1_000

/**
 * Maps the first two bytes of a float32, in this machine's byte order, to the integer it is; its last two bytes are
 * then zero.
 */
const WHOLE = new Int16Array(65_536).fill(NO_INT8)
{
  const bytes = new ArrayBuffer(4)
  const [view, words] = [new DataView(bytes), new Uint16Array(bytes)]
  for (let value = -127; value <= 127; value++) {
    view.setFloat32(0, value)
    WHOLE[words[0] ?? 0] = value
  }
  view.setFloat32(0, -0)
  WHOLE[words[0] ?? 0] = 0
}

/** Reads an excerpt's vectors, its own and its sentences', from the output of PostgreSQL's `array_send`. */
export class StoredVectors {
  readonly #dimensions: number
  readonly #rest: Int8Array
  readonly #head: Int8Array
  readonly #size: number
  #bytes = new Uint8Array(0)
  /** The same bytes in pairs; the data is aligned to even offsets. */
  #words = new Uint16Array(0)

  /** @param decisive how many of the last components form the head */
  constructor(dimensions: number, decisive: number) {
    this.#dimensions = dimensions
    this.#rest = new Int8Array(dimensions - decisive)
    this.#head = new Int8Array(decisive)
    this.#size = VECTOR_HEADER + dimensions * COMPONENT
  }

  /**
   * Loads an excerpt's vectors.
   * @returns how many there are
   * @throws {NotInt8} when one does not have this object's dimensions
   */
  open(sent: Uint8Array): number {
    if (sent.length > this.#bytes.length) {
      this.#bytes = new Uint8Array(sent.length * 2)
      this.#words = new Uint16Array(this.#bytes.buffer)
    }
    this.#bytes.set(sent)
    const count = (sent.length - ARRAY_HEADER) / this.#size
    const view = new DataView(this.#bytes.buffer)
    let isKnown = count >= 1 && Number.isInteger(count)
    for (let nth = 0; isKnown && nth < count; nth++)
      isKnown = view.getUint16(ARRAY_HEADER + nth * this.#size + 4) === this.#dimensions
    if (!isKnown) throw new NotInt8('A stored vector has another length')
    return count
  }

  /**
   * Writes the components of the nth vector to `into`, its head from `head` on and its rest from `rest` on.
   * @returns the squared length of the vector and of its rest
   * @throws {NotInt8} unless all are integers from -127 to 127
   */
  read(nth: number, into: Int8Array, head: number, rest: number): { square: number; restSquare: number } {
    const from = (ARRAY_HEADER + nth * this.#size + VECTOR_HEADER) / 2
    const restSquare = readWhole(this.#words, from, this.#rest)
    const square = restSquare + readWhole(this.#words, from + (this.#rest.length * COMPONENT) / 2, this.#head)
    into.set(this.#head, head)
    into.set(this.#rest, rest)
    return { square, restSquare }
  }
}

/** Reads into a private array: writing components straight to shared memory took 3.7 ns each instead of 1.5. */
function readWhole(words: Uint16Array, from: number, values: Int8Array): number {
  let square = 0
  let strange = 0
  for (let i = 0, at = from; i < values.length; i++, at += 2) {
    const value = WHOLE[words[at] ?? 0] ?? NO_INT8
    values[i] = value
    square = (square + Math.imul(value, value)) | 0
    strange |= ((value + 128) >> 8) | (words[at + 1] ?? 0)
  }
  if (strange !== 0) throw new NotInt8('A stored vector is not int8')
  return square
}
