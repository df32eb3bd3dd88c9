import { readFileSync } from 'node:fs'

/** A row's length is a multiple of this, the rest of it zero: what a SIMD register holds as int16. */
export const ALIGNMENT = 8
/** So many rows are compared together, one of each quarter of a block: it holds a multiple of it. */
export const ROWS_TOGETHER = 4

/**
 * For each of `count` rows of `stride` int8, one after another from byte `rows` on, the sum of its products with the int16
 * of the query at byte `query`. A row whose sum, as a float32, is at least `threshold` times the length of the row leaves its
 * number and its sum, two int32, from byte `out` on: the first of each quarter, the second of each, and so on. `norms` are the squares of the rows' lengths, int32; `count` is a
 * multiple of {@link ROWS_TOGETHER}. All in the memory that the scan was made for.
 *
 * @returns how many rows did
 */
export type Scan = (
  rows: number,
  count: number,
  stride: number,
  norms: number,
  query: number,
  threshold: number,
  out: number,
) => number

let compiled: WebAssembly.Module | undefined | null

/** A scan over `memory`: by SIMD where the machine and Node have it, else the plain one. The same numbers to the bit. */
export function createScan(memory: WebAssembly.Memory): Scan {
  const module = kernelModule()
  if (!module) return plainScan(memory)
  const { scan } = new WebAssembly.Instance(module, { env: { memory } }).exports
  if (typeof scan !== 'function') throw new Error('The kernel has no scan')
  return (rows, count, stride, norms, query, threshold, out) => scan(rows, count, stride, norms, query, threshold, out)
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
  return (rows, count, stride, norms, query, threshold, out) => {
    const bytes = new Int8Array(memory.buffer)
    const values = new Int16Array(memory.buffer, query, stride)
    const squares = new Int32Array(memory.buffer, norms, count)
    const results = new Int32Array(memory.buffer, out)
    const least = Math.fround(threshold)
    let found = 0
    for (let at = 0; at < count; at++) {
      const row = (at % ROWS_TOGETHER) * (count / ROWS_TOGETHER) + Math.floor(at / ROWS_TOGETHER)
      let sum = 0
      const from = rows + row * stride
      for (let i = 0; i < stride; i++) sum = (sum + (bytes[from + i] ?? 0) * (values[i] ?? 0)) | 0
      const length = Math.fround(Math.sqrt(Math.fround(squares[row] ?? 0)))
      if (!(Math.fround(sum) >= Math.fround(least * length))) continue
      results[found * 2] = row
      results[found * 2 + 1] = sum
      found++
    }
    return found
  }
}
