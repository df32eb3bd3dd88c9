import type { ColumnPlan } from '../formats/column-plan.ts'
import { type VisibilityColumn, visibilityIn } from '../formats/visibility-columns.ts'

/**
 * What a row's columns say about showing it. `spam` is left out; of a word without a meaning `unknown` hides the row, since
 * the column is about nothing else, and `unread` does not.
 */
interface RowStatus {
  status: 'shown' | 'unread' | 'unknown' | 'hidden' | 'spam'
  /** The cell that says so. */
  cell: string
}

/** From what leaves a row as it is to what does most to it: of several columns the last in this order decides. */
const ORDER: readonly RowStatus['status'][] = ['shown', 'unread', 'unknown', 'hidden', 'spam']

/** Makes the function that reads the status cells of one table. */
export function rowStatusReader({ visibility, format }: ColumnPlan): (cells: readonly string[]) => RowStatus {
  const statuses = new Map(Object.entries(format.statuses ?? {}))
  const read = (column: VisibilityColumn, cell: string): RowStatus['status'] => {
    const word = cell.toLowerCase()
    const said = (cell === '' ? undefined : statuses.get(word)) ?? visibilityIn(column.kind, cell)
    if (said === undefined) return column.unknown === 'hidden' ? 'unknown' : 'unread'
    // Only where the format itself marks spam is such a row left out.
    return said === 'spam' && statuses.get(word) !== 'spam' ? 'hidden' : said
  }
  return (cells) => {
    let found: RowStatus = { status: 'shown', cell: '' }
    for (const column of visibility) {
      const cell = (cells[column.index] ?? '').trim()
      const status = read(column, cell)
      if (ORDER.indexOf(status) > ORDER.indexOf(found.status)) found = { status, cell }
    }
    return found
  }
}
