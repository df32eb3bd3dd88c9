/** 32-bit FNV-1a (Fowler, Noll, Vo) over UTF-16 code units, for tokens and their character n-grams. */
export const FNV_OFFSET = 0x811c9dc5 | 0
export const FNV_PRIME = 0x01000193

/** Mixes high bits into FNV's weak low bits, for use as a table index. */
export function mixBits(hash: number): number {
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

/** Size of an open-addressing table: a power of two, at most half full. */
export function tableSize(entries: number): number {
  let size = 16
  while (size < entries * 2) size *= 2
  return size
}
