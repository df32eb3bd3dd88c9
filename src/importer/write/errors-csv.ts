import type { PreparedImport } from '../rows/prepare.ts'
import type { SkippedRow } from '../rows/row.ts'
import { NOT_CORRECTABLE } from '../skip-reasons.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'

const ROWS_PER_PIECE = 500

/**
 * The skipped rows as CSV: line, reason, then the row's own columns, so that they can be mended and imported again.
 * The reader knows the file by its first two columns and takes them off. Of an import of several files, a third column
 * names the file, and the columns of all files stand side by side.
 *
 * @returns pieces of text, to be written one after the other; nothing when no row was skipped
 */
export function* errorsCsv(prepared: PreparedImport): Generator<string> {
  if (prepared.skipped.length === 0) return
  // What can be mended first; ratings without a text are there for completeness.
  const rank = ({ reason }: SkippedRow) => Number(NOT_CORRECTABLE.has(reason))
  const skipped = prepared.skipped.toSorted((one, other) => rank(one) - rank(other))
  const involved = [...new Set(prepared.skipped.map((row) => row.table))]
  const several = prepared.tables.length > 1
  const columns = new Map<string, number>()
  for (const table of involved)
    for (const header of prepared.tables[table]?.headers ?? [])
      if (!columns.has(header)) columns.set(header, columns.size)
  yield BYTE_ORDER_MARK + csvLine(['line', 'reason', ...(several ? ['in_file'] : []), ...columns.keys()])
  let piece = ''
  for (const [index, row] of skipped.entries()) {
    const table = prepared.tables[row.table]
    const cells: string[] = new Array(columns.size).fill('')
    for (const [position, header] of (table?.headers ?? []).entries())
      cells[columns.get(header) ?? 0] = row.cells[position] ?? ''
    piece += csvLine([
      String(row.line),
      NOT_CORRECTABLE.has(row.reason) ? `${row.message} (nothing to mend)` : row.message,
      ...(several ? [table?.file ?? ''] : []),
      ...cells,
    ])
    if ((index + 1) % ROWS_PER_PIECE === 0) {
      yield piece
      piece = ''
    }
  }
  if (piece !== '') yield piece
}
