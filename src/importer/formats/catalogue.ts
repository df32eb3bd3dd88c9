import { normalizeHeader } from '../read/headers.ts'
import { headerNames } from './header-names.ts'

/** Names under which tables of products, apps and dishes describe each of them, and reviewers sometimes their stay. */
const DESCRIPTION =
  /^(?:(?:short|long|full|product|item)?description|beschreibung|descripcion|descricao|descrizione|details?)$/
const OFFER =
  /^(?:offers?)?(?:(?:regular|sale|unit|list|retail|selling|current)?price|stock|stockquantity|instock|installs|mininstalls|(?:review|rating)s?count|numreviews|(?:average|avg)rating)$/
const GOODS =
  /^(?:sku|gtin|ean|barcode|upc|currency|pricecurrency|sizes|colou?rs|developer|(?:review|rating)s?count|numreviews|(?:average|avg)rating|(?:regular|sale)price|in?stock|stockquantity|totalsales|images?|brand|category|numberofreviews|propertytype|minimumnights)$/

const EXPLAINED = /^(?:columns?|fields?|variables?|spalte|feld|colonne|champ|columna|campo)(?:name)?$/
const MOST_EXPLAINED = 4

/**
 * The columns that show that a table lists what is sold, and not what buyers wrote: a price or the like, and another
 * that only goods have. Empty for any other table.
 */
export function catalogueColumns(headers: readonly string[]): readonly string[] {
  // A sheet of instructions, which explains the columns of the other.
  const [first = '', second = ''] = headers
  if (headers.length <= MOST_EXPLAINED && EXPLAINED.test(normalizeHeader(first)) && isDescription(second))
    return [first]
  const named = (pattern: RegExp) => headers.filter((header) => headerNames(header).some((name) => pattern.test(name)))
  const [offer] = named(OFFER)
  const goods = named(GOODS).find((header) => header !== offer)
  return offer !== undefined && goods !== undefined ? [offer, goods] : []
}

/** Whether a column may describe what is reviewed, instead of being the review. */
export function isDescription(header: string): boolean {
  return headerNames(header).some((name) => DESCRIPTION.test(name))
}

/** Shops and blogs call the words about an article so, too, but mostly reviews are. */
const CONTENT = /^(?:content|body|bodyhtml|excerpt)$/
const OF_REVIEWS = /review|rating|stars|comment|feedback|customer|author|buyer|user|client|guest/

/** Tells the columns that describe what a table lists; its headers are looked through once for all of them. */
export function goodsOf(headers: readonly string[]): (header: string) => boolean {
  if (catalogueColumns(headers).length === 0) return () => false
  const hasReviews = headers.some((other) => OF_REVIEWS.test(normalizeHeader(other)))
  const isContent = (header: string) => headerNames(header).some((name) => CONTENT.test(name))
  return (header) => isDescription(header) || (!hasReviews && isContent(header))
}
