import { parseDate, utcDay } from '../fields/date.ts'
import { stableId } from '../fields/external-id.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import type { RawRow, Table } from '../read/table.ts'
import type { DateOrder } from './date-order.ts'
import type { ImportedTable, ImportRow, SkippedRow, TableConventions } from './row.ts'
import { RowMapper } from './row-mapper.ts'
import type { RowNotes } from './warnings.ts'

/** One file's rows, read under a guess of what holds for all of them, and what they say about that guess. */
export class TablePass {
  rows: ImportRow[] = []
  readonly skipped: SkippedRow[] = []
  /** Rows that hold anything. */
  count = 0
  /** The table's place among those of the import, from 0. */
  readonly index: number
  readonly #mapper: RowMapper
  /** Without its rows: what they are read from must not be held with each of many files. */
  readonly #table: Omit<ImportedTable, 'rows' | 'dates' | 'options' | 'conventions'>
  readonly #options: ImportOptions
  readonly #conventions: TableConventions
  #orderOfSiblings: DateOrder | undefined

  constructor(table: Table, index: number, plan: ColumnPlan, options: ImportOptions, conventions: TableConventions) {
    const { rows: _, ...described } = table
    this.index = index
    this.#table = { ...described, plan }
    this.#options = options
    this.#conventions = conventions
    this.#mapper = new RowMapper(table, index, plan, options, conventions)
  }

  get notes(): RowNotes {
    return this.#mapper.notes
  }

  take(batch: readonly RawRow[]): void {
    for (const raw of batch) {
      this.count++
      this.notes.beginRow()
      const result = this.#mapper.map(raw)
      if (result.ok) this.rows.push(result.row)
      else this.skipped.push({ ...result.fault, table: this.index, line: raw.line, cells: raw.cells })
    }
  }

  /**
   * What the rows so far say about the whole file.
   *
   * @throws ImporterError `dates_both_orders`
   */
  conventions(): TableConventions {
    return {
      dayFirst: this.#dateOrder()?.dayFirst ?? false,
      croatianMonths: this.croatianMonths,
      decodeHtml: this.#options.decode_html ?? this.#mapper.html.isEncoded,
      otherScale: this.otherScale,
    }
  }

  get croatianMonths(): boolean {
    return this.#mapper.slashDates.months.areCroatian
  }

  get otherScale(): TableConventions['otherScale'] {
    return this.#mapper.scale.proof
  }

  #dateOrder(): DateOrder | undefined {
    return this.#orderOfSiblings ?? this.#mapper.slashDates.order(this.#table, this.#table.plan, this.#options)
  }

  /** @throws ImporterError `dates_both_orders` once all rows are taken, where a spreadsheet exchanged day and month */
  checkDates(): void {
    this.#mapper.slashDates.checkExchanged(this.#table.file, this.#options)
  }

  /** Reads the dates again, all of which can be read in both ways, with the ids that are made of them. */
  readDatesAs(order: DateOrder): void {
    this.#orderOfSiblings = order
    for (const { review, ambiguousDate } of this.rows) {
      const date = ambiguousDate && parseDate(ambiguousDate.cell, order.dayFirst)
      if (!date?.ok) continue
      review.occurred_at = date.value
      if (ambiguousDate?.id) review.external_id = stableId({ ...ambiguousDate.id, day: utcDay(date.value) })
    }
  }

  /** The table as it was understood, once all of its rows were taken. */
  described(): ImportedTable {
    const [options, conventions] = [this.#options, this.#conventions]
    const notes = [...this.#table.notes, this.#mapper.slashDates.months.note()].filter((note) => note !== undefined)
    return { ...this.#table, notes, options, conventions, rows: this.count, dates: this.#dateOrder() }
  }
}
