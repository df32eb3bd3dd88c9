import { RATING } from '../src/contract/limits.ts'
import type { QueryResponse, QueryResult } from '../src/contract/query.ts'
import { type Child, element, fill } from './element.ts'
import { labels } from './labels.ts'
import { fitColumns } from './layout.ts'
import { passageAround } from './passage.ts'
import { logError, type Note } from './query.ts'
import { isOn, type Options } from './settings.ts'
import { setTheme } from './theme.ts'

/** How much of a review is shown around the excerpt and with it, in UTF-16 units. */
const BUDGET = 280
/** A whole review that is longer is shown around its excerpt first. */
const LONG = 600

/** Fills the empty frame of a block with the results. Review text enters as text nodes only. */
export function renderInto(
  frame: HTMLElement,
  host: HTMLElement,
  { results, badge: hasBadge }: QueryResponse,
  options: Options,
  { note: said, lang: noteLang, min_rating: lowest = 0 }: Note,
): void {
  const { heading, layout, lang: tag = 'en' } = options
  // A shared cache may have kept the answer from before the settings changed.
  const note = results.every((result) => (result.review.rating ?? RATING.max) >= lowest) && said
  const own = (labels[primaryOf(tag)] ?? '').split('|')
  const [stars, more, newTab] = (labels.en as string).split('|').map((word, at) => own[at] || word) as [
    string,
    string,
    string,
  ]
  const lang = own[0] ? tag : 'en'

  const card = (result: QueryResult) => {
    const { rating, author_name, occurred_at, source, url, metadata } = result.review
    const href = webAddress(url)
    const date = occurred_at && day(occurred_at, tag)
    const time = date && element('time', { part: 'date', lang: tag, dir: 'auto', datetime: occurred_at }, date)
    // What is no platform's may name another in its metadata.
    const platform =
      source === 'custom' ? metadata.platform?.slice(0, 40) : source.replace(/./, (letter) => letter.toUpperCase())
    const link = (child: Child) =>
      href
        ? element(
            'a',
            {
              part: 'link',
              href,
              rel: 'nofollow noopener',
              target: '_blank',
              'aria-label': [platform || date, author_name, newTab].filter(Boolean).join(', '),
            },
            child,
          )
        : child
    return element(
      'li',
      { part: 'card', id: result.review.id },
      rating &&
        element(
          'i',
          { part: 'stars', role: 'img', lang, 'aria-label': stars.replace('#', rating as never) },
          '★'.repeat(rating),
          // Another shape, not another colour alone.
          element('span', {}, '☆'.repeat(5 - rating)),
        ),
      quotation(result, options, more, lang),
      element(
        'section',
        {},
        picture(result.review, isOn(options.avatars)),
        element(
          'div',
          {},
          // Isolated, so that direction marks in a name end with it.
          author_name && element('bdi', { part: 'author' }, author_name),
          element(
            'small',
            { part: 'meta' },
            // Where there is no platform to name, the date is the link.
            platform ? time : link(time || (href && '↗')),
            platform && element('data', { part: 'source' }, link(platform)),
          ),
        ),
      ),
    )
  }

  const cards = results.map(card)
  const shape = layout ?? (cards[1] ? 'grid' : 'single')
  // The role, because Safari forgets that a list without bullets is one.
  const list = element('ul', { part: 'list', role: 'list' }, ...cards)
  const badge = hasBadge === true && element('span', { class: 'badge', lang: 'en' }, 'Reviews by Pullquote')
  fill(
    frame,
    heading && element('h2', { part: 'heading' }, heading),
    list,
    (note || badge) &&
      element('div', {}, note && element('p', { part: 'note', ...(noteLang && { lang: noteLang }) }, note), badge),
  )
  frame.id = shape
  setTheme(frame, options)
  if (shape === 'grid') fitColumns(list)
  // Told when an element around the block, the body aside, cuts the badge off; that a page hides the whole block is its right.
  if (badge)
    setTimeout(() => {
      for (let around: Element | null = host; around && around !== document.body; around = around.parentElement) {
        if (
          /hid|cl/.test(getComputedStyle(around).overflow) &&
          badge.getBoundingClientRect().bottom > around.getBoundingClientRect().bottom + 1
        )
          return logError('badge overflows')
      }
    }, 1000)
}

/** Words are kept by it. */
export function primaryOf(language: string): string {
  return language.slice(0, 2).toLowerCase()
}

/** The excerpt within its surroundings, or the whole review, and marked where it is the smaller part of what is shown. */
function quotation(
  { excerpt, highlight, review: { text: whole = excerpt } }: QueryResult,
  { mode, context }: Options,
  more: string,
  lang: string,
): Child {
  const isWhole = mode === 'reviews'
  const isAlone = context === 'none'
  const start = highlight?.start
  const isMarked = !isAlone && whole.indexOf(excerpt, start) === start
  const text = isMarked || (isWhole && !isAlone) ? whole : excerpt
  const quote = element('q', { part: 'quote', dir: 'auto' })
  const showUpTo = (budget: number) => {
    const from = isMarked ? start : 0
    const to = isWhole && !isMarked ? 0 : from + excerpt.length
    const passage = passageAround(text, from, to, budget, budget > LONG ? budget : 1)
    const { before, inside, after, following, cutStart, cutEnd } = passage
    const isPart = isMarked && inside.length * 2 < (before + inside + after + following).length
    fill(
      quote,
      cutStart && '… ',
      before,
      isPart ? element('mark', { part: 'mark' }, inside) : inside,
      after,
      following && (isWhole ? following : element('span', { part: 'context' }, following)),
      cutEnd && ' …',
    )
    return cutStart || cutEnd
  }
  const isCut = showUpTo(isWhole ? (whole.length > LONG ? LONG : Number.POSITIVE_INFINITY) : context ? 0 : BUDGET)
  const block = element('blockquote', {}, quote)
  if (!isWhole || !isCut) return block
  const button = element('button', { part: 'more', lang }, more)
  block.tabIndex = -1
  button.onclick = () => {
    showUpTo(Number.POSITIVE_INFINITY)
    button.remove()
    // What was read goes on where it was.
    block.focus({ preventScroll: true })
  }
  return element('div', {}, block, button)
}

/** The first letters of the first and of the last word of a name; the picture instead where it is wanted and loads. */
function picture({ author_name, author_avatar_url }: QueryResult['review'], isWanted: boolean): Child {
  const letters = (author_name ?? '').replace(/([\p{L}\p{N}])\S*|./gsu, '$1').replace(/^(.).*(.)$/u, '$1$2')
  const initials = letters && element('span', { part: 'avatar', 'aria-hidden': 'true' }, letters.toUpperCase())
  const src = isWanted && webAddress(author_avatar_url)
  if (!src) return initials
  const image = element('img', { part: 'avatar', alt: '', referrerpolicy: 'no-referrer', src })
  image.onerror = () => image.replaceWith(initials)
  return image
}

/** A UTC day, as the service keeps it: exports often know the day alone, which must not move with the reader. */
function day(moment: string, tag: string): string {
  try {
    return new Date(moment).toLocaleDateString(tag, { dateStyle: 'long', timeZone: 'UTC' })
  } catch {
    return moment.slice(0, 10)
  }
}

/** The address when it is one a page may link to, else nothing: no `javascript:`. */
function webAddress(value: string | null): string | false | null {
  return /^https?:\/\//i.test(value as string) && value
}
