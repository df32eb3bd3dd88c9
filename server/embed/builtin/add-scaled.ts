/**
 * Adds `scale` times a row, which begins at `base`, to a sum. Four at a time and without a look whether each is there, which a fifth
 * of the time of embedding a text went into: a typed array has a number at each of its places and takes none behind its end.
 */
export function addScaled(sum: Float64Array, rows: Int8Array | Int16Array, base: number, scale: number): void {
  for (let d = 0; d < sum.length; d += 4) {
    const at = base + d
    sum[d] = (sum[d] as number) + scale * (rows[at] as number)
    sum[d + 1] = (sum[d + 1] as number) + scale * (rows[at + 1] as number)
    sum[d + 2] = (sum[d + 2] as number) + scale * (rows[at + 2] as number)
    sum[d + 3] = (sum[d + 3] as number) + scale * (rows[at + 3] as number)
  }
}
