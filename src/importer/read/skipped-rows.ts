import * as v from 'valibot'
import { importOptions } from '../formats/mapping.ts'
import { ImporterError } from '../importer-error.ts'
import type { RawRow, Table } from './table.ts'

/** The columns that our errors.csv adds before the original ones: always the first two, the others when needed. */
export const ERRORS_CSV_COLUMNS = ['line', 'reason', 'in_file', 'too_many', 'read_as'] as const
export type ErrorsCsvColumn = (typeof ERRORS_CSV_COLUMNS)[number]

/** How the import that skipped the rows read them: its options, and what it inferred from the whole file. */
const readAs = v.strictObject({
  ...v.omit(importOptions, ['encoding', 'missing', 'force']).entries,
  /** The columns of their own file, when errors.csv also has those of other files. */
  columns: v.optional(v.array(v.string())),
})
export type ReadAs = v.InferOutput<typeof readAs>

/** More ways of reading than the files of one import can have; each takes a scan of all columns. */
const MOST_WAYS = 100

/** The columns of a header row that our errors.csv added; none for other files. */
export function errorsCsvColumns(cells: readonly string[]): ErrorsCsvColumn[] {
  if (cells[0] !== 'line' || cells[1] !== 'reason') return []
  const names: ErrorsCsvColumn[] = []
  for (const name of ERRORS_CSV_COLUMNS) if (cells[names.length] === name) names.push(name)
  return names
}

/**
 * Splits an errors.csv into a table for each way its rows were read. Other tables are returned as they are.
 *
 * @throws ImporterError `bad_mapping`
 */
export async function splitByReadAs(table: Table): Promise<Table[]> {
  if (table.isErrorsCsv !== true) return [table]
  const groups = new Map<string, RawRow[]>()
  let way = ''
  for await (const batch of table.rows) {
    for (const row of batch) {
      // A row added by hand is read like the one above it.
      way = row.readAs?.trim() || way
      const rows = groups.get(way) ?? []
      if (rows.push(row) === 1) groups.set(way, rows)
    }
    if (groups.size > MOST_WAYS)
      throw new ImporterError(
        'bad_mapping',
        `${table.file} has more than ${MOST_WAYS} different ways to read its rows in the column read_as: split it into several files.`,
      )
  }
  if (groups.size === 0) return [table]
  return [...groups].map(([written, rows]) => partOf(table, written, rows))
}

function partOf(table: Table, written: string, rows: RawRow[]): Table {
  const { columns, ...options } = written === '' ? {} : parseReadAs(table.file, written)
  // Another file's empty `published_at` would hide these reviews.
  const isOwn = table.headers.map((header) => columns?.includes(header) !== false)
  // Short rows are not padded: a thousand empty cells for each of 360,000 rows took a gigabyte.
  const own =
    columns === undefined ? rows : rows.map((row) => ({ ...row, cells: row.cells.filter((_, index) => isOwn[index]) }))
  const headers = table.headers.filter((_, index) => isOwn[index])
  const notes =
    written === ''
      ? table.notes
      : [...table.notes, 'read in the same way as by the import that skipped these rows, unless flags say otherwise']
  return { ...table, headers, notes, rows: { [Symbol.asyncIterator]: () => inOneBatch(own) }, readAs: options }
}

async function* inOneBatch(rows: RawRow[]) {
  yield rows
}

function parseReadAs(file: string, written: string): ReadAs {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), readAs), written)
  if (parsed.success) return parsed.output
  throw new ImporterError(
    'bad_mapping',
    `${file}: ${JSON.stringify(written.slice(0, 200))} in the column read_as does not say how rows are read: leave that column as it was, or empty it and use flags instead.`,
  )
}
