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
export const FRONT_PAGE = /^\/(\w\w(\W\w\w)?|index\.\w+)?\/?$/

/**
 * ` – `, ` · `, ` « ` and the like between the parts of a title: any symbol except those within a name or a sentence ("Bed &
 * Breakfast", "Où dormir ?"); and `|`, which occurs in no word. Japanese titles use the full-width one.
 */
const TITLE_SEPARATOR = /\s[^\p{L}\p{M}\p{N}\s&+?!]+\s|[|｜]/u

/**
 * The query of a page that does not set one: its first heading or the one with which the title begins, the description if
 * given, and its title up to where it repeats them, without the site's names, at most 500 UTF-16 units, cut between words.
 * Empty when the page has no text but those. The snippet asks without the description first, since many sites have one for
 * all pages, and with it if nothing fits.
 */
export function deriveQuery({ h1, title, site }: PageText, description = ''): string {
  let query = ''
  const names = new Set(['', ...site].map(plain))
  const whole = plain(title)
  const own = h1.filter((each) => !names.has(plain(each)))
  // A heading with which the title begins is the page's own; one before it is the logo.
  const heading = own.find((each) => whole.startsWith(plain(each))) ?? own[0] ?? ''
  // "Category: Breakfast", "Collection: Lamps": the kind of page, which no review mentions.
  const name = heading.trim().split(/:\s+/)[1] as string
  for (const part of [title.indexOf(name) ? heading : name, description, ...title.split(TITLE_SEPARATOR)]) {
    const words = plain(part)
    if (names.has(words)) continue
    // What follows the page's own words in a title is the site's name. And anything beyond the limit would be cut off.
    if (query[QUERY_LENGTH] || plain(query).includes(words)) break
    query += (query && ' – ') + part.replace(/\s+/g, ' ').trim()
  }
  return fitQuery(query)
}

/** Lower case, letters and digits only, each word between spaces: the same for two spellings of a title. */
function plain(text: string): string {
  return ` ${text} `.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
}

/**
 * Trims a query to the 500 UTF-16 units that the service accepts, before a word if one begins nearby, never inside a
 * character.
 */
export function fitQuery(text: string): string {
  const query = text.trim()
  return query[QUERY_LENGTH] ? query.slice(0, QUERY_LENGTH + 1).replace(/\s\S{0,99}$|.$/u, '') : query
}
