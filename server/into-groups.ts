/** Groups items in their order: at least one in each group, and no more in number or in size than the limits say. */
export function intoGroups<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  { size: mostSize, count: mostItems = Number.POSITIVE_INFINITY }: { size: number; count?: number },
): T[][] {
  const groups: T[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const item of items) {
    size += sizeOf(item)
    const group = groups.at(-1)
    if (group && group.length < mostItems && size <= mostSize) group.push(item)
    else {
      groups.push([item])
      size = sizeOf(item)
    }
  }
  return groups
}
