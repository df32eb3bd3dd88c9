// A spreadsheet runs a cell that begins with one of these as a formula (OWASP, "CSV Injection"). The full-width forms
// are run by spreadsheets in East Asian locales; leading blanks are dropped by some.
const FORMULA = String.raw`'*(?:[ \u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])`
const RUNS = new RegExp(`^${FORMULA}`)
const ESCAPED = new RegExp(`^'(?=${FORMULA})`)

/** Puts an apostrophe before what a spreadsheet would run; {@link unescapeFormula} gives back the exact cell. */
export function escapeFormula(cell: string): string {
  return RUNS.test(cell) ? `'${cell}` : cell
}

/** Takes off the one apostrophe that {@link escapeFormula} put on. Only for files that this importer wrote. */
export function unescapeFormula(cell: string): string {
  return cell.charCodeAt(0) === 0x27 ? cell.replace(ESCAPED, '') : cell
}

const GUARDED = /^'(?=[=+\-@])/
/** An apostrophe that ends a word, as one that closes a quotation does. */
const CLOSING = /\S'(?!\p{L})/u

/**
 * A cell of any other program without the apostrophe that it put before what a spreadsheet would run, as many do; one of
 * two around words stays.
 */
export function withoutGuard(cell: string): string {
  return GUARDED.test(cell) && !CLOSING.test(cell) ? cell.slice(1) : cell
}

const TEXT_FORMULA = /^="(?:[^"]|"")*"$/

/** What a spreadsheet shows of a cell that is a formula of its text (`="00123"`), as programs write to keep its noughts. */
export function shownCell(cell: string): string {
  return TEXT_FORMULA.test(cell) ? cell.slice(2, -1).replaceAll('""', '"') : cell
}

/** A metadata value as a cell: the empty string gets an apostrophe, since an empty cell means that there is no value. */
export function escapeMetadata(value: string): string {
  return /^'*$/.test(value) ? `'${value}` : value
}

/** The value of a cell that {@link escapeMetadata} wrote; undefined for an empty cell. */
export function unescapeMetadata(cell: string): string | undefined {
  if (cell === '') return undefined
  return /^'+$/.test(cell) ? cell.slice(1) : cell
}
