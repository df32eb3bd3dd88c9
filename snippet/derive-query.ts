import { QUERY_LENGTH } from '../src/contract/limits.ts'

/** A page's own texts, as found; absent ones are empty. */
export interface PageText {
  /** Of the headings that are shown, in the page's order. */
  h1: string[]
  title: string
  /** The first counts. */
  description: string[]
  /** `og:site_name`, and the words and pictures of the links to the front page: a logo, "Home". They say nothing about the page. */
  site: string[]
}

/** The address of a site's front page, from its first slash on; of one language's or country's, if there are several. */
export const FRONT_PAGE = /^\/(\w\w([\W_]\w\w)?|index\.\w+)?\/?$/

/**
 * ` – `, ` · `, ` « ` and the like between the parts of a title: any symbol except those within a name or a sentence ("Bed &
 * Breakfast", "Où dormir ?"); and `|`, which occurs in no word. Japanese titles use the full-width one.
 */
const TITLE_SEPARATOR = /\s[^\p{L}\p{M}\p{N}\s&+?!]+\s|[|｜]/u

/**
 * The query of a page that does not set one, at most 500 UTF-16 units, cut between words, without the site's names. Without
 * descriptions the first query: the heading alone, since what a title says beside it is mostly the site's name, its place or
 * its trade, or the title if there is none. With descriptions the second, for when nothing fits the first: the heading, the
 * first description, and the title up to where it repeats them. Many sites have one description for all pages. Empty when the
 * page has no text but those.
 *
 * @param descriptions those of the page, or `''`
 */
export function deriveQuery({ h1, title, site }: PageText, descriptions: string[] | ''): string {
  let query = ''
  const names = new Set([undefined, '', ...site].map(plain))
  const whole = plain(title)
  // Of "Category: Breakfast" or "Collection: Lamps" the title begins with the name; no review mentions the kind of page.
  const own = h1.flatMap((each) => [each, each.split(/:\s+/)[1]]).filter((each) => !names.has(plain(each)))
  // A heading with which the title begins is the page's own; one before it is the logo.
  const heading = own.find((each) => whole.startsWith(plain(each))) ?? own.find((each) => whole.endsWith(plain(each)))
  const rest = own[0] && !descriptions ? [] : title.split(TITLE_SEPARATOR)
  for (const part of [heading ?? own[0], descriptions[0], ...rest] as string[]) {
    const words = plain(part)
    if (names.has(words)) continue
    // What follows the page's own words in a title is the site's name. And anything beyond the limit would be cut off.
    if (query[QUERY_LENGTH] || plain(query).includes(words)) break
    // The empty link to itself that VitePress writes behind a heading.
    query += (query && ' – ') + part.replace(/\s+\u200b?/g, ' ').trim()
  }
  return fitQuery(query)
}

/**
 * Lower case, letters and digits only, each word between spaces: the same for two spellings of a title, with soft hyphens or
 * without.
 */
function plain(text?: string): string {
  return ` ${text} `
    .toLowerCase()
    .replace(/\xad/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
}

/**
 * Trims a query to the 500 UTF-16 units that the service accepts, before a word if one begins nearby, never inside a
 * character.
 */
export function fitQuery(text: string): string {
  const query = text.trim()
  return query[QUERY_LENGTH] ? query.slice(0, QUERY_LENGTH + 1).replace(/\s\S{0,99}$|.$/u, '') : query
}
