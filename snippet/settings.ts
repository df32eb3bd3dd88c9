import { QUERY_LIMIT } from '../src/contract/limits.ts'
import { deriveQuery, FRONT_PAGE, fitQuery, type PageText } from './derive-query.ts'
import { find } from './element.ts'
import type { Parameters } from './query.ts'

/**
 * The options of a block: the `data-` attributes in camel case (`data-min-rating` is `minRating`), and `metadata` for the
 * `data-meta-<key>` attributes.
 */
export interface Options {
  /** The publishable key. */
  key?: string
  /** Search text; default: derived from the page; empty: the newest reviews. */
  query?: number | string
  limit?: number | string
  /** `reviews` shows whole reviews. */
  mode?: string
  fallback?: string
  minRating?: number | string
  /** One or several sources, as a list or comma-separated. */
  source?: string | string[]
  since?: string
  metadata?: Record<string, string>
  theme?: string
  /** `grid`, `list` (one below the other) or `single` (the best one, as a pull quote). */
  layout?: string
  /** `none`: only the excerpt; `sentence`: the sentences that contain it. Default: also the sentences around it. */
  context?: string
  /** BCP 47 tag of dates and words; default: the page's language, then the reader's. */
  lang?: string
  /** Wait until the block is near the window. */
  lazy?: boolean | string
  /** Show the authors' pictures, which are loaded from the review platforms. */
  avatars?: boolean | string
  /** Height to reserve until the reviews are there: a number of pixels or a CSS length. */
  reserve?: number | string
  heading?: string
  /** A line below the reviews; `auto`: which ratings are shown, by the project's settings. */
  note?: string
  /** URL of the service, if the script is not loaded from it; a path ends with a slash. */
  host?: string | URL
}

const META = 'data-meta-'

/** The options given as attributes of an element. Attribute names arrive in lower case, and so do metadata keys. */
export function optionsOf(element: HTMLElement): Options {
  const options: Options = { ...element.dataset }
  for (const { name, value } of element.attributes) {
    const field = name.split(META)[1]
    if (field) options.metadata = { ...options.metadata, [field]: value }
  }
  return options
}

export function isOn(option: unknown): boolean {
  // false, undefined, null, no
  return !/^[fun]/.test(option as string)
}

/**
 * The query parameters of a block, without absent or empty ones. `options.query` becomes the query for when nothing fits the
 * first: of a page that sets none it also has the description.
 */
export function parametersOf(options: Options): Parameters {
  const { minRating, metadata, query } = options
  const page = query == null && pageText()
  options.query = page ? deriveQuery(page, page.description) : fitQuery(`${query}`)
  const parameters: Parameters = {
    q: (page && deriveQuery(page, '')) || options.query,
    // If it is not a number it is omitted, which leaves it to the service.
    limit:
      options.layout === 'single'
        ? 1
        : // biome-ignore lint/correctness/useParseIntRadix: three bytes of the bundle; nobody writes a limit in hexadecimal
          Math.min(QUERY_LIMIT.max, Math.max(QUERY_LIMIT.min, Number.parseInt(options.limit as string))),
    // Each review once, with its best excerpt, and with its text, in which the excerpt is shown.
    mode: 'reviews',
    fallback: options.fallback,
    // If it is not a number the service rejects it.
    min_rating: +(minRating as string) || minRating,
    source: `${options.source ?? ''}`.match(/[^\s,]+/g),
    since: options.since,
  }
  for (const name in parameters) if (!parameters[name]) delete parameters[name]
  for (const [name, value] of Object.entries({ ...metadata })) parameters[`metadata.${name}`] = value
  return parameters
}

function pageText(): PageText {
  const headings: Partial<HTMLElement>[] = find('h1')
  return {
    h1: [
      // A line break or a block within a heading separates words, and a style sheet, a drawing or what is not displayed is no
      // part of it. One of which a style changes the letters' case alone keeps its spelling.
      ...headings.map((each) =>
        each.offsetHeight
          ? (each.innerText as string).length - (each.textContent as string).trim().length
            ? each.innerText
            : each.textContent
          : '',
      ),
      // A hidden heading belongs to a menu, a dialog or another width, unless the whole page is still hidden, or an animation
      // will reveal it.
      ...headings.map((each) => each.textContent),
    ] as string[],
    title: document.title,
    description: find<HTMLMetaElement>('meta[name=description i]').map((each) => each.content),
    site: find<HTMLMetaElement & HTMLImageElement>('[property*=site_],[name*=site_],a,a [alt]').map(
      (each) =>
        each.content ??
        (FRONT_PAGE.test(`${each.closest('a')?.href}`.replace(origin, '')) ? (each.alt ?? each.textContent) : ''),
    ),
  }
}
