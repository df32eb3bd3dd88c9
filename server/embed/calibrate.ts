import type { EmbedKind } from './embedder.ts'

/** The largest component of a rounded document. */
const LARGEST = 127
/**
 * The length of a rounded query, and the maximum of a rounded document. Every sum of products of two such vectors stays below
 * 2^24, where each integer is an exact 32-bit float: pgvector and this process get the same number to the bit in whatever
 * order they add.
 */
const LONGEST = 4000

/**
 * Appends a constant component to a unit vector, so that every cosine `c` between a query and a document becomes `(c + k) /
 * (1 + |k|)`, which preserves the order, and rounds the result to integers: a document to int8 with a largest component of
 * 127, a query more finely. Cosines ignore the scale; rounding moves one by at most about .005.
 *
 * Derivation: with `v' = (v, √|k|) / √(1 + |k|)`, and a query's last component negative where `k` is, `a'·b' = (a·b + k) / (1 + |k|)`.
 * @param unit a vector of length 1 (a zero vector stays comparable: it only keeps the constant component)
 * @param k the provider's calibration constant; below 0 for a model whose unrelated texts have high cosines
 * @returns a vector of integers with one more component than `unit`
 */
export function calibrate(unit: ArrayLike<number>, k: number, kind: EmbedKind): Float32Array {
  const out = new Float32Array(unit.length + 1)
  const length = Math.sqrt(1 + Math.abs(k))
  const constant = Math.sqrt(Math.abs(k))
  let largest = constant
  if (kind === 'document') for (let i = 0; i < unit.length; i++) largest = Math.max(largest, Math.abs(unit[i] ?? 0))
  const finest = LONGEST / length
  const scale = kind === 'query' || largest === 0 ? finest : Math.min(LARGEST / largest, finest)
  for (let i = 0; i < unit.length; i++) out[i] = Math.round((unit[i] ?? 0) * scale)
  out[unit.length] = Math.round((k < 0 && kind === 'query' ? -constant : constant) * scale)
  return out
}

/** The constant that maps the raw cosine `threshold` to `floor`: solves `(t + k) / (1 + |k|) = f` for `k`. */
export function calibrationFor(threshold: number, floor: number): number {
  return (floor - threshold) / (threshold <= floor ? 1 - floor : 1 + floor)
}

/** The raw cosine behind a calibrated one. */
export function rawCosine(calibrated: number, k: number): number {
  return calibrated * (1 + Math.abs(k)) - k
}

/** The part of a vector space's name that identifies the rounding. */
export const ROUNDING = 'i8'

/** The cosine of two vectors of any length; 0 when one of them is zero. */
export function cosineOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [ab, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 0 : ab / Math.sqrt(aa * bb)
}
