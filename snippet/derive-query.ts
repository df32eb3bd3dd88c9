import { QUERY_LENGTH } from '../src/contract/limits.ts'

/** What a page says of itself; every field as found, absent fields empty. */
export interface PageText {
  h1: string
  title: string
  description: string
  /** `og:site_name`: the one part of a title that says nothing about the page. */
  site: string
}

/**
 * ` – `, ` · `, ` « ` and the like between the parts of a title, any sign but those within a name or a sentence ("Bed & Breakfast",
 * "Où dormir ?"); and `|`, which stands in no word. Japanese titles have the wide one.
 */
const TITLE_SEPARATOR = /\s[^\p{L}\p{M}\p{N}\s&+?!]+\s|[|｜]/u

/**
 * The query of a page that names none: its first heading, its description and its title up to where it repeats them, without
 * the site's name, at most 500 UTF-16 units, cut between words. Empty when the page says nothing. The browser and
 * `pullquote snippet --url` share this function, so that the preview shows what visitors will see.
 */
export function deriveQuery({ h1, title, description, site }: PageText): string {
  let query = ''
  const siteName = plain(site)
  for (const part of [h1, description, ...title.split(TITLE_SEPARATOR)]) {
    const words = plain(part)
    if (words === siteName || !words[1]) continue
    // What stands behind the page's own words in a title is the site's name. And more than fits would be cut off.
    if (query[QUERY_LENGTH] || plain(query).includes(words)) break
    query += (query && ' – ') + part.replace(/\s+/g, ' ').trim()
  }
  return fitQuery(query)
}

/** Lower case, letters and digits only, each word between spaces: what two spellings of one title have in common. */
function plain(text: string): string {
  return ` ${text} `.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
}

/** Trims a query to the 500 UTF-16 units the service accepts, before a word where one begins near, never inside a character. */
export function fitQuery(text: string): string {
  const query = text.trim()
  return query[QUERY_LENGTH] ? query.slice(0, QUERY_LENGTH + 1).replace(/\s\S{0,99}$|.$/u, '') : query
}
