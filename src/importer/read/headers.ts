import { ImporterError } from '../importer-error.ts'
import { quoted } from '../quoted.ts'

/**
 * The form in which headers are compared: lower case, no accents, only letters and digits, so that "Review Date",
 * "review_date" and "ReviewDate" are one.
 */
export function normalizeHeader(header: string): string {
  return header
    .normalize('NFKD')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** The longest that a heading may be. What is longer is a row of reviews that stands where the headings should. */
const LONGEST = 1_000

/** @throws ImporterError `header_too_long`, `no_headings` */
export function checkHeaders(file: string, headers: readonly string[]): void {
  if (headers.length > 1 && headers.every((header) => /^'.*'$/s.test(header)))
    throw new ImporterError(
      'no_headings',
      `${file}: its cells stand in apostrophes (${quoted(headers[0] ?? '')}). Export it with double quotes (") around them.`,
    )
  const index = headers.findIndex((header) => header.length > LONGEST)
  if (index === -1) return
  throw new ImporterError(
    'header_too_long',
    `${file}: heading ${index + 1}, ${quoted(headers[index] ?? '')}, has more than ${LONGEST.toLocaleString('en')} characters. ` +
      'Give the file a first row that names its columns.',
  )
}

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
