import { IMPORT_FILE_BYTES } from '../../contract/limits.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import { ImporterError } from '../importer-error.ts'
import type { RowFault } from '../skip-reasons.ts'

/** An input file: its name, or its path inside a folder or archive, for messages, and its bytes. */
export interface InputFile {
  name: string
  bytes: Uint8Array
}

/** One uninterpreted row. `cells` follow the table's headers; missing ones at the end are empty. */
export interface RawRow {
  /** Line in a CSV or JSON lines file, or position in a JSON array, both from 1. */
  line: number
  cells: string[]
  /** Set when the row could not be read as a whole. */
  fault?: RowFault
  /** In our errors.csv, the serialized `ReadAs` of the import that skipped the row. */
  readAs?: string
}

export type FileType = 'csv' | 'xlsx' | 'json' | 'jsonl' | 'geojson' | 'xml'

/** Whether a file type has rows of cells below a header. */
export function isSpreadsheet(fileType: FileType): boolean {
  return fileType === 'csv' || fileType === 'xlsx'
}

/** More than any plan's reviews. A file with more rows is abusive, or not a table of reviews. */
const MAX_ROWS = 500_000

/** @throws ImporterError `too_many_rows` */
export function checkRowCount(file: string, count: number, most = MAX_ROWS): void {
  if (count <= most) return
  throw new ImporterError(
    'too_many_rows',
    `${file} has more than ${most.toLocaleString('en')} lines or items, which is more than one import takes. ` +
      'If they are reviews, import them in several parts, each file with the header row.',
  )
}

/** An opened file: its headers are known, and its rows can be iterated more than once, in batches. */
export interface Table {
  file: string
  fileType: FileType
  /** Unique, in the file's order. */
  headers: string[]
  /** Each iteration starts over. */
  rows: AsyncIterable<RawRow[]>
  encoding: string
  /** Only for CSV. */
  delimiter?: string | undefined
  notes: string[]
  /** Set for a CSV file that is probably not whole. */
  isCutOff?: boolean
  /** Headers of columns in which lists of texts are joined. */
  joined?: ReadonlySet<string>
  /** Headers of columns with texts that were stored with their formatting. */
  formatted?: ReadonlySet<string>
  /** Headers of columns that are hidden in their sheet. */
  hidden?: ReadonlySet<string>
  /** Set for a workbook that counts days from 1904. */
  since1904?: boolean
  /** Set for the skipped rows of an earlier import: the rest of their file is elsewhere. */
  isErrorsCsv?: boolean
  /** How that import read these rows. */
  readAs?: ImportOptions
}

/** `10.0 MiB`. */
function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

/** Formats a size and the limit that it exceeds, in bytes when they would look alike in MiB. */
export function sizeAndLimit(size: number, limit: number): [size: string, limit: string] {
  const inBytes = (bytes: number) => `${bytes.toLocaleString('en')} bytes`
  const unit = megabytes(size) === megabytes(limit) ? inBytes : megabytes
  return [unit(size), unit(limit)]
}

/**
 * Rejects a file over the contract's size, before it is read.
 *
 * @param size in bytes
 * @throws ImporterError `file_too_large`
 */
export function checkFileSize(name: string, size: number): void {
  if (size <= IMPORT_FILE_BYTES) return
  const [has, limit] = sizeAndLimit(size, IMPORT_FILE_BYTES)
  throw new ImporterError(
    'file_too_large',
    `${name} is ${has}; an import file may be at most ${limit}. ` +
      'Split it into several files, each with the header row, and import them together, ' +
      'or send the reviews with "pullquote reviews push". If it is an archive, unpack it and import the folder.',
  )
}
