import { Parser } from 'htmlparser2'
import type { PageText } from '../../../snippet/derive-query.ts'

/** The first heading, the title, the description and the site's name of an HTML document, as the DOM would give them. */
export function readPage(html: string): PageText {
  const page: PageText = { h1: '', title: '', description: '', site: '' }
  const seen = { h1: false, title: false, description: false, site: false }
  let open: 'h1' | 'title' | undefined
  // A drawing has titles of its own.
  let inSvg = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'svg') inSvg++
        if ((name === 'h1' || name === 'title') && !seen[name] && !inSvg) {
          open = name
          seen[name] = true
        }
        if (name !== 'meta') return
        if (attributes.name === 'description' && !seen.description) {
          page.description = attributes.content ?? ''
          seen.description = true
        }
        if (attributes.property === 'og:site_name' && !seen.site) {
          page.site = attributes.content ?? ''
          seen.site = true
        }
      },
      ontext(text) {
        if (open) page[open] += text
      },
      onclosetag(name) {
        if (name === 'svg') inSvg--
        if (name === open) open = undefined
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(html)
  return page
}
