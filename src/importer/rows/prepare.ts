import { setImmediate as turn } from 'node:timers/promises'
import { DAY_MS } from '../../contract/timestamp.ts'
import { utcDay } from '../fields/date.ts'
import { type ColumnPlan, planColumns } from '../formats/column-plan.ts'
import { detectFormat } from '../formats/detect-format.ts'
import { type ImportOptions, mergeOptions } from '../formats/mapping.ts'
import { isReviewDocument, ParentSearch } from '../formats/row-kinds.ts'
import { ImporterError, type ImporterErrorCode } from '../importer-error.ts'
import { quoted } from '../quoted.ts'
import { openTables, withoutFileName } from '../read/open-tables.ts'
import type { PassedOverFile } from '../read/review-files.ts'
import { checkRowCount, type InputFile, type RawRow, type Table } from '../read/table.ts'
import { orderBySiblings } from './date-order.ts'
import { FileVersions } from './file-versions.ts'
import type { ImportedTable, ImportRow, SkippedRow, TableConventions } from './row.ts'
import { TablePass } from './table-pass.ts'
import { type ImportWarning, RowNotes, warningsOf } from './warnings.ts'

const NOTHING_KNOWN: TableConventions = {
  dayFirst: false,
  croatianMonths: false,
  yearFirst: false,
  decodeHtml: false,
  otherScale: undefined,
}
const SAMPLE_ROWS = 200
/** Errors of a single file that don't stop the import of a folder. */
const FAULTS_OF_ONE_FILE: ReadonlySet<ImporterErrorCode> = new Set([
  'mapping_needed',
  'no_headings',
  'no_rows',
  'bad_json',
  'bad_xml',
  'too_many_columns',
  'header_too_long',
])

/** Whether the import of a folder or archive goes on without the file that threw an error. */
export function isFileError(error: unknown): error is ImporterError {
  return error instanceof ImporterError && FAULTS_OF_ONE_FILE.has(error.code)
}

/** A whole import, read and validated; nothing is written yet. */
export interface PreparedImport {
  tables: ImportedTable[]
  /** Unique by id; the last row wins, and of several files the one that has the latest review. */
  rows: ImportRow[]
  /** Rows superseded by a later row with the same id, and how many of them have another text. */
  repeated: { count: number; different: number }
  skipped: SkippedRow[]
  /** Files of a folder or archive that were not imported. */
  passedOver: PassedOverFile[]
  warnings: ImportWarning[]
}

export interface PrepareContext {
  /** Skips files that can't be imported, because a folder or archive contains other things too. */
  wholeFolder?: boolean
  /** Dates more than a day later get a note. */
  now?: Date
  /** Of all files together; tests pass fewer. */
  maxRows?: number
}

/**
 * Reads the files of an import (a file, a folder or a zip) into reviews and skipped rows. Only one file's raw rows are
 * held at a time.
 *
 * @param files consumed one at a time, so that callers can open them lazily
 * @throws ImporterError for a file that can't be imported as a whole; a bad row never throws
 */
