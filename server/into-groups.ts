/** Splits items, in order, into groups of at least one item, limited in number and in size. */
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
