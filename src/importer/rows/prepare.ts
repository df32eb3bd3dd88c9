import { setImmediate as turn } from 'node:timers/promises'
import { type ColumnPlan, planColumns } from '../formats/column-plan.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import { ImporterError, type ImporterErrorCode } from '../importer-error.ts'
import { checkFileSizes } from '../read/archive.ts'
import { openTables, type PassedOverFile, withoutName } from '../read/open-tables.ts'
import { checkRowCount, type InputFile, type RawRow, type Table } from '../read/table.ts'
import { quoted, type RowFault } from '../skip-reasons.ts'
import { type DateOrder, orderBySiblings } from './date-order.ts'
import type { ImportRow } from './row.ts'
import { TablePass } from './table-pass.ts'
import { type ImportWarning, RowNotes, warningsOf } from './warnings.ts'

/** A row left out, with its cells as they stand in the file. */
export interface SkippedRow extends RowFault {
  table: number
  line: number
  cells: string[]
}

/** One file of an import, and how it was understood. */
export interface ImportedTable {
  file: string
  fileType: Table['fileType']
  encoding: string
  delimiter?: string
  headers: readonly string[]
  plan: ColumnPlan
  /** Absent for a file without slash dates. */
  dates?: DateOrder
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
  /** Files of a folder or archive that were not imported. */
  passedOver: PassedOverFile[]
  warnings: ImportWarning[]
}

const SAMPLE_ROWS = 200
const DAY_MS = 86_400_000
/** What a file of a folder may be without anything being wrong with the folder. */
const FAULTS_OF_ONE_FILE: ReadonlySet<ImporterErrorCode> = new Set([
  'mapping_needed',
  'no_headings',
  'no_rows',
  'bad_json',
  'too_many_columns',
  'header_too_long',
])

/** Whether a folder or archive is imported without the file that this was thrown for. */
export function isFileError(error: unknown): error is ImporterError {
  return error instanceof ImporterError && FAULTS_OF_ONE_FILE.has(error.code)
}

export interface PrepareContext {
  /** Files that can't be imported are passed over, since a folder or archive holds other things too. */
  wholeFolder?: boolean
  /** Dates a day behind this get a note. */
  now?: Date
}

/**
 * Reads files of one import (a file, a folder's pages, a zip) into reviews and skipped rows. At most one file's rows are
 * held in their raw form.
 *
 * @param files read one after the other, so that a caller can open each when its turn comes
 * @throws ImporterError for a file that can't be imported as a whole; a bad row never throws
 */
export async function prepareImport(
  files: Iterable<InputFile> | AsyncIterable<InputFile>,
  options: ImportOptions = {},
  { wholeFolder = false, now }: PrepareContext = {},
): Promise<PreparedImport> {
  const staged: TablePass[] = []
  const passedOver: PassedOverFile[] = []
  const faults: ImporterError[] = []
  const sizes: { name: string; size: number }[] = []
  const passOver = (one: PassedOverFile) => void passedOver.push(one)
  for await (const file of files) {
    sizes.push({ name: file.name, size: file.bytes.byteLength })
    checkFileSizes('this import', sizes)
    for await (const table of openTables(file, wholeFolder ? passOver : undefined)) {
      try {
        staged.push(await stageTable(table, staged.length, options))
        checkRowCount(
          'this import',
          staged.reduce((sum, one) => sum + one.count, 0),
        )
      } catch (error) {
        if (!wholeFolder || !isFileError(error)) throw error
        faults.push(error)
        passOver({ file: table.file, code: error.code, reason: withoutName(error.message, table.file) })
      }
    }
  }
  if (staged.length === 0) throw nothingToImport(passedOver, faults)
  settleDates(staged)
  return collect(staged, passedOver, now)
}

function nothingToImport(passedOver: readonly PassedOverFile[], faults: readonly ImporterError[]): ImporterError {
  const [fault] = faults
  const tried = passedOver.filter(({ code }) => code !== 'no_review_file')
  if (fault && tried.length === 1) return fault
  if (tried.length === 0) return new ImporterError('no_rows', 'There is no file to import.')
  const named = tried.slice(0, 5).map(({ file, reason }) => `${file}: ${reason}`)
  const more = tried.length > named.length ? `; and ${tried.length - named.length} more` : ''
  return new ImporterError(fault?.code ?? 'no_rows', `None of the files could be imported. ${named.join('; ')}${more}.`)
}

