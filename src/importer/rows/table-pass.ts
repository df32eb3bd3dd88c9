import { parseDate } from '../fields/date.ts'
import { stableId } from '../fields/external-id.ts'
import { HtmlEvidence } from '../fields/html.ts'
import { RatingScale } from '../fields/rating-scale.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import type { RawRow, Table } from '../read/table.ts'
import { type DateOrder, SlashDateCounter } from './date-order.ts'
import type { ImportedTable, SkippedRow } from './prepare.ts'
import { type ImportRow, type RowResult, rowMapper } from './row.ts'
import { RowNotes } from './warnings.ts'

/** What holds for all rows of a file. */
export interface TableConventions {
  dayFirst: boolean
  decodeHtml: boolean
  /** A rating beyond 5, of a file whose bare numbers are of another scale. */
  otherScale: { cell: string; line: number } | undefined
}

/** One file's rows, read under a guess of what holds for all of them, and what they say about that guess. */
export class TablePass {
  rows: ImportRow[] = []
  readonly skipped: SkippedRow[] = []
  readonly notes = new RowNotes()
  /** Rows that hold anything. */
  count = 0
  readonly file: string
  readonly headers: readonly string[]
  readonly #slashes = new SlashDateCounter()
  readonly #html = new HtmlEvidence()
  readonly #scale = new RatingScale()
  readonly #map: (raw: RawRow) => RowResult
  readonly #described: Omit<ImportedTable, 'rows' | 'dates'>
  readonly #reading: () => DateOrder | undefined
  #settledDates: DateOrder | undefined

  readonly index: number
  readonly plan: ColumnPlan
  readonly #options: ImportOptions

  constructor(table: Table, index: number, plan: ColumnPlan, options: ImportOptions, settled: TableConventions) {
    this.index = index
    this.plan = plan
    this.#options = options
    const { file, fileType, encoding, delimiter, headers, notes } = table
    this.file = file
    this.headers = headers
    this.#described = { file, fileType, encoding, ...(delimiter !== undefined && { delimiter }), headers, plan, notes }
    this.#reading = () =>
      this.#slashes.order({ file, headers, ...(delimiter !== undefined && { delimiter }) }, plan, options)
    this.#map = rowMapper(
      table,
      index,
      plan,
      { ...options, ...settled, noteHtml: options.decodeHtml === undefined },
      {
        note: (note, line, example) => this.notes.add(note, index, line, example),
        slashDate: (order, line, cell, language) => this.#slashes.add(order, line, cell, language),
        text: (traces) => this.#html.add(traces),
        rating: (cell, line) => this.#scale.add(cell, line),
      },
    )
  }

  take(batch: readonly RawRow[]): void {
    for (const raw of batch) {
      this.count++
      const result = this.#map(raw)
      if (result.ok) this.rows.push(result.row)
      else this.skipped.push({ ...result.fault, table: this.index, line: raw.line, cells: raw.cells })
    }
  }

  /**
   * What the rows so far say about the whole file.
   *
   * @throws ImporterError `dates_both_orders`
   */
  settled(): TableConventions {
    return {
      dayFirst: this.#reading()?.dayFirst ?? false,
      decodeHtml: this.#options.decodeHtml ?? this.#html.isEncoded,
      otherScale: this.#scale.proof,
    }
  }

  get dates(): DateOrder | undefined {
    return this.#settledDates ?? this.#reading()
  }

  /** Reads the dates again, all of which can be read in both ways, with the ids that are made of them. */
  readDatesAs(reading: DateOrder): void {
    this.#settledDates = reading
    for (const { review, ambiguousDate } of this.rows) {
      if (!ambiguousDate) continue
      const date = parseDate(ambiguousDate.cell, reading.dayFirst)
      if (!date.ok) continue
      review.occurred_at = date.value
      if (ambiguousDate.id)
        review.external_id = stableId({ ...ambiguousDate.id, day: date.value.toISOString().slice(0, 10) })
    }
  }

  described(): ImportedTable {
    const { dates } = this
    return { ...this.#described, rows: this.count, ...(dates && { dates }) }
  }
}
