/**
 * The form in which headers are compared: lower case, no accents, only letters and digits, so that "Review Date",
 * "review_date" and "ReviewDate" are one.
 */
export function normaliseHeader(header: string): string {
  const known = normalised.get(header)
  if (known !== undefined) return known
  const plain = header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '')
  if (normalised.size > 10_000) normalised.clear()
  normalised.set(header, plain)
  return plain
}

/** The headers of profiles and aliases are compared again with each file. */
const normalised = new Map<string, string>()

/** Gives empty headers a name by their position and repeated ones a number, so that each column can be named. */
export function uniqueHeaders(cells: readonly string[]): string[] {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return cells.map((cell, index) => {
    const base = cell.trim() === '' ? `column ${index + 1}` : cell
    let count = counts.get(base) ?? 1
    let name = base
    while (taken.has(name)) name = `${base} (${++count})`
    counts.set(base, count)
    taken.add(name)
    return name
  })
}

/** The key of a column kept as metadata: what `data-meta-<key>` of the snippet can name, at most 64 characters. */
export function metadataKey(header: string): string {
  const words = header
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  return (words === '' ? 'column' : words).slice(0, 64).toWellFormed()
}
