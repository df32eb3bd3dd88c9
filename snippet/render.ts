import type { QueryResponse, QueryResult } from '../src/contract/query.ts'
import { watchBadge } from './badge.ts'
import { labels } from './labels.ts'
import { fitColumns } from './layout.ts'
import { passageAround } from './passage.ts'
import type { Note } from './query.ts'
import { isOn, type Options } from './settings.ts'
import css from './snippet.css'
import { pageTheme, systemTheme } from './theme.ts'

/** How much of a review is shown around the excerpt and with it, in UTF-16 units. */
const BUDGET = 280
/** A whole review that is longer is shown around its excerpt first. */
const LONG = 600

/** Fills the empty frame of a block with the results. Review text enters as text nodes only. */
export function renderInto(
  frame: HTMLElement,
  host: HTMLElement,
  response: QueryResponse,
  options: Options,
  { note: said, lang: noteLang = '', min_rating: lowest = 0 }: Note,
): void {
  const { heading, layout, limit } = options
  // A shared cache may have kept the answer from before the settings changed.
  const note = response.results.every(({ review: { rating } }) => !rating || rating >= lowest) && said
  const tag = languageOf(host, options)
  const primary = tag.slice(0, 2).toLowerCase()
  const own = labels[primary]?.split('|') ?? []
  const [stars = '', more = '', newTab = ''] = [...own, ...(labels.en?.split('|') ?? []).slice(own.length)]
  const lang = own[0] ? tag : 'en'

  const card = (result: QueryResult) => {
    const { rating, author_name, occurred_at, source, url, metadata } = result.review
    const href = webAddress(url)
    const date = occurred_at && day(occurred_at, tag)
    const time = date && element('time', 'date', { lang: tag, dir: 'auto', datetime: occurred_at }, date)
    // What is no platform's may name another in its metadata.
    const platform =
      source === 'custom' ? metadata.platform?.slice(0, 40) : source.replace(/./, (letter) => letter.toUpperCase())
    const link = (child: Child, text: string | null) => {
      const label = [text, author_name, newTab].filter(Boolean).join(', ')
      const attributes = { href, rel: 'nofollow noopener', target: '_blank', 'aria-label': label }
      return href ? element('a', 'link', attributes, child) : child
    }
    return element(
      'li',
      'card',
      {},
      rating &&
        element(
          'div',
          'stars',
          { role: 'img', lang, 'aria-label': stars.replace('#', `${rating}`) },
          '★'.repeat(rating),
          // Another shape, not another colour alone.
          element('s', '', {}, '☆'.repeat(5 - rating)),
        ),
      quotation(result, options, more, lang),
      element(
        'footer',
        '',
        {},
        picture(result.review, isOn(options.avatars)),
        element(
          'div',
          '',
          {},
          // Isolated, so that direction marks in a name end with it.
          author_name && element('bdi', 'author', {}, author_name),
          element(
            'div',
            'meta',
            {},
            // Where there is no platform to name, the date is the link.
            platform ? time : link(time || (href && '↗'), date),
            platform && element('span', 'source', {}, link(platform, platform)),
          ),
        ),
      ),
    )
  }

  const cards = response.results.slice(0, Number(limit) || undefined).map(card)
  const shape = layout ?? (cards[1] ? 'grid' : 'single')
  // The role, because Safari forgets that a list without bullets is one.
  const list = element('ul', 'list', { role: 'list' }, ...cards)
  const badge =
    response.badge === true && element('p', '', { class: 'badge', lang: 'en', dir: 'ltr' }, 'Reviews by Pullquote')
  const foot =
    (note || badge) &&
    element('div', '', { class: 'foot' }, note && element('p', 'note', noteLang ? { lang: noteLang } : {}, note), badge)
  const section = element('section', '', { class: shape }, heading && element('h2', 'heading', {}, heading), list)
  frame.append(section, foot || '')
  setTheme(frame, host, options)
  // Safari before 16.4
  const root = frame.getRootNode() as ShadowRoot
  if (!root.adoptedStyleSheets?.[0]) frame.append(element('style', '', {}, css))
  if (shape === 'grid') fitColumns(list)
  if (badge) watchBadge(badge, host)
}

/** The language of labels and dates; quotations have their own, which is not known. */
export function languageOf(host: HTMLElement, { lang }: Options): string {
  const inherited = host.closest<HTMLElement>('[lang]')?.lang || document.documentElement.lang
  return (lang || inherited || navigator.language).replace('_', '-')
}

/** The colours that are asked for, or those that suit the page as it is now. */
export function setTheme(frame: HTMLElement, host: HTMLElement, { theme = '' }: Options): void {
  frame.className = theme === 'auto' ? systemTheme() : theme || pageTheme(host)
}

/** The excerpt within its surroundings, or the whole review, and marked where it is the smaller part of what is shown. */
function quotation(result: QueryResult, { mode, context }: Options, more: string, lang: string): Child {
  const { excerpt, highlight, review } = result
  const isWhole = mode === 'reviews'
  const whole = review.text ?? excerpt
  const marked = highlight && whole.slice(highlight.start, highlight.end) === excerpt
  const text = (marked || isWhole) && context !== 'none' ? whole : excerpt
  const quote = element('q', 'quote', { dir: 'auto' })
  const fill = (budget: number) => {
    const { start, end } = marked && text === whole ? highlight : { start: 0, end: isWhole ? 0 : text.length }
    const passage = passageAround(text, start, end, budget, budget > LONG ? budget : 1)
    const { before, inside, after, following, cutStart, cutEnd } = passage
    const isPart = marked && inside.length * 2 < (before + inside + after + following).length
    const children: Child[] = [
      cutStart && '… ',
      before,
      isPart ? element('mark', 'mark', {}, inside) : inside,
      after,
      following && (isWhole ? following : element('span', 'context', {}, following)),
      cutEnd && ' …',
    ]
    quote.replaceChildren(...children.filter(isNode))
    return cutStart || cutEnd
  }
  const isCut = fill(isWhole ? (whole.length > LONG ? LONG : LONG * LONG) : context ? 0 : BUDGET)
  const button = isWhole && isCut && element('button', 'more', { type: 'button', lang }, more)
  const block = element('blockquote', '', { tabindex: '-1' }, quote)
  if (!button) {
    block.removeAttribute('tabindex')
    return block
  }
  button.onclick = () => {
    fill(Number.POSITIVE_INFINITY)
    button.remove()
    // What was read goes on where it was.
    block.focus({ preventScroll: true })
  }
  return element('div', '', {}, block, button)
}

/** The first letters of the first and of the last word of a name; the picture instead where it is wanted and loads. */
function picture({ author_name, author_avatar_url }: QueryResult['review'], isWanted: boolean): Child {
  const words = (author_name ?? '').split(/\s/)
  const letters = words.flatMap((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? [])
  letters.splice(1, letters.length - 2)
  const initials = letters[0] && element('span', 'avatar', { 'aria-hidden': 'true' }, letters.join('').toUpperCase())
  const src = isWanted && webAddress(author_avatar_url)
  if (!src) return initials
  const image = element('img', 'avatar', { alt: '', referrerpolicy: 'no-referrer', src })
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

/** @param part by which the page's style sheets reach it; empty for none */
function element(name: string, part: string, attributes: Record<string, string>, ...children: Child[]): HTMLElement {
  const made = document.createElement(name)
  if (part) made.part = part
  for (const key in attributes) made.setAttribute(key, attributes[key] ?? '')
  made.append(...children.filter(isNode))
  return made
}

function isNode(child: Child): child is Node | string {
  return !!child
}
