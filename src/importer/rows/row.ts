import type { ReviewInput, Source } from '../../contract/review.ts'
import type { HtmlTraces } from '../fields/html.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import type { Table } from '../read/table.ts'
import type { RowFault, SkipReason } from '../skip-reasons.ts'
import type { DateOrder } from './date-order.ts'

/** A row ready to be pushed. */
export interface ImportRow {
  review: ReviewInput
  /** Hidden in the vendor's export. */
  hidden: boolean
  /** In our own export, the sentences that do not appear. */
  hiddenWords?: string[] | undefined
  /** The vendor's visibility, which a stored review follows; undefined if not in the file, and for our own export. */
  visibility: 'shown' | 'hidden' | undefined
  /** Index of its table in the import. */
  table: number
  line: number
  /** The export that it belongs to, once known; unset for our own. */
  origin?: string
  /** The stored review with another id of which it is a later version. */
  replaces?: string | undefined
  /** The id under which that review is stored, if it is not a version but this one: a generated or damaged id. */
  replacedId?: string
  /** What its generated id is made of, where that is not what is stored. */
  madeOf?: { author: string; text: string }
  /** What an earlier import may have taken for its author. */
  formerNames?: string[]
  /** Its day was counted back or given, so nothing can be concluded from it. */
  isApproximate?: true
  /** A skipped row of an earlier import: the absence of other reviews means nothing. */
  isFromErrorsCsv?: true
  /** What is needed to read an ambiguous date the other way; until all files are read. */
  ambiguousDate?: AmbiguousDate
  /** Its time and id if its ambiguous date were read the other way. */
  otherWay?: { at: Date; id: string }
}

export interface AmbiguousDate {
  cell: string
  /** The parts of a generated id other than the day. */
  id?: { source: Source; author: string; text: string }
}

export interface RowDate {
  at: Date
  /** Its UTC day as `YYYY-MM-DD`; undefined when the file has none. */
  day: string | undefined
  /** Metadata that marks a day which the file does not have. */
  mark?: [key: string, value: string]
  ambiguous?: AmbiguousDate
}

/** What is known about a row before the rest of it is read. */
export interface RowDraft {
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

export function skipped(reason: SkipReason, message: string): RowResult {
  return { ok: false, fault: { reason, message } }
}

/** What holds for all rows of a file, inferred from all of them. */
export interface TableConventions {
  /** For slash dates. */
  dayFirst: boolean
  /** Dates with a year of two digits begin with it. */
  yearFirst: boolean
  /** Ambiguous Polish or Croatian month names are Croatian. */
  croatianMonths: boolean
  /** Texts contain HTML entities to be decoded. */
  decodeHtml: boolean
  /** A rating that proves that bare numbers are on another scale. */
  otherScale: { cell: string; line: number } | undefined
}

/** A skipped row with its original cells. */
export interface SkippedRow extends RowFault {
  table: number
  line: number
  cells: string[]
}

/** A file of an import, and how it was interpreted. */
export interface ImportedTable extends Omit<Table, 'rows'> {
  plan: ColumnPlan
  /** How it was read. */
  options: ImportOptions
  conventions: TableConventions
  /** Undefined for a file without slash dates. */
  dates?: DateOrder | undefined
  /** Number of non-empty rows. */
  rows: number
}
