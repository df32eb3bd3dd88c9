import { isYes } from '../fields/yes-no.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { RawRow } from '../read/table.ts'
import { filledCells } from './column-content.ts'
import type { ImportFormat } from './format.ts'
import { hasName, headerSet } from './header-names.ts'

/** A column that distinguishes reviews from other kinds of rows, and whether a cell names another kind. */
export interface KindColumn {
  index: number
  isOther: (cell: string) => boolean
}

const KIND = headerSet(
  'type | review type | comment type | record type | entry type | content type | kind | feedback type',
)
const PARENT = headerSet(`
    parent id | parent comment id | parent review id | comment parent | in reply to | in reply to id | reply to id`)
const OTHER_KIND =
  /^(?:question|answer|reply|response|q&a|order[_ -]?note|note|internal note|left(?: for others| as \w+| by seller)?|pingback|trackback|(?:host|owner|seller|landlord)[-_ ]to[-_ ](?:guest|customer|buyer|tenant))s?$/i
const ANSWER = headerSet('is reply | is response | is answer | is owner reply')
const ROLE = headerSet('role | author role | reviewer role | reviewer type | author type | written by role | user role')
/** For marketplaces where both sides review each other, and for conversations. */
const OTHER_ROLE =
  /^(?:(?:business[ _-]?)?owner|business|merchant|supplier|seller|vendor|host|landlord|admin(?:istrator)?|shop[ _-]?manager|staff|manager|developer)$/i
const CUSTOMER_ROLE =
  /^(?:customer|client|guest|user|buyer|shopper|consumer|reviewer|author|visitor|traveler|tenant|member|subscriber)$/i
const NO_PARENT = /^(?:|0|null|none)$/i

/** The columns that identify rows other than customer reviews (questions, answers, the seller's texts). */
export function kindColumns(headers: readonly string[], sample: readonly RawRow[], format: ImportFormat): KindColumn[] {
  if (format.isOwnExport) return []
  if (format.only !== undefined) return ofFormat(headers, format.only)
  return headers.flatMap((header, index): KindColumn[] => {
    if (hasName(header, KIND)) return [{ index, isOther: (cell) => OTHER_KIND.test(cell) }]
    if (hasName(header, ANSWER)) return [{ index, isOther: isYes }]
    if (hasName(header, ROLE))
      return areJobs(filledCells(sample, index)) ? [] : [{ index, isOther: (cell) => OTHER_ROLE.test(cell) }]
    if (!hasName(header, PARENT)) return []
    // When every row has a parent, it is the product.
    const hasRoots = filledCells(sample, index).filter((cell) => !NO_PARENT.test(cell)).length < sample.length
    return hasRoots ? [{ index, isOther: (cell) => !NO_PARENT.test(cell) }] : []
  })
}

/** Customers' professions ("Owner", "Baker") or kinds of travellers ("Business", "Family"), in which an owner is one. */
function areJobs(cells: readonly string[]): boolean {
  return new Set(cells.filter((cell) => !OTHER_ROLE.test(cell) && !CUSTOMER_ROLE.test(cell))).size > 1
}

function ofFormat(headers: readonly string[], only: Readonly<Record<string, readonly string[]>>): KindColumn[] {
  return Object.entries(only).flatMap(([name, values]) => {
    const index = headers.findIndex((header) => normalizeHeader(header) === normalizeHeader(name))
    return index === -1 ? [] : [{ index, isOther: (cell: string) => !values.includes(cell.toLowerCase()) }]
  })
}
