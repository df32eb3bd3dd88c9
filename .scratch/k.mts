import asc from 'assemblyscript/asc'
import { writeFileSync } from 'node:fs'
const variants: Record<string,string> = {
 old: `export function scan(rows: usize, count: i32, stride: i32, query: usize, out: usize): void {
  for (let row = 0; row < count; row++) {
    let sum = i32x4.splat(0)
    for (let at = 0; at < stride; at += 16) {
      const bytes = v128.load(rows + at)
      const values = query + (at << 1)
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(bytes), v128.load(values)))
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(bytes), v128.load(values, 16)))
    }
    store<i32>(out + (row << 2), i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3))
    rows += stride
  }
}`,
 load8: `export function scan(rows: usize, count: i32, stride: i32, query: usize, out: usize): void {
  for (let row = 0; row < count; row++) {
    let sum = i32x4.splat(0)
    let sum2 = i32x4.splat(0)
    for (let at = 0; at < stride; at += 16) {
      const values = query + (at << 1)
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load8x8_s(rows + at), v128.load(values)))
      sum2 = i32x4.add(sum2, i32x4.dot_i16x8_s(v128.load8x8_s(rows + at, 8), v128.load(values, 16)))
    }
    sum = i32x4.add(sum, sum2)
    store<i32>(out + (row << 2), i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3))
    rows += stride
  }
}`,
 load8x2rows: `export function scan(rows: usize, count: i32, stride: i32, query: usize, out: usize): void {
  for (let row = 0; row < count; row+=2) {
    let sum = i32x4.splat(0)
    let sum2 = i32x4.splat(0)
    const other = rows + stride
    for (let at = 0; at < stride; at += 16) {
      const values = query + (at << 1)
      const q1 = v128.load(values), q2 = v128.load(values, 16)
      sum = i32x4.add(sum, i32x4.add(i32x4.dot_i16x8_s(v128.load8x8_s(rows + at), q1), i32x4.dot_i16x8_s(v128.load8x8_s(rows + at, 8), q2)))
      sum2 = i32x4.add(sum2, i32x4.add(i32x4.dot_i16x8_s(v128.load8x8_s(other + at), q1), i32x4.dot_i16x8_s(v128.load8x8_s(other + at, 8), q2)))
    }
    store<i32>(out + (row << 2), i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3))
    store<i32>(out + (row << 2), i32x4.extract_lane(sum2, 0) + i32x4.extract_lane(sum2, 1) + i32x4.extract_lane(sum2, 2) + i32x4.extract_lane(sum2, 3), 4)
    rows += stride << 1
  }
}`,
}
const N = 530_000, S = 272
for (const shared of [false, true]) for (const [name, src] of Object.entries(variants)) {
  writeFileSync('.scratch/x.ts', src)
  let bin: Uint8Array | undefined
  const opts = ['--optimizeLevel','3','--noAssert','--runtime','stub','--enable','simd','--importMemory', ...(shared ? ['--enable','threads','--sharedMemory','--maximumMemory','65536'] : [])]
  const { error, stderr } = await asc.main(['.scratch/x.ts', ...opts, '--outFile','x.wasm'], { writeFile: (_n: string, c: any) => { if (typeof c !== 'string') bin = c } })
  if (error) { console.log(stderr.toString()); throw error }
  const pages = Math.ceil((N * S + N * 4 + 65536 * 2) / 65536)
  const memory = new WebAssembly.Memory({ initial: pages, ...(shared ? { maximum: 65536, shared: true } : {}) } as any)
  const b = new Int8Array(memory.buffer); for (let i = 65536; i < N * S; i++) b[i] = (i * 7919) >> 3
  const q = new Int16Array(memory.buffer, 0, S); for (let i = 0; i < S; i++) q[i] = i * 31 - 4000
  const { scan } = new WebAssembly.Instance(new WebAssembly.Module(bin!), { env: { memory } }).exports as any
  const times: number[] = []
  for (let r = 0; r < 25; r++) { const t = performance.now(); scan(65536, N - 300, S, 0, N * S + 65536); times.push(performance.now() - t) }
  times.sort((a, b) => a - b)
  console.log(name, shared ? 'shared' : '', bin!.length, 'min', times[0]!.toFixed(1), 'median', times[12]!.toFixed(1))
}
