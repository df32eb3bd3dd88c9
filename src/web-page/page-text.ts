import { setImmediate as turn } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { deriveQuery, FRONT_PAGE, type PageText } from '../../snippet/derive-query.ts'
import { parseUrl } from '../contract/parse-url.ts'
import { decodeWindows1252 } from '../importer/read/encodings/legacy-encodings.ts'

/** What begins a line by itself, in every browser. What a style sheet makes of other elements is not known here. */
const BLOCKS = new Set(
  `address article aside blockquote br center dd details dialog dir div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table tr ul`.split(/\s+/),
)
const BLOCK_STYLE = /(^|;)\s*display\s*:\s*(block|flex|grid|flow-root|list-item|table)\b/i

/** Text that is no part of the page where scripts run, or that no reader sees. */
const UNSEEN = new Set(['template', 'noscript', 'style', 'script'])

/** Twice as deep as browsers nest. The parser's time per element grows with it: two megabytes of `<svg>` took a minute. */
const MOST_DEPTH = 1_000

/** Of each kind, and their length in UTF-16 units: no page has more, and a query of two megabytes of them took seconds. */
const MOST_TEXTS = 1_000
const MOST_LENGTH = 10_000

/** Read in one go, in UTF-16 units: two megabytes of links kept a server for half a second. */
const TURN_LENGTH = 32_768

/**
 * The headings, the title, the description and the site's names of an HTML document, as the snippet finds them in a browser.
 * A heading that a script writes is not seen, words that only a style sheet parts stay together, and reading ends where
 * elements are nested deeper than any page's.
 *
 * @param address the page's URL, or a `<base>` of it
 */
export async function readPage(html: string, address: string): Promise<PageText> {
  const h1: string[] = []
  const description: string[] = []
  const site: string[] = []
  let title: string | undefined
  let base: URL | undefined
  let open: 'h1' | 'title' | undefined
  let isInFrontLink = false
  const { origin } = new URL(address)
  // A drawing has titles of its own.
  let inSvg = 0
  let unseen = 0
  let depth = 0
  /** Blocks within the heading, and whether each is one. */
  const within: boolean[] = []
  const add = (text: string) => {
    if (open === 'h1') h1.push((h1.pop() ?? '') + text)
    else if (open) title = (title ?? '') + text
    if (isInFrontLink) site.push((site.pop() ?? '') + text)
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MOST_DEPTH) return parser.pause()
        if (name === 'svg') inSvg++
        if (UNSEEN.has(name)) unseen++
        if (unseen) return
        if (open === 'h1') {
          // A line break or a block parts words.
          const isBlock = BLOCKS.has(name) || BLOCK_STYLE.test(attributes.style ?? '')
          within.push(isBlock)
          if (isBlock) add(' ')
        }
        if ((name === 'h1' || (name === 'title' && title === undefined)) && !inSvg && !open) open = name
        if (name === 'h1' && open === name) h1.push('')
        const { href, content = '' } = attributes
        if (name === 'base' && href !== undefined) base ??= parseUrl(href, address)
        if (name === 'a') {
          const to = href === undefined ? undefined : parseUrl(href, base ?? address)
          isInFrontLink = to?.origin === origin && FRONT_PAGE.test(to.pathname + to.search + to.hash)
          if (isInFrontLink) site.push('')
        }
        // Before the words that follow it.
        if (isInFrontLink && attributes.alt !== undefined) site.splice(-1, 0, attributes.alt)
        if (name !== 'meta') return
        if (attributes.name?.toLowerCase() === 'description') description.push(content)
        if (/site_name$/.test(attributes.property ?? attributes.name ?? '')) site.push(content)
      },
      ontext(text) {
        if (!unseen && !inSvg) add(text)
      },
      onclosetag(name) {
        depth--
        if (UNSEEN.has(name)) {
          unseen--
          return
        }
        if (unseen) return
        if (name === 'svg') inSvg--
        if (name === 'a') isInFrontLink = false
        if (open === 'h1' && within.length > 0) {
          if (within.pop()) add(' ')
          return
        }
        if (name !== open) return
        if (name === 'title') title ??= ''
        open = undefined
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  for (let at = 0; at < html.length && depth <= MOST_DEPTH; at += TURN_LENGTH) {
    if (at > 0) await turn()
    parser.write(html.slice(at, at + TURN_LENGTH))
  }
  parser.end()
  // As `document.title` has it.
  const shown = (title ?? '').replace(/\s+/g, ' ').trim().slice(0, MOST_LENGTH)
  return { h1: bounded(h1), title: shown, description: bounded(description), site: bounded(site) }
}

function bounded(texts: string[]): string[] {
  return texts.slice(0, MOST_TEXTS).map((text) => text.slice(0, MOST_LENGTH))
}

/**
 * The queries that the snippet sends on a page that sets none: the second, with the page's description, only if nothing fits
 * the first. One if there is no other.
 */
export function pageQueries(page: PageText): string[] {
  const first = deriveQuery(page, '')
  const second = deriveQuery(page, page.description)
  return first === '' || first === second ? [second] : [first, second]
}

/** With what a page is asked for, so that it answers as it would a browser. */
export const PAGE_HEADERS = { accept: 'text/html,application/xhtml+xml', 'user-agent': 'pullquote-snippet-preview' }

/** The beginning of a page, where what a query is derived from stands: hardly more than `most` bytes are read. */
export async function firstBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    read.push(chunk)
    length += chunk.length
    if (length > most) break
  }
  return Buffer.concat(read).subarray(0, most)
}

/** Browsers look no further for a declaration. */
const DECLARED_WITHIN = 1024
const WESTERN = /^(windows-1252|cp1252|iso-?8859-1|latin-?1|us-ascii|ascii)$/i
const MARKS = { 'utf-8': 'efbbbf', 'utf-16le': 'fffe', 'utf-16be': 'feff' }

/**
 * The letters of an HTML document: as its byte order mark, the response's `Content-Type` or the document itself says, in this
 * order. One of which nothing is said is UTF-8 when its bytes are.
 */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const buffer = Buffer.from(bytes)
  const first = buffer.toString('hex', 0, 3)
  const top = buffer.toString('latin1', 0, DECLARED_WITHIN)
  const charset =
    Object.entries(MARKS).find(([, mark]) => first.startsWith(mark))?.[0] ??
    /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ??
    /<meta\s[^>]*charset\s*=\s*["']?([\w:.-]+)/i.exec(top)?.[1] ??
    (isUtf8(buffer) ? 'utf-8' : 'windows-1252')
  if (WESTERN.test(charset)) return decodeWindows1252(buffer)
  try {
    return new TextDecoder(charset).decode(buffer)
  } catch {
    return new TextDecoder().decode(buffer)
  }
}

/** Whether bytes are UTF-8 that may have been cut off anywhere. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
