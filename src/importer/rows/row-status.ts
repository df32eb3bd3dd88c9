import type { ColumnPlan } from '../formats/column-plan.ts'
import { type VisibilityColumn, visibilityIn } from '../formats/visibility-columns.ts'

/**
 * What a row's columns say about showing it. `spam` is left out; of a word without a meaning `unknown` hides the row, since
 * the column is about nothing else, and `unread` does not.
 */
interface RowStatus {
  status: 'shown' | 'unread' | 'unknown' | 'hidden' | 'spam'
  /** The cell that says so, with its column's name where the cell alone says little. */
  cell: string
}

/** From what leaves a row as it is to what does most to it: of several columns the last in this order decides. */
const ORDER: readonly RowStatus['status'][] = ['shown', 'unread', 'unknown', 'hidden', 'spam']

const WORDS_KEPT = 100

/** A flag's cell, which is quoted with the name of its column. */
const SAYS_LITTLE = /^(?:.{0,2}|true|false|yes|null|none|nein|oui|non|nee|sim|n[ãa]o)$/i

/** Which note a status asks for. */
export const STATUS_NOTES = { unread: 'unread_status', unknown: 'unknown_status', hidden: 'hidden' } as const

/** What services for reviews call feedback that came to the owner alone. */
const PRIVATE_SOURCE = /^(?:private|internal|direct)[ _-]?(?:feedback|review|comment|message)s?$/i

/** Makes the function that reads the status cells of one table. */
export function rowStatusReader(
  headers: readonly string[],
  { visibility, format, fields }: ColumnPlan,
): (cells: readonly string[]) => RowStatus {
  const statuses = new Map(Object.entries(format.statuses ?? {}))
  const understand = (column: VisibilityColumn, cell: string): RowStatus['status'] => {
    const word = cell.toLowerCase()
    const said = (cell === '' ? undefined : statuses.get(word)) ?? visibilityIn(column.kind, cell)
    if (said === undefined) return column.unknown === 'hidden' ? 'unknown' : 'unread'
    // Only where the format itself marks spam is such a row left out.
    return said === 'spam' && statuses.get(word) !== 'spam' ? 'hidden' : said
  }
  // A column has a few words in many rows.
  const understood = new Map(visibility.map(({ index }) => [index, new Map<string, RowStatus['status']>()]))
  const read = (column: VisibilityColumn, cell: string) => {
    const words = understood.get(column.index)
    const known = words?.get(cell) ?? understand(column, cell)
    if (words && words.size < WORDS_KEPT) words.set(cell, known)
    return known
  }
  return (cells) => {
    let found: RowStatus = { status: 'shown', cell: '' }
    let isSaidToBeShown = false
    for (const column of visibility) {
      const cell = (cells[column.index] ?? '').trim()
      const status = read(column, cell)
      isSaidToBeShown ||= status === 'shown' && cell !== ''
      if (ORDER.indexOf(status) <= ORDER.indexOf(found.status)) continue
      found = { status, cell: SAYS_LITTLE.test(cell) ? `${headers[column.index]}=${cell}` : cell }
    }
    if (found.status === 'unread' && isSaidToBeShown) return { status: 'shown', cell: '' }
    if (found.status !== 'shown' || format.isOwnExport) return found
    const source = fields.source?.map((index) => (cells[index] ?? '').trim()).find((cell) => PRIVATE_SOURCE.test(cell))
    return source === undefined ? found : { status: 'hidden', cell: source }
  }
}
