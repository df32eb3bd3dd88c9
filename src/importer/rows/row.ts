import type { ReviewInput, Source } from '../../contract/review.ts'
import type { HtmlTraces } from '../fields/html.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import type { Table } from '../read/table.ts'
import type { RowFault } from '../skip-reasons.ts'
import type { DateOrder } from './date-order.ts'

/** A row ready to be pushed. */
export interface ImportRow {
  review: ReviewInput
  /** Hidden in the vendor's export, so hidden here too. */
  hidden: boolean
  /** What the vendor says of it now, which a stored review follows; undefined where the file does not say, and in our own export. */
  visibility: 'shown' | 'hidden' | undefined
  /** The number of its table among those of the import, from 0. */
  table: number
  line: number
  /** The export that it comes with, once that is known; none for our own. */
  origin?: string
  /** The stored review of which it is a later version under another id. */
  replaces?: string | undefined
  /** Its day is counted back or given: nothing is to be concluded from it. */
  isApproximate?: true
  /** One of the skipped rows of an earlier import: what is not beside it is not missing. */
  isOfPart?: true
  /** Of a date that can be read in both ways: what it takes to read it the other way. */
  ambiguousDate?: AmbiguousDate
}

export interface AmbiguousDate {
  cell: string
  /** What the id is made of beside the day, when it is made. */
  id?: { source: Source; author: string; text: string }
}

/** A row's date. */
export interface RowDate {
  at: Date
  /** Its UTC day as `YYYY-MM-DD`; undefined where the file names none. */
  day: string | undefined
  /** What the review's metadata says of a day that the file does not name. */
  mark?: [key: string, value: string]
  ambiguous?: AmbiguousDate
}

/** What of a row is decided before the rest of it is read. */
export interface ReadableRow {
  line: number
  cells: string[]
  date: RowDate
  rating: number | null
  text: string
  traces: HtmlTraces | undefined
  hidden: boolean
  visibility: ImportRow['visibility']
}

export type RowResult = { ok: true; row: ImportRow } | { ok: false; fault: RowFault }

/** What holds for all rows of a file; it takes all of them to tell. */
export interface TableConventions {
  /** How slash dates are read. */
  dayFirst: boolean
  /** Months of one name in Polish and Croatian are Croatian. */
  croatianMonths: boolean
  /** Texts hold HTML codes that stand for their characters. */
  decodeHtml: boolean
  /** A rating beyond 5, of a file whose bare numbers are of another scale. */
  otherScale: { cell: string; line: number } | undefined
}

/** A row left out, with its cells as they stand in the file. */
export interface SkippedRow extends RowFault {
  table: number
  line: number
  cells: string[]
}

/** One file of an import, and how it was understood. */
export interface ImportedTable extends Omit<Table, 'rows'> {
  plan: ColumnPlan
  /** What was said of how it is read. */
  options: ImportOptions
  conventions: TableConventions
  /** Undefined for a file without slash dates. */
  dates?: DateOrder | undefined
  /** Rows that hold anything. */
  rows: number
}
