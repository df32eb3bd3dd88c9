import { Parser } from 'htmlparser2'
import type { PageText } from '../../../snippet/derive-query.ts'

/** The first heading, the title, the description and the site's name of an HTML document, as the DOM would give them. */
export function readPage(html: string): PageText {
  const found: Partial<PageText> = {}
  let open: 'h1' | 'title' | undefined
  // A drawing has titles of its own.
  let inSvg = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'svg') inSvg++
        // A line break parts words.
        if (name === 'br' && open) found[open] = `${found[open] ?? ''} `
        if ((name === 'h1' || name === 'title') && found[name] === undefined && !inSvg) open = name
        if (name !== 'meta') return
        if (attributes.name === 'description') found.description ??= attributes.content ?? ''
        if (attributes.property === 'og:site_name') found.site ??= attributes.content ?? ''
      },
      ontext(text) {
        if (open) found[open] = (found[open] ?? '') + text
      },
      onclosetag(name) {
        if (name === 'svg') inSvg--
        if (name !== open) return
        found[name] ??= ''
        open = undefined
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(html)
  return { h1: '', title: '', description: '', site: '', ...found }
}
