import { isUnset } from '../fields/unset.ts'
import { isYes } from '../fields/yes-no.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { RawRow, Table } from '../read/table.ts'
import { filledCells } from './column-content.ts'
import type { ImportFormat } from './format.ts'
import { hasName, headerSet } from './header-names.ts'

/** A column that distinguishes reviews from other kinds of rows, and whether a cell names another kind. */
export interface KindColumn {
  index: number
  isOther: (cell: string, cells: readonly string[]) => boolean
}

const KIND = headerSet(
  'type | review type | comment type | record type | entry type | content type | kind | feedback type',
)
const PARENT = headerSet(`
    parent id | parent comment id | parent review id | comment parent | in reply to | in reply to id | reply to id | replied to | replied to id | parent review
    parent comment`)
/** May also be a category: the ids of other rows tell. */
const BARE_PARENT = headerSet('parent | reply to | thread | thread id')
/** Of comments below pages (Remark42, Waline, Artalk). Elsewhere the product, which is rated. */
const COMMENT_PARENT = headerSet('pid | rid')
const STARS = /rating|stars/i
const OTHER_KIND =
  /^(?:question|answer|reply|response|q&a|order[_ -]?note|note|internal note|left(?: for others| as \w+| by seller)?|pingback|trackback|spam|(?:host|owner|seller|landlord)[-_ ]to[-_ ](?:guest|customer|buyer|tenant))s?$/i
const ANSWER = headerSet('is reply | is response | is answer | is owner reply | is admin reply')
/** Elsewhere whoever has bought the product is its owner, as most are. */
const OF_BUSINESS = headerSet(
  'is owner | from owner | by owner | by author | is business | from business | is host | is seller | is merchant | is staff | is admin',
)
const ROLE = headerSet(
  'role | author role | reviewer role | reviewer type | author type | written by role | user role | sender | sender type | sender role | direction',
)
/** Qualtrics: whoever made the survey tried it out. */
const SURVEY = headerSet('status | response type | distribution channel')
const TRIAL = /^(?:survey[ _-]?(?:preview|test)|preview)$/i
/** For marketplaces where both sides review each other, and for conversations. */
const OTHER_ROLE =
  /^(?:(?:business[ _-]?)?owner|business|merchant|supplier|seller|vendor|host|landlord|admin(?:istrator)?|shop[ _-]?manager|staff|manager|developer|outbound|outgoing)$/i
const CUSTOMER_ROLE =
  /^(?:customer|client|guest|user|buyer|shopper|consumer|reviewer|author|visitor|traveler|tenant|member|subscriber|inbound|incoming)$/i
/** Its exports have the drafts, also those of what is published. */
const SANITY_DRAFT = 'drafts.'
/**
 * Of Sanity, GraphQL and Contentful, whose exports have the documents of every type, as Strapi's have below `type` and Django's
 * below `model`.
 */
const DOCUMENT_TYPE = /^(?:_type|__typename|sys\.contentType\.sys\.id)$/
const STRAPI_TYPE = /^api::/
const DJANGO_MODEL = /^[a-z]\w*\.([a-z]\w*)$/
const REVIEW_TYPE = /^(?:api::)?[^:]*(?:review|testimonial|feedback|opinion)/i
const NO_PARENT = /^(?:|0|null|none)$/i

/** The columns that identify rows other than customer reviews (questions, answers, the seller's texts). */
export function kindColumns(headers: readonly string[], sample: readonly RawRow[], format: ImportFormat): KindColumn[] {
  if (format.isOwnExport) return []
  if (format.only !== undefined) return [...ofFormat(headers, format.only), ...unmarked(headers, sample, format)]
  return headers.flatMap((header, index): KindColumn[] => {
    if (header === '_id') return [{ index, isOther: (cell) => cell.startsWith(SANITY_DRAFT) }]
    if (areDocumentTypes(header, filledCells(sample, index))) return [{ index, isOther: (cell) => !isReviewType(cell) }]
    if (hasName(header, KIND)) return [{ index, isOther: (cell) => OTHER_KIND.test(cell) }]
    if (hasName(header, SURVEY)) return [{ index, isOther: (cell) => TRIAL.test(cell) }]
    if (hasName(header, ANSWER)) return [{ index, isOther: isYes }]
    if (hasName(header, OF_BUSINESS)) {
      const yes = filledCells(sample, index).filter(isYes).length
      return yes <= sample.length / 2 ? [{ index, isOther: isYes }] : []
    }
    if (hasName(header, ROLE))
      return areJobs(filledCells(sample, index)) ? [] : [{ index, isOther: (cell) => OTHER_ROLE.test(cell) }]
    if (isBareParent(header, headers) && isIdOfRows(headers, sample, index))
      return [{ index, isOther: (cell) => !NO_PARENT.test(cell) }]
    if (!hasName(header, PARENT) && !isDrupalParent(header, headers)) return []
    // When every row has a parent, it is the product.
    const hasRoots = filledCells(sample, index).filter((cell) => !NO_PARENT.test(cell)).length < sample.length
    return hasRoots ? [{ index, isOther: (cell) => !NO_PARENT.test(cell) }] : []
  })
}

