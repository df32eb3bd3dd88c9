import { deriveQuery, type PageText } from '../../snippet/derive-query.ts'

/**
 * The queries that the snippet sends on a page that sets none: the second, with the page's description, only if nothing fits
 * the first. One if there is no other.
 */
export function pageQueries(page: PageText): string[] {
  const first = deriveQuery(page, '')
  const second = deriveQuery(page, page.description)
  return first === '' || first === second ? [second] : [first, second]
}
