const [OPEN, CLOSE, COMMA, MINUS, ZERO] = [91, 93, 44, 45, 48]
const MOST_INT8_CHARACTERS = 5
let buffer = Buffer.alloc(4096)

/**
 * A vector as pgvector reads it. The embedders' vectors are whole numbers, which are read ten times as fast as fractions;
 * those of documents, three digits at most, are also written faster than `join` would (10 against 16 ms for 2,358 of
 * them) or the package `pgvector` (39 ms, and it takes no typed arrays).
 */
export function vectorText(vector: Float32Array): string {
  if (buffer.length < vector.length * MOST_INT8_CHARACTERS + 2) {
    buffer = Buffer.alloc(vector.length * MOST_INT8_CHARACTERS + 2)
  }
  let at = 0
  buffer[at++] = OPEN
  for (let i = 0; i < vector.length; i++) {
    if (i > 0) buffer[at++] = COMMA
    let n = vector[i] ?? 0
    if (n < 0) {
      buffer[at++] = MINUS
      n = -n
    }
    if (n > 127 || n !== Math.trunc(n)) return `[${vector.join(',')}]`
    if (n >= 100) buffer[at++] = ZERO + 1
    if (n >= 10) buffer[at++] = ZERO + (Math.trunc(n / 10) % 10)
    buffer[at++] = ZERO + (n % 10)
  }
  buffer[at++] = CLOSE
  return buffer.toString('latin1', 0, at)
}
