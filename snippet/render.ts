import type { QueryResponse, QueryResult } from '../src/contract/query.ts'
import { watchBadge } from './badge.ts'
import { labels } from './labels.ts'
import { passageAround } from './passage.ts'
import { isOn, type Options } from './settings.ts'
import css from './snippet.css'

/** How much of a review is shown around the excerpt and with it, in UTF-16 units. */
const BUDGET = 280
/** The sources that have a platform's name: all but `custom`. */
const PLATFORMS = ['Google', 'Yelp', 'Facebook', 'Trustpilot']

/** Fills the empty shadow root of a block with the results. Review text enters as text nodes only. */
export function renderInto(root: ShadowRoot, response: QueryResponse, options: Options): void {
  const { heading, note, mode, avatars } = options
  const tag = (options.lang || navigator.language).replace('_', '-')
  const primary = tag.slice(0, 2).toLowerCase()
  const stars = labels[primary] ?? labels.en ?? ''
  const seen = new Set<string>()
  const theme = options.theme || pageTheme(root.host)

  // Two excerpts of one review can both fit: the better one is shown.
  const isNew = ({ review: { id } }: QueryResult) => !seen.has(id) && seen.add(id)
  const card = (result: QueryResult) => {
    const { rating, author_name, occurred_at, source, url } = result.review
    const href = webAddress(url)
    const date = occurred_at && day(occurred_at, tag)
    const time = date && element('time', { part: 'date', lang: tag, dir: 'auto', datetime: occurred_at }, date)
    const platform = PLATFORMS.find((name) => name.toLowerCase() === source)
    const link = (child: Child) =>
      href ? element('a', { part: 'link', href, rel: 'nofollow noopener', target: '_blank' }, child) : child
    return element(
      'li',
      { part: 'card' },
      rating &&
        element(
          'div',
          { part: 'stars', role: 'img', 'aria-label': stars.replace('#', `${rating}`) },
          '★'.repeat(rating),
          // Another shape, not another colour alone.
          element('s', {}, '☆'.repeat(5 - rating)),
        ),
      quotation(result, mode === 'reviews'),
      element(
        'footer',
        {},
        picture(result.review, isOn(avatars)),
        element(
          'div',
          {},
          // Isolated, so that direction marks in a name end with it.
          author_name && element('bdi', { part: 'author' }, author_name),
          element(
            'div',
            { part: 'meta' },
            // Where there is no platform to name, the date is the link.
            platform ? time : link(time || (href && '↗')),
            platform && element('span', { part: 'source' }, link(platform)),
          ),
        ),
      ),
    )
  }

  root.append(
    element(
      'section',
      { lang: labels[primary] ? tag : 'en', class: theme },
      heading && element('h2', { part: 'heading' }, heading),
      // The role, because Safari forgets that a list without bullets is one.
      element('ul', { part: 'list', role: 'list' }, ...response.results.filter(isNew).map(card)),
      note && element('p', { part: 'note' }, note),
    ),
  )
  // Safari before 16.4
  if (!root.adoptedStyleSheets?.[0]) root.append(element('style', {}, css))
  if (response.badge === true) {
    const badge = element('p', { class: `badge ${theme}`, lang: 'en', dir: 'ltr' }, 'Reviews by Pullquote')
    root.append(badge)
    watchBadge(badge, root.host)
  }
}

/** Without a theme the block follows the page: light text, which is told by its red, stands on a dark page. */
function pageTheme(host: Element): string {
  return Number(getComputedStyle(host).color.match(/\d+/)) > 140 ? 'dark' : 'light'
}

/** The excerpt, or the whole review, with the excerpt marked where the text is there and tells more than it. */
function quotation({ excerpt, highlight, review }: QueryResult, isWhole: boolean): Element {
  const whole = review.text ?? excerpt
  const marked = highlight && whole.slice(highlight.start, highlight.end) === excerpt
  const text = marked || isWhole ? whole : excerpt
  const { start, end } = marked ? highlight : { start: 0, end: text.length }
  const { before, inside, after, cutStart, cutEnd } = passageAround(text, start, end, isWhole ? text.length : BUDGET)
  return element(
    'blockquote',
    // A whole review may be long: the card scrolls then, by keyboard as well.
    isWhole && text.length > 600 ? { tabindex: '0' } : {},
    element(
      'q',
      { part: 'quote', dir: 'auto' },
      cutStart && '… ',
      before,
      marked && before + after ? element('mark', { part: 'mark' }, inside) : inside,
      after,
      cutEnd && ' …',
    ),
  )
}

/** The first letters of the first and of the last word of a name; the picture instead where it is wanted and loads. */
function picture({ author_name, author_avatar_url }: QueryResult['review'], isWanted: boolean): Child {
  const words = (author_name ?? '').split(/\s/)
  const letters = words.flatMap((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? [])
  letters.splice(1, letters.length - 2)
  const initials =
    letters[0] && element('span', { part: 'avatar', 'aria-hidden': 'true' }, letters.join('').toUpperCase())
  const src = isWanted && webAddress(author_avatar_url)
  if (!src) return initials
  const image = element('img', { part: 'avatar', alt: '', referrerpolicy: 'no-referrer', src })
  image.onerror = () => image.replaceWith(initials ?? '')
  return image
}

/** A UTC day, as the service keeps it: exports often know the day alone, which must not move with the reader. */
function day(moment: string, tag: string): string {
  const style = { dateStyle: 'long', timeZone: 'UTC' } as const
  try {
    return new Date(moment).toLocaleDateString(tag, style)
  } catch {
    return moment.slice(0, 10)
  }
}

/** The address when it is one a page may link to, else nothing: no `javascript:`. */
function webAddress(value: string | null): string {
  try {
    const { protocol, href } = new URL(value ?? '')
    return /^https?:$/.test(protocol) ? href : ''
  } catch {
    return ''
  }
}

type Child = Node | string | number | false | null | undefined

function element(name: string, attributes: Record<string, string>, ...children: Child[]): HTMLElement {
  const made = document.createElement(name)
  for (const key in attributes) made.setAttribute(key, attributes[key] ?? '')
  made.append(...children.filter((child): child is Node | string => !!child))
  return made
}
