/**
 * The inner loop of a search, in AssemblyScript, a dialect of TypeScript: `scripts/build-kernel.ts` makes `kernel.wasm`
 * of it, a few hundred bytes. `kernel.ts` says what it computes. One row at a time: four spilled registers and were slower.
 */
export function scan(rows: usize, count: i32, stride: i32, query: usize, out: usize): void {
  for (let row = 0; row < count; row++) {
    let sum = i32x4.splat(0)
    for (let at = 0; at < stride; at += 16) {
      const bytes = v128.load(rows + at)
      const values = query + (at << 1)
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(bytes), v128.load(values)))
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(bytes), v128.load(values, 16)))
    }
    const lanes =
      i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3)
    store<i32>(out + (row << 2), lanes)
    rows += stride
  }
}
