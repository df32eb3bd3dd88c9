/** Sums computed at once: each addition depends on the previous one of its sum, so the processor can overlap several sums. */
const TOGETHER = 4

/**
 * Dot products of one vector with several others. Each sum is added in the order of the components, as it would be on its
 * own, so that the result is the same to the bit.
 * @param vectors all of one length; a missing one counts as zeros
 */
export function dotProducts(
  vectors: readonly (Float64Array | undefined)[],
  dimensions: number,
): (vector: Float32Array) => Float64Array {
  const groups = Math.ceil(vectors.length / TOGETHER)
  // The components of four vectors are interleaved, so that they are read sequentially.
  const rows = new Float64Array(groups * dimensions * TOGETHER)
  for (const [i, vector] of vectors.entries()) {
    const first = Math.floor(i / TOGETHER) * dimensions * TOGETHER + (i % TOGETHER)
    for (let d = 0; vector && d < dimensions; d++) rows[first + d * TOGETHER] = vector[d] ?? 0
  }
  const sums = new Float64Array(groups * TOGETHER)
  return (vector) => {
    for (let group = 0, at = 0; group < groups; group++) {
      let a = 0
      let b = 0
      let c = 0
      let e = 0
      for (let d = 0; d < dimensions; d++, at += TOGETHER) {
        const x = vector[d] ?? 0
        a += x * (rows[at] ?? 0)
        b += x * (rows[at + 1] ?? 0)
        c += x * (rows[at + 2] ?? 0)
        e += x * (rows[at + 3] ?? 0)
      }
      const to = group * TOGETHER
      sums[to] = a
      sums[to + 1] = b
      sums[to + 2] = c
      sums[to + 3] = e
    }
    return sums
  }
}
