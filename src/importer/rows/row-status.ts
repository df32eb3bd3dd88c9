import { isStorable } from '../../contract/text.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import { type VisibilityColumn, visibilityIn } from '../formats/visibility-columns.ts'
import type { ImportRow } from './row.ts'

/** `spam` skips the row; an unknown word hides it (`unknown`) unless the column may be about more (`unread`). */
interface RowStatus {
  status: 'shown' | 'unread' | 'unknown' | 'hidden' | 'spam'
  /** The cell that decided it, with its header when the cell alone is unclear. */
  cell: string
}

/** In increasing severity: of several columns the most severe status wins. */
const ORDER: readonly RowStatus['status'][] = ['shown', 'unread', 'unknown', 'hidden', 'spam']

const WORDS_KEPT = 100

/** Cells that are quoted with their header. */
const SAYS_LITTLE = /^(?:.{0,2}|true|false|yes|null|none|nein|oui|non|nee|sim|n[ãa]o)$/i

/** The note for each status. */
export const STATUS_NOTES = { unread: 'unread_status', unknown: 'unknown_status', hidden: 'hidden' } as const

/** Names that review services use for feedback visible only to the owner. */
const PRIVATE_SOURCE = /^(?:private|internal|direct)[ _-]?(?:feedback|review|comment|message)s?$/i

/** Creates a reader of a table's status cells. */
export function rowStatusReader(
  headers: readonly string[],
  { visibility, format, fields }: ColumnPlan,
): (cells: readonly string[]) => RowStatus {
  const statuses = new Map(Object.entries(format.statuses ?? {}))
  const understand = (column: VisibilityColumn, cell: string): RowStatus['status'] => {
    const word = cell.toLowerCase()
    const said =
      (cell === '' ? undefined : statuses.get(word)) ?? column.legend?.get(cell) ?? visibilityIn(column.kind, cell)
    if (said === undefined) return column.unknown === 'hidden' ? 'unknown' : 'unread'
    // Only a format's own spam marker skips a row.
    return said === 'spam' && statuses.get(word) !== 'spam' ? 'hidden' : said
  }
  // Cached, because a column repeats a few words.
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

/** What a row's status means for its review: an owner can show a hidden one with one command. */
export function visibilityOf(
  { status }: RowStatus,
  { format, visibility }: ColumnPlan,
): Pick<ImportRow, 'hidden' | 'visibility'> {
  const hidden = status === 'hidden' || status === 'unknown'
  const isSaid = status !== 'unread' && (status !== 'shown' || visibility.length > 0)
  return { hidden, visibility: !isSaid || format.isOwnExport ? undefined : hidden ? 'hidden' : 'shown' }
}

/** The hidden sentences that our own export names. */
export function hiddenWordsOf(cell: string): string[] | undefined {
  return cell === '' ? undefined : cell.split(' ').filter(isStorable)
}