/** Opens a table and decides its columns from its first rows, without mapping them: for a preview. */
export async function planTable(table: Table, options: ImportOptions): Promise<{ plan: ColumnPlan; sample: RawRow[] }> {
  const sample = await sampleOf(table, options)
  return { plan: planColumns(table, sample, options), sample }
}

/** @throws ImporterError `no_rows` */
async function sampleOf(table: Table, options: ImportOptions): Promise<RawRow[]> {
  const sample: RawRow[] = []
  for await (const batch of table.rows) {
    for (const row of batch.slice(0, SAMPLE_ROWS - sample.length)) sample.push(row)
    if (sample.length >= SAMPLE_ROWS) break
  }
  if (sample.length > 0) return sample
  throw new ImporterError('no_rows', `${table.file} ${whatItHolds(table, options)}: there is nothing to import.`)
}

/** A table without rows, in words that are true of it. */
function whatItHolds(table: Table, options: ImportOptions): string {
  if (table.headers.length === 0) return 'holds an empty list'
  try {
    planColumns(table, [], options)
    return 'has headings and no rows'
  } catch (error) {
    if (error instanceof ImporterError && (error.code === 'mapping_needed' || error.code === 'no_headings'))
      return `has nothing below its line ${quoted(table.headers.join(', '))}, which holds no known heading of a text and a date`
    throw error
  }
}

async function stageTable(table: Table, index: number, options: ImportOptions): Promise<TablePass> {
  const { plan, sample } = await planTable(table, options)
  if (plan.format.refuse !== undefined && options.force !== true)
    throw new ImporterError(
      'own_reviews',
      `${table.file}: ${plan.format.refuse} To import them all the same, use --force.`,
    )
  // What is true of the whole file is guessed from its first rows, since that is nearly always right. When the others
  // prove it wrong, the file is read again.
  const guess = new TablePass(table, index, plan, options, {
    dayFirst: false,
    decodeHtml: false,
    otherScale: undefined,
  })
  guess.take(sample)
  let settled = guess.settled()
  for (;;) {
    const staged = new TablePass(table, index, plan, options, settled)
    for await (const batch of table.rows) {
      staged.take(batch)
      await turn()
    }
    const proven = staged.settled()
    if (
      proven.dayFirst === settled.dayFirst &&
      proven.decodeHtml === settled.decodeHtml &&
      (proven.otherScale === undefined) === (settled.otherScale === undefined)
    )
      return staged
    settled = proven
  }
}

/** Reads the dates of files that prove nothing like those of files with the same columns that do. */
function settleDates(staged: readonly TablePass[]): void {
  for (const [place, reading] of orderBySiblings(staged)) staged[place]?.readDatesAs(reading)
}

function collect(staged: readonly TablePass[], passedOver: PassedOverFile[], now: Date | undefined): PreparedImport {
  const bySource = new Map<string, Map<string, ImportRow>>()
  const skipped: SkippedRow[] = []
  const notes = new RowNotes()
  const repeated = { count: 0, different: 0 }
  for (const one of staged) {
    for (const row of one.rows) {
      const { source, external_id: id, text, occurred_at: at } = row.review
      if (now && at.getTime() > now.getTime() + DAY_MS)
        one.notes.add('future_date', one.index, row.line, at.toISOString().slice(0, 10))
      delete row.ambiguousDate
      let ofSource = bySource.get(source)
      if (!ofSource) {
        ofSource = new Map()
        bySource.set(source, ofSource)
      }
      const earlier = ofSource.get(id)
      if (earlier) {
        repeated.count++
        if (earlier.review.text !== text) repeated.different++
      }
      ofSource.set(id, row)
    }
    one.rows = []
    for (const row of one.skipped) skipped.push(row)
    notes.takeAll(one.notes)
  }
  const tables = staged.map((one) => one.described())
  return {
    tables,
    rows: [...bySource.values()].flatMap((rows) => [...rows.values()]),
    repeated,
    skipped,
    passedOver,
    warnings: warningsOf(tables, notes, repeated),
  }
}
