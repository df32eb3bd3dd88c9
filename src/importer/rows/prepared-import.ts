import type { ColumnPlan } from '../formats/column-plan.ts'
import type { PassedOverFile } from '../read/review-files.ts'
import type { Table } from '../read/table.ts'
import type { RowFault } from '../skip-reasons.ts'
import type { DateOrder } from './date-order.ts'
import type { ImportRow } from './row.ts'
import type { RowNote } from './row-notes.ts'

/** A row left out, with its cells as they stand in the file. */
export interface SkippedRow extends RowFault {
  table: number
  line: number
  cells: string[]
}

/** One file of an import, and how it was understood. */
export interface ImportedTable extends Omit<Table, 'rows'> {
  plan: ColumnPlan
  /** Absent for a file without slash dates. */
  dates?: DateOrder | undefined
  /** Rows that hold anything. */
  rows: number
}

/** Something to know about an import whose rows were imported anyway. */
export interface ImportWarning {
  code: RowNote | 'file' | 'dates' | 'choice' | 'repeated'
  message: string
  /** Rows that it is about. */
  count: number
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
