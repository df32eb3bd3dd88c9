/**
 * The indexes of the `limit` smallest values, unordered. Much cheaper than sorting with a comparator, which is used only for
 * ties with the last value.
 * @param tie orders two indexes with equal values, like a comparator of `Array.prototype.sort`
 */
export function selectLeast(values: Float64Array, limit: number, tie: (a: number, b: number) => number): number[] {
  if (values.length <= limit) return Array.from(values, (_, place) => place)
  const last = values.slice().sort()[limit - 1] ?? 0
  const chosen: number[] = []
  const tied: number[] = []
  for (let place = 0; place < values.length; place++) {
    const value = values[place] ?? 0
    if (value < last) chosen.push(place)
    else if (value === last) tied.push(place)
  }
  const left = limit - chosen.length
  if (tied.length > left) tied.sort(tie)
  for (let i = 0; i < left; i++) chosen.push(tied[i] ?? 0)
  return chosen
}
