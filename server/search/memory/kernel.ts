import { readFileSync } from 'node:fs'

/** Padded with zeros, the length of a row's head is a multiple of this: what two SIMD registers hold as int16. */
export const HEAD_ALIGNMENT = 16
/** The same for its rest: what one register holds. */
export const REST_ALIGNMENT = 8
/** Streams of rows that are compared together. */
export const STREAMS = 4
/** Numbers of a row, four bytes each; the kernel has this as bytes. */
export const NUMBERS = 3

/** Rows in the scanned memory, as many in each of {@link STREAMS} streams. */
export interface Rows {
  /**
   * Byte offset of three byte offsets (int32) for each stream: all streams' heads, then all their numbers, then all their rests.
   * A stream's rows follow one another in each of the three. The numbers of a row are its squared length (int32), the length
   * of its rest (float32, rounded up), and one that the kernel does not read.
   */
  streams: number
  /** Rows of each stream. */
  count: number
  /** Bytes of a row's head and of its rest, multiples of {@link HEAD_ALIGNMENT} and {@link REST_ALIGNMENT}; the rest may be 0. */
  head: number
  rest: number
}

/**
 * Computes the dot product of each int8 vector with the int16 query at byte `query`. For every vector whose product, as a
 * float32, is at least `threshold` times its length, writes its place and product (two int32) from byte `out` on, in order of
 * place. A place is the number of the row in its stream times {@link STREAMS}, plus that of the stream.
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
  return ({ streams, count, head, rest }, query, threshold, reach, out) =>
    scan(streams, count, head, rest, query, threshold, reach, out)
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
  return ({ streams, count, head, rest }, query, threshold, _reach, out) => {
    const bytes = new Int8Array(memory.buffer)
    const ints = new Int32Array(memory.buffer)
    const values = new Int16Array(memory.buffer, query, head + rest)
    const [heads, numbers, rests] = [0, 1, 2].map((part) => ints.subarray(streams / 4 + part * STREAMS))
    const least = Math.fround(threshold)
    let found = 0
    for (let place = 0; place < count * STREAMS; place++) {
      const [row, stream] = [Math.floor(place / STREAMS), place % STREAMS]
      const headAt = (heads?.[stream] ?? 0) + row * head
      const restAt = (rests?.[stream] ?? 0) + row * rest
      let sum = 0
      for (let i = 0; i < head; i++) sum = (sum + (bytes[headAt + i] ?? 0) * (values[i] ?? 0)) | 0
      for (let i = 0; i < rest; i++) sum = (sum + (bytes[restAt + i] ?? 0) * (values[head + i] ?? 0)) | 0
      const square = ints[(numbers?.[stream] ?? 0) / 4 + row * NUMBERS] ?? 0
      if (!(Math.fround(sum) >= Math.fround(least * Math.fround(Math.sqrt(Math.fround(square)))))) continue
      ints[out / 4 + found * 2] = place
      ints[out / 4 + found * 2 + 1] = sum
      found++
    }
    return found
  }
}
