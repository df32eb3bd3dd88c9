import type { Source } from '../../contract/review.ts'
import type { Visibility } from '../fields/visibility.ts'
import type { FileType } from '../read/table.ts'
import type { Field } from './mapping.ts'

/** What is known about one vendor's export. Header names are compared by their letters and digits only. */
export interface ImportFormat {
  name: string
  label: string
  source: Source
  /** Headers that must all be there, separated by commas; `a|b` means either. */
  needs: string
  /** Further headers of the format, separated by commas: the more are there, the surer. */
  hints?: string
  /** Headers, separated by commas: with one of them it is another format. */
  unless?: string
  fileTypes?: readonly FileType[]
  /** Columns by field. Of several, separated by `|`, each row takes the first that is filled. */
  columns: Partial<Record<Field, string>>
  /** Columns kept as metadata unless the user chooses, with their keys. */
  metadata?: Readonly<Record<string, string>>
  /** Fields that its files may have without a column of their own above: the general aliases find it. */
  alsoByAlias?: readonly Field[] | 'all'
  /** What this service has exported: it comes back byte for byte, so nothing is trimmed, decoded or left out. */
  isOwnExport?: true
  /** Stands before the ids, where they are counted from 1 and those of another shop system would be the same. */
  idPrefix?: string
  /** Rows of other things in the same file: by column what its cell must be for the row to be a customer's review. */
  only?: Readonly<Record<string, readonly string[]>>
  /** Words of customers that the file has beside these and that are not read, as a part of a sentence. */
  leavesOut?: string
  /** What a status means where it is not what the word says in general. */
  statuses?: Readonly<Record<string, Visibility>>
  /** Of several columns of the text each row takes all that are filled, a paragraph each. */
  joinsTexts?: boolean
  /** The highest that a bare number may be as a rating, where that is not 5. */
  ratingScale?: number
  /** Ratings written as words. */
  ratings?: Readonly<Record<string, string>>
  /** Slash dates have their day first, when this is so. */
  dayFirst?: (table: { delimiter?: string | undefined }) => boolean
  /** Why this file is not imported unless forced. */
  refuse?: string
}

/** Whether files of a format may have a field, in one of its columns or in one that an alias finds. */
export function mayHave({ columns, alsoByAlias = [], isOwnExport }: ImportFormat, field: Field): boolean {
  // A translation may stand beside the text in any vendor's file.
  if (field === 'translation') return isOwnExport === undefined
  return columns[field] !== undefined || alsoByAlias === 'all' || alsoByAlias.includes(field)
}
