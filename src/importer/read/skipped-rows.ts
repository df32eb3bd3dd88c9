import * as v from 'valibot'
import { importOptions } from '../formats/mapping.ts'
import { ImporterError } from '../importer-error.ts'
import type { RawRow, Table } from './table.ts'

/** What our errors.csv puts before the columns of the file that its rows are from: the first two always, then those it needs. */
export const SKIPPED_COLUMNS = ['line', 'reason', 'in_file', 'too_many', 'read_as'] as const
export type SkippedColumn = (typeof SKIPPED_COLUMNS)[number]

/** How the rows were read by the import that skipped them: what it was told, and what the whole file told it. */
const readAs = v.strictObject({
  ...v.omit(importOptions, ['encoding', 'missing', 'force']).entries,
  /** The columns of their file, where those of others stand beside them. */
  columns: v.optional(v.array(v.string())),
})
export type ReadAs = v.InferOutput<typeof readAs>

/** More ways to read the rows of one import than files can bring; each takes a look at all columns. */
const MOST_WAYS = 100

/** Which columns of a header row are those of our errors.csv; none in other files. */
export function skippedColumns(cells: readonly string[]): SkippedColumn[] {
  if (cells[0] !== 'line' || cells[1] !== 'reason') return []
  const names: SkippedColumn[] = []
  for (const name of SKIPPED_COLUMNS) if (cells[names.length] === name) names.push(name)
  return names
}

/**
 * The rows of an errors.csv by how they were read before: a table for each way. Other tables come back as they are.
 *
 * @throws ImporterError `bad_mapping`
 */
export async function tablesByReading(table: Table): Promise<Table[]> {
  if (table.isPart !== true) return [table]
  const groups = new Map<string, RawRow[]>()
  let way = ''
  for await (const batch of table.rows) {
    for (const row of batch) {
      // A row that somebody added is read as the one above it.
      way = row.readAs?.trim() || way
      const rows = groups.get(way) ?? []
      if (rows.push(row) === 1) groups.set(way, rows)
    }
    if (groups.size > MOST_WAYS)
      throw new ImporterError(
        'bad_mapping',
        `${table.file} has rows of more than ${MOST_WAYS} kinds by its column read_as: split it into several files.`,
      )
  }
  if (groups.size === 0) return [table]
  return [...groups].map(([written, rows]) => partOf(table, written, rows))
}

function partOf(table: Table, written: string, rows: RawRow[]): Table {
  const { columns, ...options } = written === '' ? {} : parseReadAs(table.file, written)
  // Another file's empty `published_at` would hide them.
  const isOwn = table.headers.map((header) => columns?.includes(header) !== false)
  // A short row stays short: a thousand empty cells for each of 360,000 took a gigabyte.
  const own =
    columns === undefined ? rows : rows.map((row) => ({ ...row, cells: row.cells.filter((_, index) => isOwn[index]) }))
  const headers = table.headers.filter((_, index) => isOwn[index])
  const notes =
    written === ''
      ? table.notes
      : [...table.notes, 'read as by the import that skipped these rows, unless flags say otherwise']
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
    `${file}: ${JSON.stringify(written.slice(0, 200))} in the column read_as says not how rows are read: leave that column as it was, or empty it and say it with flags.`,
  )
}
