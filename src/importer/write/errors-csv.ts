import { IMPORT_FILE_BYTES } from '../../contract/limits.ts'
import { MAPPABLE_FIELDS } from '../formats/mapping.ts'
import { stripFormulaGuard } from '../read/cell-escape.ts'
import { ERRORS_CSV_COLUMNS, type ErrorsCsvColumn, type ReadAs } from '../read/skipped-rows.ts'
import { isSpreadsheet } from '../read/table.ts'
import type { PreparedImport } from '../rows/prepare.ts'
import type { ImportedTable, SkippedRow } from '../rows/row.ts'
import { NOT_CORRECTABLE } from '../skip-reasons.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'

const ROWS_PER_PIECE = 500

/**
 * The skipped rows as CSV: line, reason, then the row's own columns, so that they can be corrected and imported again.
 * The reader recognizes the file by its first columns and strips them. For imports of several files a column names the
 * file, and the columns of all files are side by side; one keeps surplus cells, so that they are not lost in the last
 * column; and one tells how the row was read, because a few rows reveal less about that than their whole file did.
 *
 * @returns pieces of text to be written one after another; nothing when no row was skipped
 */
export function* errorsCsv(prepared: PreparedImport): Generator<string> {
  if (prepared.skipped.length === 0) return
  // Correctable rows first; ratings without a text are only there for completeness.
  const rank = ({ reason }: SkippedRow) => Number(NOT_CORRECTABLE.has(reason))
  const skipped = prepared.skipped
    .toSorted((one, other) => rank(one) - rank(other))
    .map((row) => textJoined(row, prepared))
  const involved = [...new Set(prepared.skipped.map((row) => row.table))]
  const columns = new Map<string, number>()
  for (const table of involved)
    for (const header of prepared.tables[table]?.headers ?? [])
      if (!columns.has(header)) columns.set(header, columns.size)
  const without = new Set<ErrorsCsvColumn>()
  if (prepared.tables.length === 1) without.add('in_file')
  if (skipped.every(({ surplus }) => surplus === undefined)) without.add('too_many')
  const counts = prepared.tables.map(() => 0)
  for (const { table } of skipped) counts[table] = (counts[table] ?? 0) + 1
  const readAs = prepared.tables.map((table, index) => {
    const isRead = (counts[index] ?? 0) < table.rows
    return JSON.stringify({ ...givenOptions(table, columns.size), ...(isRead && inferredOptions(table)) })
  })
  // A file too large to import again does not need it, and rows of two letters may have a thousand columns.
  const length = readAs.reduce((sum, one, index) => sum + one.length * (counts[index] ?? 0), 0)
  if (length > IMPORT_FILE_BYTES) without.add('read_as')
  const own = ERRORS_CSV_COLUMNS.filter((name) => !without.has(name))
  yield BYTE_ORDER_MARK + csvLine([...own, ...columns.keys()])
  let piece = ''
  for (const [index, row] of skipped.entries()) {
    const table = prepared.tables[row.table]
    const cells: string[] = new Array(columns.size).fill('')
    // Another program's apostrophe is replaced by ours, which is stripped whatever follows it.
    const isGuarded = table !== undefined && isSpreadsheet(table.fileType) && !table.isErrorsCsv
    for (const [position, header] of (table?.headers ?? []).entries()) {
      const cell = row.cells[position] ?? ''
      cells[columns.get(header) ?? 0] = isGuarded ? stripFormulaGuard(cell) : cell
    }
    const about: Record<ErrorsCsvColumn, string> = {
      line: String(row.line),
      reason: NOT_CORRECTABLE.has(row.reason) ? `${row.message} (nothing to correct)` : row.message,
      in_file: table?.file ?? '',
      too_many: row.surplus ?? '',
      read_as: readAs[row.table] ?? '',
    }
    piece += csvLine([...own.map((name) => about[name]), ...cells])
    if ((index + 1) % ROWS_PER_PIECE === 0) {
      yield piece
      piece = ''
    }
  }
  if (piece !== '') yield piece
}

/** Surplus after a text in the last column is usually the rest of it, which was not quoted. */
function textJoined(row: SkippedRow, { tables }: PreparedImport): SkippedRow {
  const table = tables[row.table]
  const last = (table?.headers.length ?? 0) - 1
  if (row.surplus === undefined || table?.isErrorsCsv || !table?.plan.fields.text?.includes(last)) return row
  const { surplus, ...rest } = row
  return { ...rest, cells: row.cells.with(last, [row.cells[last], surplus].join(table.delimiter ?? ' ')) }
}

/** The options with which a table was read, as a mapping. */
function givenOptions({ options, plan, headers }: ImportedTable, width: number): ReadAs {
  const { encoding, missing, force, ...said } = options
  return { ...said, ...(headers.length < width && { columns: headers }), profile: plan.format.name }
}

/** What the rows of a table revealed, when some could be read. */
function inferredOptions({ options, conventions, plan, headers, dates }: ImportedTable): ReadAs {
  const map = MAPPABLE_FIELDS.flatMap((field) => {
    const [column, ...more] = plan.fields[field] ?? []
    // Several columns of a field are found again by name.
    return column === undefined || more.length > 0 || field === 'status' ? [] : [[field, headers[column]]]
  })
  const isRated = (plan.fields.rating ?? []).length > 0 && plan.scaleColumn === undefined && !conventions.otherScale
  return {
    map: { ...Object.fromEntries(map), ...options.map },
    ...(dates && { day_first: dates.dayFirst }),
    decode_html: conventions.decodeHtml,
    ...(isRated && { rating_scale: plan.ratingScale ?? 5 }),
  }
}
