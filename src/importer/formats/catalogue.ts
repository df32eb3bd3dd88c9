import { normalizeHeader } from '../read/headers.ts'
import type { RawRow } from '../read/table.ts'
import { holdsNumbers } from './column-content.ts'
import { headerNames } from './header-names.ts'

/** Names under which tables of products, apps and dishes describe each of them, and reviewers sometimes their stay. */
const DESCRIPTION =
  /^(?:(?:short|long|full|product|item)?description|beschreibung|descripcion|descricao|descrizione|details?)$/
const OFFER =
  /^(?:offers?)?(?:(?:regular|sale|unit|list|retail|selling|current)?price|stock|stockquantity|instock|installs|mininstalls|(?:review|rating)s?count|numreviews|(?:average|avg)rating)$/
const GOODS =
  /^(?:sku|gtin|ean|barcode|upc|currency|pricecurrency|sizes|colou?rs|developer|(?:review|rating)s?count|numreviews|(?:average|avg)rating|(?:regular|sale)price|in?stock|stockquantity|totalsales|images?|brand|category)$/

/**
 * The columns that show that a table lists what is sold, and not what buyers wrote: a price or the like, and another
 * that only goods have. Empty for any other table.
 */
export function catalogueColumns(headers: readonly string[]): readonly string[] {
  const named = (pattern: RegExp) => headers.filter((header) => headerNames(header).some((name) => pattern.test(name)))
  const [offer] = named(OFFER)
  const goods = named(GOODS).find((header) => header !== offer)
  return offer !== undefined && goods !== undefined ? [offer, goods] : []
}

/** Whether a column may describe what is reviewed, instead of being the review. */
export function isDescription(header: string): boolean {
  return headerNames(header).some((name) => DESCRIPTION.test(name))
}

/** Whether a column describes the goods of such a table. */
export function isOfGoods(header: string, headers: readonly string[]): boolean {
  return isDescription(header) && catalogueColumns(headers).length > 0
}

const COUNTED = /^(?:reviews|comments|comentarios|commentaires|avis|отзывы|opinie|yorumlar|ulasan|レビュー|口コミ)$/

/** Whether a column named like the texts only counts them, as in a list of apps or places. */
export function isCount(header: string, sample: readonly RawRow[], index: number): boolean {
  return COUNTED.test(normalizeHeader(header)) && holdsNumbers(sample, index)
}
