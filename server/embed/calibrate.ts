/**
 * Appends one constant component to a unit vector and scales it back to unit length, so that every cosine `c` between
 * two such vectors becomes `(c + k) / (1 + k)` exactly while the order is kept.
 *
 * Derivation: with `v' = (v, √k) / √(1 + k)`, `a'·b' = (a·b + k) / (1 + k)`.
 *
 * @param unit a vector of length 1 (a zero vector stays comparable: it only keeps the constant component)
 * @param k the provider's calibration constant, `>= 0`
 * @returns a vector with one more component than `unit`
 */
export function calibrate(unit: ArrayLike<number>, k: number): Float32Array {
  const out = new Float32Array(unit.length + 1)
  const scale = 1 / Math.sqrt(1 + k)
  for (let i = 0; i < unit.length; i++) out[i] = (unit[i] ?? 0) * scale
  out[unit.length] = Math.sqrt(k) * scale
  return out
}

/** The constant that moves the raw cosine `threshold` onto `floor`: solves `(t + k) / (1 + k) = f` for `k`. */
export function calibrationFor(threshold: number, floor: number): number {
  return Math.max(0, (floor - threshold) / (1 - floor))
}
