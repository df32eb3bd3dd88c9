import { type CellLink, isAddress } from './cell-links.ts'
import { type SheetBudget, type SheetRow, spend } from './worksheet.ts'

/**
 * Adds a column for each one whose words lead to addresses: "View" in a column "Link" is the review's address. Its heading
 * is that of the other, which is the cell above the first link, with "(link)".
 *
 * @param rows changed in place
 * @param linked the sheet's links, and addresses by the relationships that they name
 * @param left the remaining budget of the workbook
 * @throws ImporterError `archive_too_large`
 */
export function addLinkColumns(
  file: string,
  rows: readonly SheetRow[],
  { links, addresses }: { links: readonly CellLink[]; addresses: ReadonlyMap<string, string> },
  left: SheetBudget,
): void {
  const byLine = new Map<number, CellLink[]>()
  for (const link of links) {
    const ofLine = byLine.get(link.line)
    if (ofLine) ofLine.push(link)
    else byLine.set(link.line, [link])
  }
  const columns = new Map<number, { heading: SheetRow | undefined; cells: [row: SheetRow, address: string][] }>()
  for (const [at, row] of rows.entries()) {
    for (const { column, relation = '', address = addresses.get(relation) } of byLine.get(row.line) ?? []) {
      if (address === undefined || !row.cells[column]) continue
      const known = columns.get(column) ?? { heading: rows[at - 1], cells: [] }
      columns.set(column, known)
      known.cells.push([row, address])
    }
  }
  let end = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  for (const [column, { heading, cells }] of [...columns].sort(([a], [b]) => a - b)) {
    const name = heading?.cells[column]
    // Most programs show the addresses themselves, as links.
    if (!heading || !name || cells.every(([row]) => isAddress(row.cells[column] ?? ''))) continue
    for (const [row, value] of [[heading, `${name} (link)`] as const, ...cells]) {
      spend(file, left, { cells: end + 1 - row.cells.length, characters: value.length })
      while (row.cells.length < end) row.cells.push('')
      row.cells[end] = value
    }
    end++
  }
}
