import { ImporterError } from '../importer-error.ts'
import { quoted } from '../quoted.ts'

/**
 * Normalizes a header for comparison: lower case, no accents, only letters and digits, so that "Review Date",
 * "review_date" and "ReviewDate" are equal.
 */
export function normalizeHeader(header: string): string {
  return header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Maximum length of a header. A longer one is a row of reviews where the headers should be. */
const LONGEST = 1_000

/** @throws ImporterError `header_too_long`, `no_headings` */
export function checkHeaders(file: string, headers: readonly string[]): void {
  if (headers.length > 1 && headers.every((header) => /^'.*'$/s.test(header)))
    throw new ImporterError(
      'no_headings',
      `${file}: its cells are enclosed in apostrophes (${quoted(headers[0] ?? '')}). Export it with double quotes (") instead.`,
    )
  const index = headers.findIndex((header) => header.length > LONGEST)
  if (index === -1) return
  throw new ImporterError(
    'header_too_long',
    `${file}: heading ${index + 1}, ${quoted(headers[index] ?? '')}, has more than ${LONGEST.toLocaleString('en')} characters. ` +
      'Give the file a first row that names its columns.',
  )
}

/** Names empty headers by position and numbers repeated ones, so that each column can be addressed. */
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

/** The metadata key of a column, at most 64 characters, as the snippet's `data-meta-<key>` addresses it. */
export function metadataKey(header: string): string {
  const words = header
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  return (words === '' ? 'column' : words).slice(0, 64).toWellFormed()
}
