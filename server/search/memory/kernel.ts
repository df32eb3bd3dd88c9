import { readFileSync } from 'node:fs'

/** The length of a row's head, and of its rest, is a multiple of this, zeros at its end: what two SIMD registers hold as int16. */
export const ALIGNMENT = 16
/** So many rows are compared together, one of each quarter of a block: it holds a multiple of it. */
export const ROWS_TOGETHER = 4

/** Where the vectors of a block lie in the memory that a scan was made for. */
export interface Rows {
  /** Byte of the first. All heads stand one after another, behind them the rests. */
  at: number
  /** A multiple of {@link ROWS_TOGETHER}. */
  count: number
  /** Bytes of a row's head and of its rest, multiples of {@link ALIGNMENT}; the rest may be none. */
  head: number
  rest: number
  /** Byte of the squares of their lengths, int32, by their places; behind them the lengths of the rests, float32, rounded up. */
  norms: number
}

/** The row of a vector: those of four places one after another, which are compared together, lie a quarter of the block apart. */
export function rowOf(place: number, count: number): number {
  return (place % ROWS_TOGETHER) * (count / ROWS_TOGETHER) + Math.floor(place / ROWS_TOGETHER)
}

/**
 * For each of some vectors of int8 the sum of its products with the int16 of the query at byte `query`. One whose sum, as a float32,
 * is at least `threshold` times its length leaves its place and its sum, two int32, from byte `out` on, in the order of the places.
 *
 * @param reach at least 1 more than the length of the query's rest, which covers what rounding takes from the bound
 * @returns how many did
 */
export type Scan = (rows: Rows, query: number, threshold: number, reach: number, out: number) => number

let compiled: WebAssembly.Module | undefined | null

/** A scan over `memory`: by SIMD where the machine and Node have it, else the plain one. The same numbers to the bit. */
export function createScan(memory: WebAssembly.Memory): Scan {
  const module = kernelModule()
  if (!module) return plainScan(memory)
  const { scan } = new WebAssembly.Instance(module, { env: { memory } }).exports
  if (typeof scan !== 'function') throw new Error('The kernel has no scan')
  return ({ at, count, head, rest, norms }, query, threshold, reach, out) =>
    scan(at, count, head, rest, norms, query, threshold, reach, out)
}

/** Whether searches of this process use SIMD. */
export function hasSimd(): boolean {
  return kernelModule() !== null
}

function kernelModule(): WebAssembly.Module | null {
  if (compiled === undefined) {
    try {
      compiled = new WebAssembly.Module(readFileSync(new URL('./kernel.wasm', import.meta.url)))
    } catch {
      // No SIMD on this machine, which makes the module invalid, or no WebAssembly at all.
      compiled = null
    }
  }
  return compiled ?? null
}

/** The meaning of the kernel, and what serves without SIMD. */
export function plainScan(memory: WebAssembly.Memory): Scan {
  return ({ at, count, head, rest, norms }, query, threshold, _reach, out) => {
    const bytes = new Int8Array(memory.buffer)
    const values = new Int16Array(memory.buffer, query, head + rest)
    const squares = new Int32Array(memory.buffer, norms, count)
    const results = new Int32Array(memory.buffer, out)
    const least = Math.fround(threshold)
    const rests = at + count * head
    let found = 0
    for (let place = 0; place < count; place++) {
      const row = rowOf(place, count)
      let sum = 0
      for (let i = 0; i < head; i++) sum = (sum + (bytes[at + row * head + i] ?? 0) * (values[i] ?? 0)) | 0
      for (let i = 0; i < rest; i++) sum = (sum + (bytes[rests + row * rest + i] ?? 0) * (values[head + i] ?? 0)) | 0
      const length = Math.fround(Math.sqrt(Math.fround(squares[place] ?? 0)))
      if (!(Math.fround(sum) >= Math.fround(least * length))) continue
      results[found * 2] = place
      results[found * 2 + 1] = sum
      found++
    }
    return found
  }
}
