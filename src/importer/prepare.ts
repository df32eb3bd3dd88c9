import { setImmediate as turn } from 'node:timers/promises'
import { checkMerged } from './archive.ts'
import { type ColumnPlan, planColumns } from './columns.ts'
import { parseDate, type SlashOrder } from './date.ts'
import { ImporterError } from './importer-error.ts'
import type { ImportOptions } from './mapping.ts'
import { openTables } from './read-table.ts'
import { type ImportRow, type Note, rowMapper } from './row.ts'
import type { RowFault } from './skip.ts'
import type { InputFile, RawRow, Table } from './table.ts'
import { type Warning, warningsOf } from './warnings.ts'

/** A row left out, with its cells as they stand in the file. */
export interface SkippedRow extends RowFault {
  table: number
  line: number
  cells: string[]
}

/** One file of an import, and how it was understood. */
export interface ImportedTable {
  file: string
  format: Table['format']
  encoding: string
  delimiter?: string
  headers: readonly string[]
  plan: ColumnPlan
  dayFirst: boolean
  notes: readonly string[]
  /** Rows that hold anything. */
  rows: number
}

/** A whole import, read and checked; nothing has been written yet. */
export interface PreparedImport {
  tables: ImportedTable[]
  /** Each review once: of rows with one id, the last. */
  rows: ImportRow[]
  /** Earlier rows of a review that a later row of the import holds again, and how many of them differ from it. */
  repeated: { count: number; different: number }
  skipped: SkippedRow[]
  warnings: Warning[]
}

const SAMPLE_ROWS = 200
const OBVIOUSLY_DAY_FIRST = { rows: 3, share: 0.2 }

/**
 * Reads files of one import (a file, a folder's pages, a zip) into reviews and skipped rows. At most one file's rows are
 * held in their raw form.
 *
 * @param files read one after the other, so that a caller can open each when its turn comes
 * @param wholeFolder files without review columns are passed over, since a folder holds other things too
 * @throws ImporterError for a file that can't be imported as a whole; a bad row never throws
 */
export async function prepareImport(
  files: Iterable<InputFile> | AsyncIterable<InputFile>,
  options: ImportOptions = {},
  wholeFolder = false,
): Promise<PreparedImport> {
  const collected = new Collected()
  const sizes: { name: string; size: number }[] = []
  const passedOver: ImporterError[] = []
  for await (const file of files) {
    sizes.push({ name: file.name, size: file.bytes.byteLength })
    checkMerged('this import', sizes)
    for await (const table of openTables(file)) {
      try {
        await collectTable(table, options, collected)
      } catch (error) {
        if (!(error instanceof ImporterError) || error.code !== 'mapping_needed' || !wholeFolder) throw error
        passedOver.push(error)
      }
    }
  }
  if (collected.tables.length === 0) throw passedOver[0] ?? new ImporterError('no_rows', 'There is no file to import.')
  return collected.done()
}

/** Opens a table and decides its columns from its first rows, without mapping them: for a preview. */
export async function planTable(table: Table, options: ImportOptions): Promise<{ plan: ColumnPlan; sample: RawRow[] }> {
  const rows = table.rows[Symbol.asyncIterator]()
  const sample = (await firstRows(rows)).slice(0, SAMPLE_ROWS)
  await rows.return?.()
  return { plan: planColumns(table, sample, options), sample }
}

async function firstRows(rows: AsyncIterator<RawRow[]>): Promise<RawRow[]> {
  const first: RawRow[] = []
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    first.push(...next.value)
    if (first.length >= SAMPLE_ROWS) break
  }
  return first
}