function isBareParent(header: string, headers: readonly string[]): boolean {
  return hasName(header, BARE_PARENT) || (hasName(header, COMMENT_PARENT) && !headers.some((name) => STARS.test(name)))
}

/** Elsewhere than in its comments, `pid` is the product. */
function isDrupalParent(header: string, headers: readonly string[]): boolean {
  return header === 'pid' && headers.includes('cid')
}

/** Whether a row is a review by its type, for exports of documents of all types; undefined for other tables. */
export function isReviewDocument({ headers, fileType }: Table): ((row: RawRow) => boolean) | undefined {
  const index = headers.findIndex((header) => DOCUMENT_TYPE.test(header) || header === 'type' || header === 'model')
  if (index === -1 || !/^json/.test(fileType)) return undefined
  return ({ cells }) => areDocumentTypes(headers[index] ?? '', [cells[index] ?? ''])
}

/** Whether a column has the types of documents, one of which is that of reviews. */
function areDocumentTypes(header: string, cells: readonly string[]): boolean {
  const hasTypes =
    DOCUMENT_TYPE.test(header) ||
    (header === 'type' && cells.some((cell) => STRAPI_TYPE.test(cell))) ||
    (header === 'model' && cells.every((cell) => DJANGO_MODEL.test(cell)))
  return hasTypes && cells.some(isReviewType)
}

/** Whether a type is one of reviews; Django's by the model, since an app of reviews has also their votes. */
function isReviewType(type: string): boolean {
  return REVIEW_TYPE.test(DJANGO_MODEL.exec(type)?.[1] ?? type)
}

/** Whether the filled cells of a column are ids of other rows, some of which are no answers. */
function isIdOfRows(headers: readonly string[], sample: readonly RawRow[], index: number): boolean {
  const idAt = headers.findIndex((header) => hasName(header, ID))
  const parents = filledCells(sample, index).filter((cell) => !NO_PARENT.test(cell))
  const ids = new Set(filledCells(sample, idAt))
  return idAt !== -1 && parents.length > 0 && parents.length < sample.length && parents.some((cell) => ids.has(cell))
}

const ID = headerSet('id | review id | comment id')

/** Looks in all rows of a file for what its first rows may not have: the ids that a bare "parent" names. */
export class ParentSearch {
  readonly #at: number
  readonly #idAt: number
  readonly #ids = new Set<string>()
  readonly #parents = new Set<string>()
  #hasRoots = false

  private constructor(at: number, idAt: number) {
    this.#at = at
    this.#idAt = idAt
  }

  /** @returns undefined for a file without such a column, or with one that is known to have ids */
  static in(headers: readonly string[], kinds: readonly KindColumn[], format: ImportFormat): ParentSearch | undefined {
    if (format.isOwnExport || format.only !== undefined) return undefined
    const at = headers.findIndex((header) => isBareParent(header, headers))
    const idAt = headers.findIndex((header) => hasName(header, ID))
    const isKnown = kinds.some(({ index }) => index === at)
    return at === -1 || idAt === -1 || isKnown ? undefined : new ParentSearch(at, idAt)
  }

  take(rows: readonly RawRow[]): void {
    for (const { cells } of rows) {
      const [id, parent] = [(cells[this.#idAt] ?? '').trim(), (cells[this.#at] ?? '').trim()]
      if (id !== '') this.#ids.add(id)
      if (NO_PARENT.test(parent)) this.#hasRoots = true
      else this.#parents.add(parent)
    }
  }

  /** The column, if it has ids of rows, some of which are no answers. */
  found(): KindColumn | undefined {
    const hasIds = this.#hasRoots && [...this.#parents].some((parent) => this.#ids.has(parent))
    return hasIds ? { index: this.#at, isOther: (cell) => !NO_PARENT.test(cell) } : undefined
  }
}

/** Customers' professions ("Owner", "Baker") or kinds of travellers ("Business", "Family"), in which an owner is one. */
function areJobs(cells: readonly string[]): boolean {
  return new Set(cells.filter((cell) => !OTHER_ROLE.test(cell) && !CUSTOMER_ROLE.test(cell))).size > 1
}

/** Where some rows are marked as reviews, those that are neither marked nor rated are none. */
function unmarked(headers: readonly string[], sample: readonly RawRow[], format: ImportFormat): KindColumn[] {
  const { mark, columns } = format
  const rated = headers.findIndex((header) => normalizeHeader(header) === columns.rating)
  const index = headers.findIndex((header) => normalizeHeader(header) === normalizeHeader(mark?.column ?? ''))
  if (mark === undefined || index === -1 || rated === -1 || !filledCells(sample, index).includes(mark.value)) return []
  const isRated = (cell: string) => cell !== '' && !isUnset(cell)
  return [{ index, isOther: (cell, cells) => cell !== mark.value && !isRated((cells[rated] ?? '').trim()) }]
}

function ofFormat(headers: readonly string[], only: Readonly<Record<string, readonly string[]>>): KindColumn[] {
  return Object.entries(only).flatMap(([name, values]) => {
    const index = headers.findIndex((header) => normalizeHeader(header) === normalizeHeader(name))
    return index === -1 ? [] : [{ index, isOther: (cell: string) => !values.includes(cell.toLowerCase()) }]
  })
}
