const [OPEN, CLOSE, COMMA] = [91, 93, 44]
const LEAST = -128
const MOST_INT8_CHARACTERS = 5
/** Of each int8: its digits as the bytes of a little-endian number, and how many they are. */
const DIGITS = new Uint32Array(256)
const LENGTHS = new Uint8Array(256)
for (let n = LEAST; n < -LEAST; n++) {
  const digits = Buffer.alloc(4)
  LENGTHS[n - LEAST] = digits.write(String(n), 'latin1')
  DIGITS[n - LEAST] = digits.readUInt32LE()
}
let buffer = Buffer.alloc(4096)
let view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)

/**
 * A vector as pgvector reads it. The embedders' vectors are whole numbers, which are read ten times as fast as fractions;
 * those of documents, int8, are also written from a table, in a third of the time that dividing takes (2 to 4 against 7 to 11 µs).
 */
export function vectorText(vector: Float32Array): string {
  const most = vector.length * MOST_INT8_CHARACTERS + DIGITS.BYTES_PER_ELEMENT
  if (buffer.length < most) {
    buffer = Buffer.alloc(most)
    view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
  }
  buffer[0] = OPEN
  let at = 1
  for (let i = 0; i < vector.length; i++) {
    // A fraction, or a number of more digits, has no place in the table.
    const place = (vector[i] ?? 0) - LEAST
    const length = LENGTHS[place]
    if (length === undefined) return `[${vector.join(',')}]`
    view.setUint32(at, DIGITS[place] ?? 0, true)
    at += length
    buffer[at++] = COMMA
  }
  // In place of the last comma; a vector without numbers is one that the database refuses.
  buffer[Math.max(1, at - 1)] = CLOSE
  return buffer.toString('latin1', 0, Math.max(2, at))
}
