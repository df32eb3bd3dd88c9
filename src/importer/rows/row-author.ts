import { publicName } from '../fields/author.ts'
import { isSpreadsheetError } from '../fields/spreadsheet-error.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { ImportRow } from './row.ts'
import type { RowNote } from './warnings.ts'

/** An author's name as a page may show it. */
interface RowAuthor {
  /** Empty for an unnamed author. */
  name: string
  /** Note about a change to the name. */
  note?: RowNote
  isAnonymous?: true
}

/** Adds what tells the ids that earlier versions gave it: they took an author from columns that have none. */
export function addFormer(
  row: ImportRow,
  madeOf: ImportRow['madeOf'],
  { formerAuthors }: ColumnPlan,
  cells: readonly string[],
): void {
  const { text, author_name } = row.review
  if (madeOf && (madeOf.text !== text || madeOf.author !== author_name)) row.madeOf = madeOf
  const names = formerAuthors.flatMap((index) => (cells[index] ?? '').trim() || [])
  if (names.length > 0) row.formerNames = names
}

/** Placeholders for a missing name, case-sensitive because "Null" and "Nan" are names. */
const NO_NAME =
  /^(?:NULL|null|\((?:null|NULL)\)|\[NULL\]|<NA>|NA|\\N|None|undefined|nan|NaN|#?N\/A|n\/a|[Uu]nknown(?: (?:[Uu]ser|[Aa]uthor|[Rr]eviewer|[Cc]ustomer))?|[-–—?]+|[*＊][*＊\s]*)$/

/** A name whose letters were lost by saving in an encoding without them: `???? ?????`, `Kr?l`. */
const ALL_LOST = /^(?=[^?]*\?[^?]*\?)[?\s.]+$/
const SOME_LOST = /\p{L}\?\p{Ll}|(?:^|\s)\?\p{Ll}/u

/** Creates a reader that removes private data from author names. Our own export is kept unchanged. */
export function authorReader({ anonymous, format }: ColumnPlan) {
  return (written: string, cells: readonly string[]): RowAuthor => {
    if (format.isOwnExport) return { name: written }
    if (anonymous.some(({ index, isAsked }) => isAsked(cells[index] ?? '')))
      return { name: '', note: 'author_anonymous', isAnonymous: true }
    if (ALL_LOST.test(written)) return { name: '', note: 'question_marks' }
    if (NO_NAME.test(written)) return { name: '' }
    if (isSpreadsheetError(written)) return { name: '', note: 'author_error' }
    const name = publicName(written)
    if (name !== written) return { name, note: 'author_cut' }
    return SOME_LOST.test(name) ? { name, note: 'question_marks' } : { name }
  }
}
