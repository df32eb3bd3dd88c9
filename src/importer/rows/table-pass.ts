import { parseDate, utcDay } from '../fields/date.ts'
import { stableId } from '../fields/external-id.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import type { RawRow, Table } from '../read/table.ts'
import type { DateOrder } from './date-order.ts'
import type { ImportedTable, ImportRow, SkippedRow, TableConventions } from './row.ts'
import { RowMapper } from './row-mapper.ts'
import type { RowNotes } from './warnings.ts'

/** One pass over a file's rows under assumed conventions, and the evidence about those. */
export class TablePass {
  rows: ImportRow[] = []
  readonly skipped: SkippedRow[] = []
  /** Number of non-empty rows. */
  count = 0
  /** Index of the table in the import. */
  readonly index: number
  readonly #mapper: RowMapper
  /** Without its rows, so that the sources of many files are not held in memory. */
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
   * The file's conventions as inferred from the rows so far.
   *
   * @throws ImporterError `dates_both_orders`
   */
  conventions(): TableConventions {
    return {
      dayFirst: this.#dateOrder()?.dayFirst ?? false,
      croatianMonths: this.croatianMonths,
      yearFirst: this.yearFirst,
      decodeHtml: this.#options.decode_html ?? this.#table.plan.format.isHtml ?? this.#mapper.html.isEncoded,
      otherScale: this.otherScale,
    }
  }

  get croatianMonths(): boolean {
    return this.#mapper.slashDates.months.areCroatian
  }

  get yearFirst(): boolean {
    return this.#options.day_first === undefined && this.#mapper.slashDates.shortYears.areFirst
  }

  get otherScale(): TableConventions['otherScale'] {
    return this.#mapper.scale.proof
  }

  #dateOrder(): DateOrder | undefined {
    return this.#orderOfSiblings ?? this.#mapper.slashDates.order(this.#table, this.#table.plan, this.#options)
  }

  /** @throws ImporterError `dates_both_orders` when a spreadsheet exchanged day and month; call it after all rows */
  checkDates(): void {
    this.#mapper.slashDates.checkExchanged(this.#table.file, this.#options)
  }

  /** Applies another order to the dates, all ambiguous, and to the ids generated from them. */
  readDatesAs(order: DateOrder): void {
    this.#orderOfSiblings = order
    for (const { review, ambiguousDate } of this.rows) {
      const date = ambiguousDate && parseDate(ambiguousDate.cell, order.dayFirst)
      if (!date?.ok) continue
      review.occurred_at = date.value
      if (ambiguousDate?.id) review.external_id = stableId({ ...ambiguousDate.id, day: utcDay(date.value) })
    }
  }

  /** Notes of each row with an ambiguous date what it would be the other way; call it after `readDatesAs`. */
  noteOtherWays(): void {
    const dayFirst = this.#dateOrder()?.dayFirst !== true
    for (const row of this.rows) {
      const { review, ambiguousDate: ambiguous } = row
      if (!ambiguous) continue
      delete row.ambiguousDate
      const date = parseDate(ambiguous.cell, dayFirst)
      if (!date.ok || date.value.getTime() === review.occurred_at.getTime()) continue
      const id = ambiguous.id ? stableId({ ...ambiguous.id, day: utcDay(date.value) }) : review.external_id
      row.otherWay = { at: date.value, id }
    }
  }

  /** The table as interpreted; call it after all rows. */
  toImportedTable(): ImportedTable {
    const [options, conventions] = [this.#options, this.#conventions]
    const { months, shortYears } = this.#mapper.slashDates
    // Platforms' stars are of five.
    const scale = /^(?:generic|multi-source)$/.test(this.#table.plan.format.name)
      ? this.#mapper.scale.note()
      : undefined
    const notes = [...this.#table.notes, months.note(), shortYears.note(), scale].filter((note) => note !== undefined)
    return { ...this.#table, notes, options, conventions, rows: this.count, dates: this.#dateOrder() }
  }
}
