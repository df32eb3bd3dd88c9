export function scan(rows: usize, count: i32, stride: i32, query: usize, out: usize): void {
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
}