// A spreadsheet runs a cell that begins with one of these as a formula (OWASP, "CSV Injection"). The full-width forms
// are run by spreadsheets in East Asian locales; leading blanks are dropped by some.
const RUNS = /^'*(?:[ \u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/
const DEFUSED = /^'(?='*(?:[ \u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]))/

/** Puts an apostrophe before what a spreadsheet would run; {@link unescapeFormula} gives back the exact cell. */
export function escapeFormula(cell: string): string {
  return RUNS.test(cell) ? `'${cell}` : cell
}

/** Takes off the one apostrophe that {@link escapeFormula} put on. Only for files that this importer wrote. */
export function unescapeFormula(cell: string): string {
  return cell.charCodeAt(0) === 0x27 ? cell.replace(DEFUSED, '') : cell
}

/** One line of RFC 4180 CSV with its line end, every cell defused. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quote(escapeFormula(cell))).join(',')}\r\n`
}

function quote(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** A metadata value as a cell: the empty string gets an apostrophe, since an empty cell means that there is no value. */
export function metadataCell(value: string): string {
  return /^'*$/.test(value) ? `'${value}` : value
}

/** The value of a cell that {@link metadataCell} wrote; undefined for an empty cell. */
export function metadataValue(cell: string): string | undefined {
  if (cell === '') return undefined
  return /^'+$/.test(cell) ? cell.slice(1) : cell
}

/** Written first, so that spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'
