import { readFileSync } from 'node:fs'

/** Bytes of a WebAssembly page. */
export const PAGE = 65_536
/** A row's length is a multiple of this, the rest of it zero: the width of a SIMD register. */
export const ALIGNMENT = 16

/**
 * For each of `count` rows of `stride` int8, one after another from byte `rows` on, the sum of its products with the
 * int16 of the query at byte `query`, written as int32 from byte `out` on. All in the memory that the scan was made for.
 */
export type Scan = (rows: number, count: number, stride: number, query: number, out: number) => void

let compiled: WebAssembly.Module | undefined | null

/** A scan over `memory`: by SIMD where the machine and Node have it, else the plain one. The same numbers to the bit. */
export function createScan(memory: WebAssembly.Memory): Scan {
  const module = kernelModule()
  if (!module) return plainScan(memory)
  const { scan } = new WebAssembly.Instance(module, { env: { memory } }).exports
  if (typeof scan !== 'function') throw new Error('The kernel has no scan')
  return (rows, count, stride, query, out) => scan(rows, count, stride, query, out)
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
  return (rows, count, stride, query, out) => {
    const bytes = new Int8Array(memory.buffer)
    const values = new Int16Array(memory.buffer, query, stride)
    const sums = new Int32Array(memory.buffer, out, count)
    for (let row = 0; row < count; row++) {
      let sum = 0
      const from = rows + row * stride
      for (let at = 0; at < stride; at++) sum = (sum + (bytes[from + at] ?? 0) * (values[at] ?? 0)) | 0
      sums[row] = sum
    }
  }
}
