// Spreadsheets run a cell that begins with one of these as a formula (OWASP, "CSV Injection"). Spreadsheets in East
// Asian locales run the full-width forms; some ignore leading blanks.
const FORMULA = String.raw`'*(?:[ \u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])`
const RUNS = new RegExp(`^${FORMULA}`)
const ESCAPED = new RegExp(`^'(?=${FORMULA})`)

/** Prefixes an apostrophe to a cell that a spreadsheet would run; {@link unescapeFormula} restores the exact cell. */
export function escapeFormula(cell: string): string {
  return RUNS.test(cell) ? `'${cell}` : cell
}

/** Removes the apostrophe that {@link escapeFormula} added. Only for files that this importer wrote. */
export function unescapeFormula(cell: string): string {
  return cell.charCodeAt(0) === 0x27 ? cell.replace(ESCAPED, '') : cell
}

const GUARDED = /^'(?=[=+\-@])/
/** An apostrophe after a word, such as a closing quotation mark. */
const CLOSING = /\S'(?!\p{L})/u

/**
 * Removes the apostrophe with which other programs guard against formulas. A leading apostrophe that is one of a pair
 * around words stays.
 */
export function stripFormulaGuard(cell: string): string {
  return GUARDED.test(cell) && !CLOSING.test(cell) ? cell.slice(1) : cell
}

const TEXT_FORMULA = /^="(?:[^"]|"")*"$/

/** Unwraps a formula that is a text literal (`="00123"`), which programs write to keep leading zeros. */
export function unwrapTextFormula(cell: string): string {
  return TEXT_FORMULA.test(cell) ? cell.slice(2, -1).replaceAll('""', '"') : cell
}

/** A metadata value as a cell: an apostrophe for an empty string, because an empty cell means no value. */
export function escapeMetadata(value: string): string {
  return /^'*$/.test(value) ? `'${value}` : value
}

/** The value of a cell that {@link escapeMetadata} wrote; undefined for an empty cell. */
export function unescapeMetadata(cell: string): string | undefined {
  if (cell === '') return undefined
  return /^'+$/.test(cell) ? cell.slice(1) : cell
}
