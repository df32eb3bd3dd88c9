import { publicName } from '../fields/author.ts'
import { isSpreadsheetError } from '../fields/spreadsheet-error.ts'
import { isAnonymous } from '../formats/author-columns.ts'
import type { ColumnPlan } from '../formats/column-plan.ts'
import type { RowNote } from './warnings.ts'

/** An author as a page may name them. */
interface RowAuthor {
  /** Empty for one who is not named. */
  name: string
  /** What was done to the name. */
  note?: RowNote
  isAnonymous?: true
}

/** What databases and programs write where there is no name, as they write it: "Null" and "Nan" are names. */
const NO_NAME = /^(?:NULL|null|\((?:null|NULL)\)|\[NULL\]|<NA>|NA|\\N|None|undefined|nan|NaN|#?N\/A|n\/a|[-–—?]+)$/

/** Makes the function that takes from authors what is not for the public. Our own export comes back as it was. */
export function authorReader({ anonymous, format }: ColumnPlan) {
  return (written: string, cells: readonly string[]): RowAuthor => {
    if (format.isOwnExport) return { name: written }
    if (anonymous !== undefined && isAnonymous(cells[anonymous] ?? ''))
      return { name: '', note: 'author_anonymous', isAnonymous: true }
    if (NO_NAME.test(written) || isSpreadsheetError(written)) return { name: '' }
    const name = publicName(written)
    return name === written ? { name } : { name, note: 'author_cut' }
  }
}