export async function prepareImport(
  files: Iterable<InputFile> | AsyncIterable<InputFile>,
  options: ImportOptions = {},
  { wholeFolder = false, now, maxRows }: PrepareContext = {},
): Promise<PreparedImport> {
  const passes: TablePass[] = []
  const passedOver: PassedOverFile[] = []
  const faults: ImporterError[] = []
  let count = 0
  const passOver = (one: PassedOverFile) => void passedOver.push(one)
  for await (const file of files) {
    for await (const table of openTables(file, options, wholeFolder ? passOver : undefined)) {
      try {
        const pass = await readTable(table, passes.length, options)
        passes.push(pass)
        count += pass.count
        checkRowCount('this import', count, maxRows)
      } catch (error) {
        if (!wholeFolder || !isFileError(error)) throw error
        faults.push(error)
        passOver({ file: table.file, code: error.code, reason: withoutFileName(error.message, table.file) })
      }
    }
  }
  if (passes.length === 0) throw nothingToImport(passedOver, faults)
  // Files whose dates are ambiguous use the order proved by files with the same columns.
  for (const [index, order] of orderBySiblings(passes.map((pass) => pass.toImportedTable())))
    passes[index]?.readDatesAs(order)
  return collect(passes, passedOver, options, now)
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

/** Plans a table's columns from its first rows without mapping them, for a preview. */
export async function planTable(table: Table, options: ImportOptions): Promise<{ plan: ColumnPlan; sample: RawRow[] }> {
  const sample = await sampleOf(table, options)
  return { plan: planColumns(table, sample, mergeOptions(options, table.readAs)), sample }
}

/**
 * The first rows; of an export of documents of all types, the first reviews, before which there may be thousands of others.
 *
 * @throws ImporterError `no_rows`
 */
async function sampleOf(table: Table, options: ImportOptions): Promise<RawRow[]> {
  const sample: RawRow[] = []
  const reviews: RawRow[] = []
  const isReview = isReviewDocument(table)
  for await (const batch of table.rows) {
    for (const row of batch.slice(0, SAMPLE_ROWS - sample.length)) sample.push(row)
    if (isReview) for (const row of batch.filter(isReview).slice(0, SAMPLE_ROWS - reviews.length)) reviews.push(row)
    if (sample.length >= SAMPLE_ROWS && (!isReview || reviews.length >= SAMPLE_ROWS)) break
  }
  if (reviews.length > 0) return reviews
  // Our own export of a project without reviews is no mistake.
  if (sample.length > 0 || detectFormat(table, sample, options.profile).format.isOwnExport) return sample
  throw new ImporterError('no_rows', `${table.file} ${whatItHolds(table, options)}: there is nothing to import.`)
}

/** Describes a table without rows. */
function whatItHolds(table: Table, options: ImportOptions): string {
  if (table.headers.length === 0) return 'contains an empty list'
  try {
    planColumns(table, [], options)
    return 'has headings but no rows'
  } catch (error) {
    if (error instanceof ImporterError && (error.code === 'mapping_needed' || error.code === 'no_headings'))
      return `has nothing below the line ${quoted(table.headers.join(', '))}, which has no known headings for a text and a date`
    throw error
  }
}

async function readTable(table: Table, index: number, said: ImportOptions): Promise<TablePass> {
  const options = mergeOptions(said, table.readAs)
  const { plan: planned, sample } = await planTable(table, options)
  let plan = planned
  if (plan.format.refuse !== undefined && options.force !== true)
    throw new ImporterError('own_reviews', `${table.file}: ${plan.format.refuse} To import them anyway, use --force.`)
  // The file's conventions are guessed from its first rows, which is nearly always right; when the rest proves them
  // wrong, the file is read again.
  const guess = new TablePass(table, index, plan, options, NOTHING_KNOWN)
  guess.take(sample)
  let conventions = guess.conventions()
  for (;;) {
    const pass = new TablePass(table, index, plan, options, conventions)
    const parents = ParentSearch.in(table.headers, plan.kinds, plan.format)
    for await (const batch of table.rows) {
      pass.take(batch)
      parents?.take(batch)
      await turn()
    }
    const answers = parents?.found()
    const proven = pass.conventions()
    if (
      answers === undefined &&
      proven.dayFirst === conventions.dayFirst &&
      proven.croatianMonths === conventions.croatianMonths &&
      proven.yearFirst === conventions.yearFirst &&
      proven.decodeHtml === conventions.decodeHtml &&
      (proven.otherScale === undefined) === (conventions.otherScale === undefined)
    ) {
      pass.checkDates()
      return pass
    }
    conventions = proven
    if (answers) plan = { ...plan, kinds: [...plan.kinds, answers] }
  }
}

function collect(
  passes: readonly TablePass[],
  passedOver: PassedOverFile[],
  options: ImportOptions,
  now: Date | undefined,
): PreparedImport {
  const bySource = new Map<string, Map<string, ImportRow>>()
  const skipped: SkippedRow[] = []
  const notes = new RowNotes()
  const repeated = { count: 0, different: 0 }
  const ends = passes.map(({ rows: all }) =>
    all.reduce((end, { review }) => Math.max(end, review.occurred_at.getTime()), 0),
  )
  const versions = new FileVersions(ends)
  for (const pass of passes) {
    pass.noteOtherWays()
    for (const row of pass.rows) {
      const { source, external_id: id, text, occurred_at: at } = row.review
      pass.notes.beginRow()
      if (now && at.getTime() > now.getTime() + DAY_MS) pass.notes.add('future_date', pass.index, row.line, utcDay(at))
      const byId = bySource.get(source) ?? new Map<string, ImportRow>()
      bySource.set(source, byId)
      const earlier = byId.get(id)
      if (earlier) {
        repeated.count++
        versions.addShared(earlier, row)
        if (earlier.review.text !== text) repeated.different++
      }
      // "april.csv" stands before "march.csv", and "reviews (1).csv" before "reviews.csv".
      if (!earlier || !versions.isOlder(row, earlier)) byId.set(id, row)
    }
    pass.rows = []
    for (const row of pass.skipped) skipped.push(row)
    notes.addAll(pass.notes)
  }
  const tables = passes.map((pass) => pass.toImportedTable())
  const rows = [...bySource.values()].flatMap((byId) => [...byId.values()])
  const warnings = warningsOf(tables, notes, repeated, options)
  for (const message of versions.notes(rows, tables)) warnings.push({ code: 'file', message, count: 0 })
  return { tables, rows, repeated, skipped, passedOver, warnings }
}
