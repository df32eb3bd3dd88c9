import { parseDateTime } from '../../contract/timestamp.ts'
import { approximateDate } from '../fields/approximate-date.ts'
import { parseDate, plainTimestamp, utcDay } from '../fields/date.ts'
import { isUnset } from '../fields/unset.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { ImportOptions } from '../formats/mapping.ts'
import type { RowFault } from '../skip-reasons.ts'
import type { SlashDateCounter } from './date-order.ts'
import { withCroatianMonth } from './month-words.ts'
import type { RowDate, TableConventions } from './row.ts'
import type { CellReader } from './row-cells.ts'

/** Creates a reader of a row's date, which also counts slash dates. */
export function rowDateReader(
  cellOf: CellReader,
  { fields, publishedOn }: ColumnPlan,
  { as_of: asOf, date: given }: ImportOptions,
  { dayFirst, croatianMonths, yearFirst }: TableConventions,
  slashDates: SlashDateCounter,
) {
  const madeOn = asOf === undefined ? undefined : new Date(asOf)
  const givenDate: RowDate | undefined =
    given === undefined || fields.date?.length
      ? undefined
      : { at: new Date(given), day: undefined, mark: ['date_given', 'true'] }
  return (cells: string[], line: number): RowDate | RowFault => {
    if (givenDate) return givenDate
    const written = cellOf(cells, 'date')
    // A draft gets another day once it is published, and keeps its id.
    const published = publishedOn === undefined ? written : (cells[publishedOn] ?? '').trim()
    const hasDay = published !== '' && !isUnset(published)
    const plain = plainTimestamp(written)
    const at = plain === undefined ? undefined : parseDateTime(plain)
    if (at) {
      slashDates.addOther(at.getUTCDate(), line, written)
      return { at, day: hasDay ? written.slice(0, 10) : undefined }
    }
    slashDates.months.add(written, line)
    slashDates.shortYears.add(written, line)
    const meant = slashDates.shortYears.inFull(written, yearFirst)
    const date = parseDate(croatianMonths ? withCroatianMonth(meant) : meant, dayFirst)
    if (date.slash) slashDates.add(date.slash, line, written, cellOf(cells, 'language'))
    if (date.ok) {
      if (!date.slash) slashDates.addOther(date.value.getUTCDate(), line, written)
      const day = hasDay ? utcDay(date.value) : undefined
      return { at: date.value, day, ...(date.slash === 'either' && { ambiguous: { cell: written } }) }
    }
    const counted = madeOn && approximateDate(written, madeOn)
    if (counted?.ok) return { at: counted.value, day: undefined, mark: ['date_as_written', written] }
    return { reason: written === '' ? 'no_date' : 'bad_date', message: (counted ?? date).message }
  }
}
