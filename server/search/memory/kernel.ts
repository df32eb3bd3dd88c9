import { readFileSync } from 'node:fs'

/**
 * The length of a row's head, and of its rest, is padded with zeros to a multiple of this: what two SIMD registers hold
 * as int16.
 */
export const ALIGNMENT = 16
/** Rows compared together, one from each quarter of a block, whose row count is a multiple of it. */
export const ROWS_TOGETHER = 4

/** Layout of a block's vectors in the scanned memory. */
export interface Rows {
  /** Byte offset of the first. All heads come first, then all rests. */
  at: number
  /** A multiple of {@link ROWS_TOGETHER}. */
  count: number
  /** Bytes of a row's head and of its rest, multiples of {@link ALIGNMENT}; the rest may be 0. */
  head: number
  rest: number
  /** Byte offset of the squared lengths (int32) by place, followed by the lengths of the rests (float32, rounded up). */
  norms: number
}

/**
 * The row of the vector at a place: four consecutive places, which are compared together, lie a quarter of the block apart.
 */
export function rowOf(place: number, count: number): number {
  return (place % ROWS_TOGETHER) * (count / ROWS_TOGETHER) + Math.floor(place / ROWS_TOGETHER)
}

/**
 * Computes the dot product of each int8 vector with the int16 query at byte `query`. For every vector whose product, as a
 * float32, is at least `threshold` times its length, writes its place and product (two int32) from byte `out` on, in order of
 * place.
 * @param reach at least 1 more than the length of the query's rest, to cover the rounding of the bound
 * @returns how many were written
 */
export type Scan = (rows: Rows, query: number, threshold: number, reach: number, out: number) => number

let compiled: WebAssembly.Module | undefined | null

/** A scan over `memory`, with SIMD when available. Both give the same numbers to the bit. */
export function createScan(memory: WebAssembly.Memory): Scan {
  const module = kernelModule()
  if (!module) return plainScan(memory)
  const { scan } = new WebAssembly.Instance(module, { env: { memory } }).exports
  if (typeof scan !== 'function') throw new Error('The kernel has no scan')
  return ({ at, count, head, rest, norms }, query, threshold, reach, out) =>
    scan(at, count, head, rest, norms, query, threshold, reach, out)
}

/** Whether this process searches with SIMD. */
export function hasSimd(): boolean {
  return kernelModule() !== null
}

function kernelModule(): WebAssembly.Module | null {
  if (compiled === undefined) {
    try {
      compiled = new WebAssembly.Module(readFileSync(new URL('./kernel.wasm', import.meta.url)))
    } catch {
      // Without SIMD the module is invalid; or there is no WebAssembly at all.
      compiled = null
    }
  }
  return compiled ?? null
}

/** Reference implementation of the kernel, and the fallback without SIMD. */
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
