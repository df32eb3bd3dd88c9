/** 32-bit FNV-1a (Fowler, Noll, Vo) over UTF-16 code units; the hash of a token and of its character n-grams. */
export const FNV_OFFSET = 0x811c9dc5 | 0
export const FNV_PRIME = 0x01000193

/** FNV's low bits are its weakest: for places in a table. */
export function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}

export function hashOfText(text: string): number {
  let hash = FNV_OFFSET
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME)
  return hash
}

/** The hash of `units[start..end]`. */
export function hashOfUnits(units: Uint16Array, start: number, end: number): number {
  let hash = FNV_OFFSET
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ (units[i] ?? 0), FNV_PRIME)
  return hash
}

/** Places of a table with open addressing, a power of two: at most half of them are taken. */
export function tableSize(entries: number): number {
  let size = 16
  while (size < entries * 2) size *= 2
  return size
}
