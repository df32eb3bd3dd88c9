import { IMPORT_FILE_BYTES } from '../../contract/limits.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import { ImporterError } from '../importer-error.ts'
import type { RowFault } from '../skip-reasons.ts'

/** A file as it was given: its name or path inside a folder or archive, for messages, and its bytes. */
export interface InputFile {
  name: string
  bytes: Uint8Array
}

/** One row as it stands in the file, before any meaning. `cells` follow the table's headers; those missing at the end are empty. */
export interface RawRow {
  /** The line in a CSV or JSON lines file (from 1), the number of the item (from 1) in a JSON array. */
  line: number
  cells: string[]
  /** Set when the reader could not make a whole row of it. */
  fault?: RowFault
  /** In our errors.csv: how the row was read by the import that skipped it, as it is written there. */
  readAs?: string
}

export type FileType = 'csv' | 'xlsx' | 'json' | 'jsonl' | 'geojson'

/** Whether a file has rows of cells below headings, as a spreadsheet keeps them. */
export function isSpreadsheet(fileType: FileType): boolean {
  return fileType === 'csv' || fileType === 'xlsx'
}

/**
 * More rows than any plan takes reviews. The smallest file of so many is one that was made to be a burden, or no table of
 * reviews.
 */
const MAX_ROWS = 500_000

/** @throws ImporterError `too_many_rows` */
export function checkRowCount(file: string, count: number): void {
  if (count <= MAX_ROWS) return
  throw new ImporterError(
    'too_many_rows',
    `${file} has more than ${MAX_ROWS.toLocaleString('en')} lines or items; one import takes no more. ` +
      'If they are reviews, split the file into several, each with the header row.',
  )
}

/** A file, opened: headers are known, and its rows can be gone through more than once, in batches. */
export interface Table {
  file: string
  fileType: FileType
  /** Unique, in the file's order. */
  headers: string[]
  /** Each iteration begins with the first row. */
  rows: AsyncIterable<RawRow[]>
  encoding: string
  /** Only for CSV. */
  delimiter?: string | undefined
  notes: string[]
  /** Of a workbook whose days are counted from 1904. */
  since1904?: boolean
  /** The skipped rows of an earlier import: the others of its file are elsewhere. */
  isPart?: boolean
  /** How that import read them. */
  readAs?: ImportOptions
}

/** `10.0 MiB`. */
function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

/** A size beyond a limit, and the limit: in bytes where they would look alike. */
export function sizeAndLimit(size: number, limit: number): [size: string, limit: string] {
  const inBytes = (bytes: number) => `${bytes.toLocaleString('en')} bytes`
  const unit = megabytes(size) === megabytes(limit) ? inBytes : megabytes
  return [unit(size), unit(limit)]
}

/**
 * Refuses a file that is over the contract's size, for callers that know the size before they read.
 *
 * @param size in bytes
 * @throws ImporterError `file_too_large`
 */
export function checkFileSize(name: string, size: number): void {
  if (size <= IMPORT_FILE_BYTES) return
  const [has, limit] = sizeAndLimit(size, IMPORT_FILE_BYTES)
  throw new ImporterError(
    'file_too_large',
    `${name} has ${has}; an import file may have at most ${limit}. ` +
      'Split it into several files, each with the header row, and import them together, ' +
      'or send the reviews with "pullquote reviews push". Of a large archive, unpack it and give the folder.',
  )
}
