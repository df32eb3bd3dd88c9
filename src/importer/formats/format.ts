import type { Source } from '../../contract/review.ts'
import type { Visibility } from '../fields/visibility.ts'
import type { FileType } from '../read/table.ts'
import type { Field } from './mapping.ts'

/** A vendor's export format. Header names are compared by their letters and digits only. */
export interface ImportFormat {
  name: string
  label: string
  source: Source
  /** Required headers, separated by commas; `a|b` means either. */
  needs: string
  /** Further headers of the format, separated by commas: the more are present, the better the match. */
  hints?: string
  /** Headers that rule the format out, separated by commas. */
  unless?: string
  fileTypes?: readonly FileType[]
  /** Columns by field. Of several, separated by `|`, each row uses the first that is filled. */
  columns: Partial<Record<Field, string>>
  /** Columns kept as metadata unless the user chooses, with their keys. */
  metadata?: Readonly<Record<string, string>>
  /** Fields that are also looked up by the general aliases. */
  alsoByAlias?: readonly Field[] | 'all'
  /** Exported by this service: re-imported byte for byte, with nothing trimmed, decoded or left out. */
  isOwnExport?: true
  /** Prefix for ids that count from 1, so that they don't collide with another shop system's. */
  idPrefix?: string
  /** By column, the values that mark a row as a customer review; other rows are something else. */
  only?: Readonly<Record<string, readonly string[]>>
  /** A column and its value that mark reviews; in a file that has it, others are none unless they are rated. */
  mark?: { column: string; value: string }
  /** Where the stars are if the file has no column of them. */
  starsElsewhere?: string
  /** Customer texts in the file that are not imported, as a sentence fragment. */
  leavesOut?: string
  /** Meanings of statuses that differ from the general ones. */
  statuses?: Readonly<Record<string, Visibility>>
  /** A row's text joins all filled text columns, one paragraph each. */
  joinsTexts?: boolean
  /** The scale of bare ratings; 5 unless set. */
  ratingScale?: number
  /** Its texts are HTML in every file. */
  isHtml?: true
  /** Ratings written as words. */
  ratings?: Readonly<Record<string, string>>
  /** Whether dates with slashes have the day first. */
  dayFirst?: (table: { delimiter?: string | undefined }) => boolean
  /** Why files of this format are only imported when forced. */
  refuse?: string
}

/** Whether files of a format may have a field, in one of its columns or in one found by an alias. */
export function supportsField({ columns, alsoByAlias = [], isOwnExport }: ImportFormat, field: Field): boolean {
  // Any vendor's file may have a translation beside the text.
  if (field === 'translation') return isOwnExport === undefined
  return columns[field] !== undefined || alsoByAlias === 'all' || alsoByAlias.includes(field)
}