async function collectTable(table: Table, options: ImportOptions, collected: Collected): Promise<void> {
  const rows = table.rows[Symbol.asyncIterator]()
  const first = await firstRows(rows)
  const plan = planColumns(table, first.slice(0, SAMPLE_ROWS), options)
  if (plan.profile.refuse !== undefined && options.force !== true)
    throw new ImporterError(
      'own_reviews',
      `${table.file}: ${plan.profile.refuse} To import them all the same, use --force.`,
    )
  const dayFirst = options.dayFirst ?? profileDayFirst(table, plan, first)
  const slashes: Record<SlashOrder, number> = { 'only-day-first': 0, 'only-month-first': 0, either: 0 }
  const index = collected.addTable(table, plan, dayFirst)
  const map = rowMapper(
    table,
    index,
    plan,
    { ...options, dayFirst },
    {
      note: (note, line, example) => collected.note(note, index, line, example),
      slashDate: (order) => {
        slashes[order]++
      },
    },
  )
  const take = (batch: readonly RawRow[]) => {
    for (const raw of batch) {
      const result = map(raw)
      if (result.ok) collected.addRow(result.row)
      else collected.addSkipped({ ...result.fault, table: index, line: raw.line, cells: raw.cells })
    }
  }
  take(first)
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    take(next.value)
    await turn()
  }
  if (options.dayFirst === undefined && !dayFirst) refuseIfDayFirst(table.file, slashes)
}

function profileDayFirst(table: Table, plan: ColumnPlan, sample: readonly RawRow[]): boolean {
  if (!plan.profile.dayFirst?.(table)) return false
  const dates = plan.fields.date ?? []
  return !sample.some((row) => dates.some((index) => parseDate(row.cells[index] ?? '').slash === 'only-month-first'))
}

/**
 * A file that is plainly written with days first would have its other dates imported a wrong month: the ids that are
 * made of the date would stay wrong too. So it is not imported before somebody has said which it is.
 */
function refuseIfDayFirst(file: string, slashes: Record<SlashOrder, number>): void {
  const dayOnly = slashes['only-day-first']
  const all = dayOnly + slashes['only-month-first'] + slashes.either
  if (
    slashes['only-month-first'] > 0 ||
    dayOnly < OBVIOUSLY_DAY_FIRST.rows ||
    dayOnly < all * OBVIOUSLY_DAY_FIRST.share
  )
    return
  throw new ImporterError(
    'dates_day_first',
    `${file}: ${dayOnly} dates can only be read with the day first and none only with the month first. ` +
      'Import it with --day-first, or with --no-day-first to skip those rows.',
  )
}

class Collected {
  readonly tables: ImportedTable[] = []
  readonly #rows = new Map<string, Map<string, ImportRow>>()
  readonly #skipped: SkippedRow[] = []
  readonly #notes = new Map<Note, { count: number; at: { table: number; line: number; example?: string }[] }>()
  readonly #repeated = { count: 0, different: 0 }

  addTable(table: Table, plan: ColumnPlan, dayFirst: boolean): number {
    const { file, format, encoding, delimiter, headers, notes } = table
    this.tables.push({
      file,
      format,
      encoding,
      ...(delimiter !== undefined && { delimiter }),
      headers,
      plan,
      dayFirst,
      notes,
      rows: 0,
    })
    return this.tables.length - 1
  }

  addRow(row: ImportRow): void {
    this.#count(row.table)
    const { source, external_id: id, text } = row.review
    let ofSource = this.#rows.get(source)
    if (!ofSource) {
      ofSource = new Map()
      this.#rows.set(source, ofSource)
    }
    const earlier = ofSource.get(id)
    if (earlier) {
      this.#repeated.count++
      if (earlier.review.text !== text) this.#repeated.different++
    }
    ofSource.set(id, row)
  }

  addSkipped(row: SkippedRow): void {
    this.#count(row.table)
    this.#skipped.push(row)
  }

  note(note: Note, table: number, line: number, example?: string): void {
    const known = this.#notes.get(note) ?? { count: 0, at: [] }
    known.count++
    if (known.at.length < 3) known.at.push({ table, line, ...(example !== undefined && { example }) })
    this.#notes.set(note, known)
  }

  done(): PreparedImport {
    return {
      tables: this.tables,
      rows: [...this.#rows.values()].flatMap((rows) => [...rows.values()]),
      repeated: this.#repeated,
      skipped: this.#skipped,
      warnings: warningsOf(this.tables, this.#notes, this.#repeated),
    }
  }

  #count(table: number): void {
    const entry = this.tables[table]
    if (entry) entry.rows++
  }
}
