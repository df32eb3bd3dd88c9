import { escapeFormula } from '../read/cell-escape.ts'

/** A line of RFC 4180 CSV including its line end, with formulas escaped. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quote(escapeFormula(cell))).join(',')}\r\n`
}

function quote(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Written first, so that spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'
