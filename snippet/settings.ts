import { QUERY_LIMIT } from '../src/contract/limits.ts'
import { deriveQuery, fitQuery } from './derive-query.ts'

/**
 * What one block of reviews is told: the names of the `data-` attributes in camel case (`data-min-rating` is
 * `minRating`), and `metadata` for the `data-meta-<key>` attributes.
 */
export interface Options {
  /** The publishable key. */
  key?: string
  /** Search text; absent: derived from the page, empty: the newest reviews. */
  query?: string
  limit?: number | string
  mode?: string
  fallback?: string
  minRating?: number | string
  /** One source or several, separated by commas. */
  source?: string
  since?: string
  metadata?: Record<string, string>
  theme?: string
  /** BCP 47 tag of dates and words; absent: the reader's own language. */
  lang?: string
  /** Wait until the block is near the window. */
  lazy?: boolean | string
  /** Show the authors' pictures, which are loaded from the review platforms. */
  avatars?: boolean | string
  /** Height kept free until the reviews are there: a number of pixels or a CSS length. */
  reserve?: number | string
  heading?: string
  /** A line below the reviews: that lower ratings are not shown, for instance. */
  note?: string
  /** Address of the service, where the script is not loaded from it; a path ends with a slash. */
  host?: string
}

const META = 'data-meta-'

/** The options written as attributes of an element. Attribute names arrive in lower case, so metadata keys do as well. */
export function optionsOf(element: HTMLElement): Options {
  const options: Options = { ...element.dataset }
  for (const { name, value } of element.attributes) {
    if (name.startsWith(META)) options.metadata = { ...options.metadata, [name.slice(META.length)]: value }
  }
  return options
}

export function isOn(option: unknown): boolean {
  return option != null && `${option}` !== 'false'
}

/** The one request that a block makes. */
export function requestOf(options: Options): [url: string, init: RequestInit] {
  const { key, query, limit, mode, fallback, minRating, source, since, metadata = {}, host = '' } = options
  const filters: Record<string, unknown> = {
    min_rating: Number(minRating) || undefined,
    source: source?.match(/[^\s,]+/g) ?? undefined,
    since,
  }
  for (const name in metadata) filters[`metadata.${name}`] = metadata[name]
  const body = {
    q: fitQuery(query ?? deriveQuery(pageText())) || undefined,
    // Not a number: left out, which leaves it to the service.
    limit: Math.min(QUERY_LIMIT.max, Math.max(QUERY_LIMIT.min, Number.parseInt(`${limit}`, 10))) || undefined,
    mode,
    // The whole text lets the excerpt be shown within its sentence.
    include: 'text',
    fallback,
  }
  const url = new URL('v1/query', host)
  if (url.origin === location.origin) {
    // With a GET to its own origin a browser sends no Origin, which a publishable key needs; with a POST it does.
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return [url.href, { method: 'POST', headers, body: JSON.stringify({ ...body, filters }) }]
  }
  for (const [name, value] of Object.entries({ key, ...body, ...filters })) {
    if (value != null) url.searchParams.set(name, `${value}`)
  }
  // No header of our own: a simple request, which needs no preflight.
  return [url.href, {}]
}

function pageText() {
  const meta = (selector: string) => document.querySelector<HTMLMetaElement>(`meta[${selector}]`)?.content ?? ''
  return {
    h1: document.querySelector('h1')?.textContent ?? '',
    title: document.title,
    description: meta('name=description'),
    site: meta('property="og:site_name"'),
  }
}
