import { setImmediate as turn } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { FRONT_PAGE, type PageText } from '../../snippet/derive-query.ts'
import { parseUrl } from '../contract/parse-url.ts'

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
  const reader = new PageReader(address)
  for (let at = 0; at < html.length && !reader.isTooDeep; at += TURN_LENGTH) {
    if (at > 0) await turn()
    reader.read(html.slice(at, at + TURN_LENGTH))
  }
  return reader.end()
}

/** Gathers the texts of a page from its tags. */
class PageReader {
  readonly #address: string
  readonly #origin: string
  readonly #parser = new Parser(
    {
      onopentag: (name, attributes) => this.#open(name, attributes),
      ontext: (text) => {
        if (this.#unseen === 0 && this.#drawings === 0) this.#add(text)
      },
      onclosetag: (name) => this.#close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  readonly #h1: string[] = []
  readonly #description: string[] = []
  readonly #site: string[] = []
  #title: string | undefined
  #base: URL | undefined
  /** The element whose text is being gathered. */
  #gathered: 'h1' | 'title' | undefined
  #isInFrontLink = false
  #depth = 0
  /** How many elements that nobody sees are open. */
  #unseen = 0
  /** How many drawings are open, which have titles of their own. */
  #drawings = 0
  /** The elements that are open within the heading, and whether each is a block. */
  readonly #withinHeading: boolean[] = []

  constructor(address: string) {
    this.#address = address
    this.#origin = new URL(address).origin
  }

  get isTooDeep(): boolean {
    return this.#depth > MOST_DEPTH
  }

  read(html: string): void {
    this.#parser.write(html)
  }

  end(): PageText {
    this.#parser.end()
    return {
      h1: bounded(this.#h1),
      // As `document.title` has it.
      title: (this.#title ?? '').replace(/\s+/g, ' ').trim().slice(0, MOST_LENGTH),
      description: bounded(this.#description),
      site: bounded(this.#site),
    }
  }

  #open(name: string, attributes: Attributes): void {
    this.#depth++
    if (this.isTooDeep) {
      this.#parser.pause()
      return
    }
    if (name === 'svg') this.#drawings++
    if (UNSEEN.has(name)) this.#unseen++
    if (this.#unseen > 0) return
    if (this.#gathered === 'h1') this.#openWithinHeading(name, attributes)
    this.#beginGathering(name)
    if (name === 'base' && attributes.href !== undefined) this.#base ??= parseUrl(attributes.href, this.#address)
    if (name === 'a') this.#openLink(attributes.href)
    // Before the words that follow it.
    if (this.#isInFrontLink && attributes.alt !== undefined) this.#site.splice(-1, 0, attributes.alt)
    if (name === 'meta') this.#readMeta(attributes)
  }

  #openWithinHeading(name: string, { style = '' }: Attributes): void {
    // A line break or a block parts words.
    const isBlock = BLOCKS.has(name) || BLOCK_STYLE.test(style)
    this.#withinHeading.push(isBlock)
    if (isBlock) this.#add(' ')
  }

  #beginGathering(name: string): void {
    const isWanted = name === 'h1' || (name === 'title' && this.#title === undefined)
    if (isWanted && this.#gathered === undefined && this.#drawings === 0) this.#gathered = name
    // One that is left open has the next within it.
    if (name === 'h1' && this.#gathered === name) this.#h1.push('')
  }

  #openLink(href: string | undefined): void {
    const to = href === undefined ? undefined : parseUrl(href, this.#base ?? this.#address)
    this.#isInFrontLink = to?.origin === this.#origin && FRONT_PAGE.test(to.pathname + to.search + to.hash)
    if (this.#isInFrontLink) this.#site.push('')
  }

  #readMeta({ name, property, content = '' }: Attributes): void {
    if (name?.toLowerCase() === 'description') this.#description.push(content)
    if (/site_name$/.test(property ?? name ?? '')) this.#site.push(content)
  }

  #add(text: string): void {
    if (this.#gathered === 'h1') this.#h1.push((this.#h1.pop() ?? '') + text)
    else if (this.#gathered) this.#title = (this.#title ?? '') + text
    if (this.#isInFrontLink) this.#site.push((this.#site.pop() ?? '') + text)
  }

  #close(name: string): void {
    this.#depth--
    if (UNSEEN.has(name)) this.#unseen--
    else if (this.#unseen === 0) this.#closeSeen(name)
  }

  #closeSeen(name: string): void {
    if (name === 'svg') this.#drawings--
    if (name === 'a') this.#isInFrontLink = false
    if (this.#gathered === 'h1' && this.#withinHeading.length > 0) {
      if (this.#withinHeading.pop()) this.#add(' ')
      return
    }
    if (name !== this.#gathered) return
    if (name === 'title') this.#title ??= ''
    this.#gathered = undefined
  }
}

type Attributes = Record<string, string>

function bounded(texts: string[]): string[] {
  return texts.slice(0, MOST_TEXTS).map((text) => text.slice(0, MOST_LENGTH))
}
